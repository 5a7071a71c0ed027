"""The fixed replies that ship."""
