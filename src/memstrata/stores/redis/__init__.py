"""Working memory on Redis or Valkey, alone or as a cluster."""
