"""The parser: from words to meaning."""
