"""The domain model, read from `domain.toml`."""
