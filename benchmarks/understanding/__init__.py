"""Benchmarks of the English front end's accuracy and honesty: additions to requests, dialogues, paraphrase against SQL,
confidence."""
