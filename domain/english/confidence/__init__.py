"""Confidence of a reading: how often one with the same clues turned out to be right."""
