"""What a tenant shares: pools, collections, grants, snapshots."""
