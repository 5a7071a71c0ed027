"""The wizard's console: a core without Textual, and screens over it."""
