"""Whether the English front end says what it does: additions to requests, paraphrase against SQL, confidence against truth."""
