"""Growth of a domain out of a study's own log: requests, proposals, lines of `domain.toml`."""
