"""Words, numbers, times and amounts."""
