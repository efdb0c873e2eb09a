"""A turn on its way in."""
