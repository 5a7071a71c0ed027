"""Whether the English front end says what it does: additions to requests, dialogues, paraphrase against SQL, confidence."""
