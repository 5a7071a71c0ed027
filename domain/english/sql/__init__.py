"""SQL generation: from meaning to statement."""
