"""Scorers beside their peers."""
