"""The memory of one user for whatever speaks the Model Context Protocol."""
