"""The work of `curtain ask` and `curtain learn`."""
