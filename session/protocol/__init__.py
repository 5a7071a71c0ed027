"""The wire without a socket: frames in, events and frames out."""
