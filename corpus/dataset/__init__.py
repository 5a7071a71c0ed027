"""A corpus on disk as a value, and parts of it."""
