"""The spoken form of an answer: rows of a table as sentences that people would say."""
