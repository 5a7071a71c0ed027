"""The hub: one actor for each session, desks attached by role and token."""
