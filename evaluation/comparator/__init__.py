"""One answer against one reference: the search for a mapping of columns."""
