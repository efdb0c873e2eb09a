"""memstrata: the memory of an AI agent."""
