"""A first domain folder from a database that nobody has described."""
