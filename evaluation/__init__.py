"""Answers compared and scored: comparator, references, tables."""
