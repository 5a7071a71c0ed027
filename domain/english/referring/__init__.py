"""References to what was shown: which list a number counts in, which row a question is repeated for."""
