"""Sets, assignments and the record of exports."""
