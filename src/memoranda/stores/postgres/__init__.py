"""The store for many tenants and many workers, on PostgreSQL with pgvector."""
