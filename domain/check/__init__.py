"""Checks of a domain folder, and the explanation of how a request is read by it."""
