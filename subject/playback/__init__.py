"""Replies of the system, out of the loudspeaker, placed in samples."""
