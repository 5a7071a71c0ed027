"""A scripted wizard at the real console, for the keystroke-level model."""
