"""A hospital's outpatient clinic: a database of another field, and a hundred requests written from its schema alone."""
