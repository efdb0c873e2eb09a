"""Adapters to databases. They store and find candidates; they decide nothing."""
