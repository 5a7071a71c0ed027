"""The lobby: one address at which those who were invited wait until a visit can begin."""
