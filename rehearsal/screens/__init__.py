"""Both desks' real screens on one terminal."""
