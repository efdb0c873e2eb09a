"""What is gone, how that is said, and what goes with it."""
