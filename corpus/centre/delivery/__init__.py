"""A delivery: packed at a site, and received, verified, mended or sent back at a centre."""
