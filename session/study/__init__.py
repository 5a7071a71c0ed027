"""The study folder: reading, creating, packing it."""
