"""What a session is about: a database, its English, a sandbox for queries."""
