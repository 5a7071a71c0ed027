"""The air-travel domain: the generator of its database, its scenarios, its words.

The relational shape is the one that the DARPA community used from 1990 on; every row is invented here, from a seed.
"""
