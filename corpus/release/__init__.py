"""Who is held out, who is released."""
