"""Wordings of speech, put into plainer ones before a request is parsed."""
