"""Recognisers: engines behind one protocol, and what makes them know a study's domain."""
