"""A session in its study: opening, recordings, erasure, locks."""
