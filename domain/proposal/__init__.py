"""Checks of SQL that an outside engine proposes: paraphrased, compared with the request and with our own reading."""
