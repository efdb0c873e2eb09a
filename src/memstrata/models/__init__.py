"""Adapters to embedders and language models."""
