"""Dialogues: how a request stands to those before it, and what it takes over from them."""
