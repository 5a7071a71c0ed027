"""Tests of references to what was shown."""
