"""Constructions of a request that say more than one condition at a time, one module a family."""
