"""The subject's terminal: capture, spool, a core without Textual, and screens over it."""
