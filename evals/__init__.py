"""Evaluations: scripts that measure quality on data given by path."""
