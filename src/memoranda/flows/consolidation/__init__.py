"""How events become beliefs after the fact."""
