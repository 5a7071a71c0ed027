"""The terminal's screens, one for each step of a visit."""
