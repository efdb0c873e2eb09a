"""Forgetting, rebuilding, moving, repairing, and what it all costs."""
