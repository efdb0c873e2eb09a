"""Shipped to users: what every store must do, and stand-ins for tests."""
