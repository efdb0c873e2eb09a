"""The operations: plain async functions over ports and core. `memoranda.verbs` says which of them are verbs."""
