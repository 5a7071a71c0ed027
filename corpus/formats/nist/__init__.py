"""Formats of NIST's scoring tools."""
