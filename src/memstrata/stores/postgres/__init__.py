"""The store for many tenants and workers: PostgreSQL with pgvector."""
