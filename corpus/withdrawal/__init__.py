"""Removing a person from a study and from a corpus."""
