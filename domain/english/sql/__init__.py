"""From meaning to a statement."""
