"""The work of `curtain cas`, `compare`, `answers`, `score` and `luck`."""
