"""An owner's memory in RAM."""
