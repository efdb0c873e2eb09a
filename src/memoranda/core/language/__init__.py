"""Inline extraction: rules as data, one file per language, and the engine that runs them."""

#: The version of the rules: what another version derived is derived again by this one.
RULES = "rules@1"
