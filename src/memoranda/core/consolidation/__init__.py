"""How a language model's proposal is made and judged."""
