"""Requests about people: whom pronouns mean, superiors and subordinates, pay."""
