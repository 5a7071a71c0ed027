"""Learning a first domain folder from a database without a domain."""
