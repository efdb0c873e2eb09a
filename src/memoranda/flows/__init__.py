"""The operations: plain async functions over ports and core. `flows.loaded` loads them for the faces."""
