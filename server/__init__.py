"""The hub of a study as a process."""
