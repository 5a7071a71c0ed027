"""Confidence of readings."""
