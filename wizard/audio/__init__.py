"""The wizard's ear: jitter buffer, replay, drift."""
