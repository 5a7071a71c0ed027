"""What `domain.toml` says, as values."""
