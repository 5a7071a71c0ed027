"""Check of SQL that an outside engine proposes: said in English, compared with the request and against our own reading."""
