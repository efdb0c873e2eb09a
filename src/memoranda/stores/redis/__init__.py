"""Working memory on Redis or Valkey, on a single server or a cluster."""
