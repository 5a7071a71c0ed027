"""The console without Textual: selection, queries, permissions, texts."""
