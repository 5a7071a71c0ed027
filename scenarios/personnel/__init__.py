"""The personnel database of 1989."""
