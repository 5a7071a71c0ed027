"""Documents that a centre hands out with every release: Principles, the Common Answer Specification, database, comparator.

Everything by which an answer is judged goes to everybody, in the version that is in force, so that a site's own scoring and the
centre's give the same (MADCOW 1992, section 3; Boisen et al. 1989).
"""

import ast
import inspect
from collections.abc import Iterator, Mapping
from importlib import resources
from importlib.metadata import version

from corpus.centre.ledger import Centre
from corpus.formats import cas, cat
from corpus.io.staging import Refused
from domain.commands.principles import document
from domain.principles import PrinciplesError, load, load_all
from evaluation.comparator.options import Options


def documents_of(centre: Centre) -> Mapping[str, bytes]:
    """The documents by their names below `documents/`; raises `Refused` if `centre.toml` names what is not there."""
    return dict(_documents(centre))


def _documents(centre: Centre) -> Iterator[tuple[str, bytes]]:
    own = centre.folder / "documents"
    for path in sorted(path for path in own.rglob("*") if path.is_file() and not path.is_symlink()):
        yield path.relative_to(own).as_posix(), path.read_bytes()
    yield "cas.txt", f"{inspect.getdoc(cas)}\n\n{inspect.getdoc(cat)}\n".encode()
    yield "comparator.txt", _comparator().encode()
    settings = centre.settings
    if settings.domain:
        folder = centre.folder / settings.domain
        try:
            names = [settings.principles] if settings.principles else [*load_all(folder)]
            if not names:
                raise Refused(
                    f"centre.toml: domain: {folder} has no Principles; name the folder in which domain.toml lies"
                )
            for name in names:
                yield f"principles_{name}.md", ("\n".join(document(load(folder, name))) + "\n").encode()
        except (PrinciplesError, OSError) as error:
            raise Refused(f"centre.toml: domain: {error}") from None
    if settings.database:
        from domain.database.schema_document import SchemaError, contents_of, schema_of  # takes long to load

        try:
            yield "schema.txt", schema_of(settings.database).encode()
            yield from contents_of(settings.database)
        except SchemaError as error:
            raise Refused(f"centre.toml: database: {error}") from None


def _comparator() -> str:
    options = Options()
    lines = [
        f"Comparator: Curtain {version('curtain-woz')}",
        f"rules {options.rules.value}, tolerance {options.tolerance}, integers {options.integers.value}, "
        f"near {options.near.value}, alternatives {options.alternatives.value}",
        "The same program with the same options gives the same verdicts and the same bytes at every site: curtain score.",
        "",
        _comparison(),
        "",
    ]
    return "\n".join(lines)


def _comparison() -> str:
    """What the comparator says of itself; to load it with its arithmetic takes longer than the rest of a small release."""
    source = resources.files("evaluation.comparator").joinpath("comparison.py").read_text("utf-8")
    return ast.get_docstring(ast.parse(source)) or ""
