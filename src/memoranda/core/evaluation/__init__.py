"""How good answers are: labels, metrics, and what is learned from use."""
