"""Templates filled from texts, or frames from requests, scored slot by slot; what a slot may hold is data."""
