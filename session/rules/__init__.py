"""Decisions: what a command brings about, or why it is refused."""
