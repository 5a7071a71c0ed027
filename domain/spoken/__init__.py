"""The spoken form of an answer: the rows of a table as natural sentences."""
