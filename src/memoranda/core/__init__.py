"""Pure core: rows, rules and arithmetic. No input or output, no clock, no randomness."""
