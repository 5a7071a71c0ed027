"""File formats, one module each, with parser and writer."""
