"""Calibrated confidence: how often a reading with the same clues is right."""
