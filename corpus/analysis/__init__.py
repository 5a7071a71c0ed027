"""Figures of turns and scenarios, without any I/O."""
