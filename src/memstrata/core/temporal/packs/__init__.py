"""One pack per language: words and rules as data."""
