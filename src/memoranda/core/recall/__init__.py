"""A question, from its words to ranked results."""
