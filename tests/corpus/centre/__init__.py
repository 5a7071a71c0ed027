"""Tests of the data centre."""
