"""References for scoring: utterances as STM and TRN."""
