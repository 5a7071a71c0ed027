"""The documents of the formats are held to the code: their tables, their examples and their links."""

import ast
import inspect
import re
from collections.abc import Callable

import pytest

from corpus.dataset import removals
from corpus.formats import cas, cat, com, layout, lexicon, lsn, sphere, spkrinfo, sql, squ, sro, win
from corpus.formats.log import log_schema, operator_wording, reply_wording, wording
from corpus.formats.log.log_keys import LogKey
from corpus.formats.sro import EVENTS
from corpus.release import holdout_file
from corpus.verify.rules.catalogue import ALL
from tests import ROOT

FORMATS = ROOT / "docs" / "reference" / "formats"


def document(name: str) -> str:
    return (FORMATS / name).read_text("utf-8")


def rows(text: str) -> set[tuple[str, ...]]:
    """The cells of all table rows."""
    lines = [line for line in text.splitlines() if line.startswith("|") and not line.startswith("| ---")]
    return {tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines}


def shape(rule: LogKey) -> str:
    return rule.kind.value + ("*" if rule.many else "?" if rule.optional else "")


def test_every_rule_stands_in_its_document_and_no_other() -> None:
    expected = {
        (f"`{rule.id}`", rule.severity.value, rule.meaning + " (s)" * rule.samples, rule.remedy) for rule in ALL
    }
    assert rows(document("rules.md")) - {("rule", "severity", "requirement", "remedy")} == expected


def test_the_schema_of_the_log_stands_in_its_document() -> None:
    header = {(f"`{rule.name}`", shape(rule), " ".join(rule.choices)) for rule in log_schema.HEADER}
    records = {
        (
            f"`{key}`" + " (h)" * (key in log_schema.ALWAYS_HIDDEN),
            "; ".join(f"`{attribute.name}` {shape(attribute)}" for attribute in rule.attributes),
        )
        for key, rule in log_schema.RECORDS.items()
    }
    titles = {("key", "value", "one of"), ("record", "attributes, in this order")}
    assert rows(document("log.md")) - titles == header | records


IMPORTED = "Recording_imported"  # no fact of a session: `curtain import` writes it


def test_the_schema_has_every_record_that_is_written_and_no_other() -> None:
    """An event whose record is missing from the schema would stop the export of the first session that has it."""
    sources = [ast.parse(inspect.getsource(module)) for module in (wording, operator_wording, reply_wording)]
    returned = [node.value for source in sources for node in ast.walk(source) if isinstance(node, ast.Return)]
    keys = {node.elts[0] for node in returned if isinstance(node, ast.Tuple)}
    assert {key.value for key in keys if isinstance(key, ast.Constant)} == {*log_schema.RECORDS} - {IMPORTED}


READERS: dict[str, Callable[[str, str], object]] = {
    "sro": sro.parse,
    "lsn": lsn.parse,
    "com": com.parse,
    "squ": squ.parse,
    "cat": cat.parse,
    "win": win.parse,
    "sql": sql.parse,
    "sq2": sql.parse_blocks,
    "cas": lambda text, path: cas.parse(text, source=path),
    "spkrinfo": spkrinfo.parse,
    "lexicon": lexicon.parse,
    "sphere": lambda text, path: sphere.parse_header(text.encode().ljust(1024), path),
}
EXAMPLES = [
    (path.name, kind, text)
    for path in sorted(FORMATS.glob("*.md"))
    for kind, text in re.findall(r"```(\w+)\n(.*?)```", path.read_text("utf-8"), re.DOTALL)
]


@pytest.mark.parametrize(("name", "kind", "text"), EXAMPLES)
def test_every_example_is_read(name: str, kind: str, text: str) -> None:
    assert READERS[kind](text, name)


def test_there_are_examples_of_every_kind() -> None:
    assert {kind for _, kind, _ in EXAMPLES} == set(READERS)


def test_the_lexical_example_is_derived_from_the_detailed_one() -> None:
    examples = {kind: text for _, kind, text in EXAMPLES}
    assert lsn.render(lsn.derive(sro.parse(examples["sro"], "sro.md"))).decode() == examples["lsn"]


@pytest.mark.parametrize("kind", sorted(layout.UNITS))
def test_every_type_of_file_has_its_document(kind: str) -> None:
    listed = re.search(rf"`\.{kind}`.*?\(([a-z]+\.md)\)", document("README.md"))
    assert listed
    assert f"`.{kind}`" in document(listed[1]).splitlines()[0]


def test_every_document_is_listed_and_every_link_leads_somewhere() -> None:
    listed = set(re.findall(r"\(([a-z]+\.md)\)", document("README.md")))
    assert listed | {"README.md"} == {path.name for path in FORMATS.glob("*.md")}
    for path in FORMATS.glob("*.md"):
        for link in re.findall(r"\]\(([^)#]+)\)", path.read_text("utf-8")):
            assert (path.parent / link).exists()


def test_every_event_of_the_transcription_stands_in_its_document() -> None:
    words = set(re.findall(r"[a-z_]+", document("sro.md")))
    assert words >= EVENTS


def test_every_tag_of_the_categories_and_every_column_of_the_speakers_is_told() -> None:
    assert not [tag for tag in cat.TAGS if tag not in document("cat.md")]
    assert not [column for column in spkrinfo.COLUMNS if f"`{column}`" not in document("spkrinfo.md")]


def test_every_file_beside_the_speech_stands_in_the_tree_of_names() -> None:
    names = document("names.md")
    files = (layout.SPEAKER_TABLE, layout.LEXICON, layout.MANIFEST, layout.README, layout.PROTOCOLS, layout.DRAFTS)
    assert not [
        path
        for path in (*files, layout.UNNUMBERED, removals.REMOVALS, holdout_file.IN_CORPUS)
        if f"    {path}" not in names
    ]


def test_no_document_claims_byte_compatibility() -> None:
    assert "no byte compatibility is claimed" in document("log.md")
    assert "claim no byte compatibility" in document("README.md")
