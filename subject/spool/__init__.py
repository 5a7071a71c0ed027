"""Spool of what is owed to the hub: sealed takes and the journal of reports."""
