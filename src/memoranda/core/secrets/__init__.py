"""Secrets in texts: their forms, the words around them, and what gives them away."""
