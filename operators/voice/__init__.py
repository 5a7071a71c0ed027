"""Voices: from the text of a reply to the sound that the subject hears."""
