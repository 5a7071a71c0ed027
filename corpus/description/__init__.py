"""Descriptions of a corpus as a whole, in the forms in which it is found, cited, licensed and deposited: all from one model."""
