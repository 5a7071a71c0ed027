"""What holds for all tests: the same cases on every machine, and no verdict by the clock."""

from hypothesis import settings

settings.register_profile("curtain", deadline=None, derandomize=True, database=None)
settings.load_profile("curtain")
