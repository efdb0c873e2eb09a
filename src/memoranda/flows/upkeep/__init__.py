"""The jobs that keep a memory in order."""
