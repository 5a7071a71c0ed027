"""The append-only, hash-chained event store."""
