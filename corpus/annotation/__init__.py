"""The transcription desk's work: submitted texts, masks, drafts."""
