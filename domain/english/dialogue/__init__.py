"""Dialogue context: how a request relates to earlier ones, and what it takes over from them."""
