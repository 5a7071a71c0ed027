"""What people say around a request: interjections, forms of address, and clauses about their own lives."""
