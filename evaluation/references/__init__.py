"""Reference answers from SQL: minimal and maximal."""
