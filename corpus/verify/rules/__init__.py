"""The rules of `curtain verify`, in one catalogue and one module a subject."""
