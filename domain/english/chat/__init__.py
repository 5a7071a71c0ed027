"""Talk around a request: interjections, forms of address, and clauses about the speaker's own life."""
