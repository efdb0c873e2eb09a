"""The verbs: plain async functions over ports and core."""
