"""Spelling of the names in a statement, as PostgreSQL will read them.

PostgreSQL folds only the letters of ASCII and cuts names to 63 bytes. Whoever folds or keeps more takes two names for one or
one for two, and a column that PostgreSQL then does not find is a function to it (`row.function`). A word such as
`current_role` that stands without quotes is not a name at all. So every name is spelt out here, in quotes, before any is
looked up, and the server reads no other.
"""

from string import ascii_lowercase, ascii_uppercase

from sqlglot import exp

from session.values.answers import FailureKind, QueryFailure

_LONGEST_NAME = 63  # bytes
_FOLDED = str.maketrans(ascii_uppercase, ascii_lowercase)


def spell_names(tree: exp.Expression) -> None:
    """Put every name of a statement into quotes, in lower case unless it stood in quotes; raises `QueryFailure`."""
    for identifier in tree.find_all(exp.Identifier):
        name = identifier.name if identifier.args.get("quoted") else identifier.name.translate(_FOLDED)
        if len(name.encode()) > _LONGEST_NAME:
            raise QueryFailure(FailureKind.TOO_LARGE, f"The name {name[:40]}… is too long; use a shorter one.")
        identifier.set("this", name)
        identifier.set("quoted", True)


def as_typed(node: exp.Expression) -> str:
    """Return part of a statement for people to read: names that need no quotes stand without."""
    shown = node.copy()
    for identifier in shown.find_all(exp.Identifier):
        identifier.set("quoted", not identifier.name.isidentifier())
    return shown.sql("postgres")
