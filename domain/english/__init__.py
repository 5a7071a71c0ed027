"""Translation of English requests to SQL, for any domain described by a domain folder. The entry point is `engine.Engine`."""
