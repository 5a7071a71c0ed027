"""Agreement between people who judge the same things, and what their judgements say together."""
