"""The stream of a transcription: its events, its store, its state."""
