"""Packages read back: the utterances that each format keeps, and what it loses."""
