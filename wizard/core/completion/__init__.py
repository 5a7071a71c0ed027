"""Completion of what a wizard types: by menu, in SQL, with values of the domain and dates."""
