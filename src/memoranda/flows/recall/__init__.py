"""A question and its answer."""
