"""What fits into a context, and how it is laid out."""
