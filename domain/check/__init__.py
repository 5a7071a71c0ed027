"""Checks of a domain folder, and explanations of how it reads a request."""
