"""The transcription desk's widgets."""
