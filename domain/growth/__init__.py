"""Growth of a domain from a study's log: requests, proposals, lines of `domain.toml`."""
