"""What a study states once stands in every description of its packages, in the terms of each."""

import csv
import io
from pathlib import Path
from xml.etree.ElementTree import fromstring

import msgspec
import pytest

from corpus.commands.merge import MergeOptions, merge_command
from corpus.dataset.reader import Corpus
from corpus.description.corpus_metadata import described
from corpus.export.madcow import export
from corpus.export.session_files import ExportOptions
from corpus.formats.errors import FormatFault
from session.study.metadata import Creator, Metadata
from tests.corpus.corpora import session_of
from tests.corpus.packages.described import STATED, described_corpus
from tests.corpus.packages.packed import pack
from tests.corpus.sessions import MemorySource


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("described")
    return pack(described_corpus(folder / "corpus"), folder / "csv", "csv")


def _json(path: Path) -> dict[str, object]:
    found = msgspec.json.decode(path.read_bytes())
    assert isinstance(found, dict)
    return found


def test_every_description_has_title_licence_creator_and_day(package: Path) -> None:
    paths = ["CITATION.cff", "croissant.json", "ro-crate-metadata.json"]
    paths += [f"metadata/{name}" for name in ("schema.org.jsonld", "datacite.xml", "corpus.cmdi")]
    for path in paths:
        text = (package / path).read_text("utf-8")
        for part in ("Flights by voice", "CC-BY-4.0", "Carberry", "10.5555/12345678", "2026-12-01"):
            assert part in text or (part == "2026-12-01" and "<publicationYear>2026<" in text), (path, part)
    datasheet = (package / "DATASHEET.md").read_text("utf-8")
    assert "* licence: CC-BY-4.0" in datasheet
    assert "* ethics approval: Board of Brown, 7/26" in datasheet
    assert "this package has no licence" not in datasheet


def test_datacite_and_cmdi_are_well_formed_and_name_people_apart(package: Path) -> None:
    space = "{http://datacite.org/schema/kernel-4}"
    root = fromstring((package / "metadata/datacite.xml").read_text("utf-8"))
    names = [(node.text, node.get("nameType")) for node in root.iter(f"{space}creatorName")]
    assert names == [("Carberry, Josiah", "Personal"), ("Institute of Speech", "Organizational")]
    assert [node.text for node in root.iter(f"{space}description")][-1] == f"To be cited: {STATED['citation']}"
    cmdi = fromstring((package / "metadata/corpus.cmdi").read_text("utf-8"))
    terms = [node.tag.rpartition("}")[2] for node in cmdi.iter() if "profiles" in node.tag][1:]
    assert terms == sorted(terms)


def test_an_ro_crate_says_who_recorded_and_released(package: Path) -> None:
    graph = _json(package / "ro-crate-metadata.json")["@graph"]
    assert isinstance(graph, list)
    by_id = {entity["@id"]: entity for entity in graph}
    assert len(by_id) == len(graph)
    assert by_id["#recording"]["agent"] == [{"@id": "#organization-bbn"}, {"@id": "#person-w2"}]
    assert by_id["#release"]["agent"][0] == {"@id": "https://orcid.org/0000-0002-1825-0097"}
    wanted = {reference["@id"] for entity in graph for value in entity.values() for reference in _references(value)}
    assert wanted - {"https://w3id.org/ro/crate/1.1"} <= by_id.keys()


def _references(value: object) -> list[dict[str, str]]:
    found = value if isinstance(value, list) else [value]
    return [one for one in found if isinstance(one, dict) and set(one) == {"@id"}]


def test_croissant_and_datapackage_name_the_columns_that_are_there(package: Path) -> None:
    croissant, tables = _json(package / "croissant.json"), _json(package / "datapackage.json")
    header = next(csv.reader(io.StringIO((package / "turns.csv").read_text("utf-8"))))
    records = {record["name"]: record for record in croissant["recordSet"]}  # type: ignore[attr-defined]
    assert [field["name"] for field in records["turns"]["field"]] == header
    assert {one["@id"] for one in croissant["distribution"]} == {"turns.csv", "scenarios.csv"}  # type: ignore[attr-defined]
    assert tables["$schema"] == "https://datapackage.org/profiles/2.0/datapackage.json"
    assert tables["licenses"] == [{"name": "CC-BY-4.0", "path": "https://spdx.org/licenses/CC-BY-4.0"}]
    turns, _ = tables["resources"]  # type: ignore[misc]
    assert turns["schema"]["foreignKeys"][0]["reference"]["resource"] == "scenarios"  # type: ignore[has-type]


def test_merged_sites_stand_beside_each_other_and_nothing_stated_gives_nothing(tmp_path: Path) -> None:
    first = described_corpus(tmp_path / "bbn")
    other = Metadata(
        title="Trains", licence="CC0-1.0", creators=(Creator(name="Carberry, J.", orcid="0000-0002-1825-0097"),)
    )
    sri = MemorySource(session_of("sri", "9a1", "f", 1, 0.1))
    export(sri, tmp_path / "sri", ExportOptions(metadata={"sri": other}))
    out = io.StringIO()
    merged = MergeOptions((str(first), str(tmp_path / "sri")), str(tmp_path / "all"))
    assert merge_command(merged, out, out) == 0, out.getvalue()
    found = described(Corpus(tmp_path / "all"))
    assert found is not None
    assert (found.title, found.licence, found.doi) == ("Flights by voice / Trains", "CC-BY-4.0 AND CC0-1.0", "")
    assert [creator.name for creator in found.creators] == ["Carberry, Josiah", "Institute of Speech"]
    assert found.sites == ("bbn", "sri")
    export(sri, tmp_path / "plain")
    assert described(Corpus(tmp_path / "plain")) is None
    (tmp_path / "all/doc/metadata/sri.json").write_text('{"licence": "free"}')
    with pytest.raises(FormatFault, match="'free' is not an SPDX identifier"):
        described(Corpus(tmp_path / "all"))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("licence", "CC-BY"), ("language", "english"), ("contact", "Josiah"), ("doi", "https://doi.org/10.1/x"),
        ("published", "yesterday"),
    ],
)  # fmt: skip
def test_what_no_archive_would_take_is_refused(key: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"`{key}` '{value}'"):
        Metadata(**{key: value})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="check digit"):
        Creator(name="A", orcid="0000-0002-1825-0098")
