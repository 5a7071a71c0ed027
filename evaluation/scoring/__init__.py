"""Systems on a test: rates, intervals, significance, pages."""
