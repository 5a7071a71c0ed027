"""Signs that withhold a reading, and the alternatives offered beside or instead of it."""
