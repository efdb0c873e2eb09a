"""Readers of other programs' conversation files; pure functions from parsed documents to conversations."""
