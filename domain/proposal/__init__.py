"""Check of SQL that an outside engine proposes: said in English, held against the request and against our own reading."""
