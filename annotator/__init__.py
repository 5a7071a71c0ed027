"""The transcription desk."""
