"""English requests to SQL, for any domain that a folder describes. `engine.Engine` is the way in."""
