"""Text normalization, and readers for numbers, times and amounts."""
