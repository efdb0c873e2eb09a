"""What forgetting, rebuilding and repairing leave."""
