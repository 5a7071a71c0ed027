"""`curtain verify` and the check at the end of a session."""
