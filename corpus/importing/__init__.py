"""Recordings and transcriptions that were made elsewhere, as a corpus."""
