"""The figures of a corpus, as a page and as text."""
