"""The domain of a session: a database, its English, a sandbox for queries."""
