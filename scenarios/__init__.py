"""Domains that ship: databases, English, scenarios."""
