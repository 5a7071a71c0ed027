"""Contents of `domain.toml` as values."""
