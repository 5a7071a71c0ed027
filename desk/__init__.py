"""Textual parts that all desks share: keys, themes, dialogs, players."""
