"""A corpus in formats of today, one module each."""
