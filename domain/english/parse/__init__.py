"""From words to meaning."""
