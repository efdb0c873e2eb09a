"""Inline extraction: rules as data, one file per language, and the engine that runs them."""

#: Names the rules: what was derived by others of this name is derived again by these.
RULES = "rules@1"
