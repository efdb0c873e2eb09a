"""The commands that show more than their verb does, or have none: each calls one method and returns the result."""
