"""Inline extraction: rules as data, one file per language, and the engine that runs them."""
