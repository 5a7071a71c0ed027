"""The domain's database: built from a generator, sealed, versioned."""
