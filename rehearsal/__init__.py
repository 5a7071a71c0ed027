"""Scripted people who hold whole sessions: for tests, demonstrations and dry runs of a study."""
