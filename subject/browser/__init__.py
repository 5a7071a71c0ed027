"""The subject's desk as a page in a browser: its files, and the near end that decides what it shows."""
