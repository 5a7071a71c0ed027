"""Constructions: phrases that change a meaning as a whole; one module per family."""
