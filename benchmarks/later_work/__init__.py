"""Work on a corpus when the sessions are over: how fast its desks are, and all of it once."""
