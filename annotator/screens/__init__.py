"""The transcription desk's screens."""
