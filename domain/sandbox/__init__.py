"""Queries that read, within limits on rows, bytes and time."""
