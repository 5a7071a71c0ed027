"""Hold to talk: the button, its words, and the releases of keys that not every terminal reports."""
