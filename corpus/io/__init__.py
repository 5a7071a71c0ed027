"""Directories that appear whole or not at all, safe opening, processes, progress."""
