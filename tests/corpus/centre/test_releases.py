"""Releases: what is new or corrected, under a date, whose bytes never change; annotations come back by release."""

import hashlib
import io
import os
import shutil
import sqlite3
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from corpus.centre import facts as f
from corpus.centre.centre_folder import centre_command
from corpus.centre.centre_settings import template
from corpus.centre.centre_state import CentreState
from corpus.centre.delivery.arrivals import ReceiveOptions, receive_command
from corpus.centre.histories import history_command
from corpus.centre.release_listing import items, listings
from corpus.centre.releases import ReleaseOptions, release_command
from corpus.centre.weekly_report import weekly_command
from corpus.dataset.reader import Corpus
from corpus.formats import lexicon, pcm, sphere
from corpus.release.utterance_status import POOL, RELEASE
from evaluation.references.handouts import documents_of
from tests import ROOT
from tests.corpus.annotated import annotated
from tests.corpus.centre.world import World, answered, as_packed_before, initial, transcribe


def release(world: World, final: str = "") -> str:
    out, err = io.StringIO(), io.StringIO()
    assert release_command(ReleaseOptions(str(world.root), final), world.clock, out, err, documents_of) == 0, (
        err.getvalue()
    )
    world.err = err.getvalue()
    return out.getvalue().strip()


def of_set(world: World, which: str) -> list[str]:
    with world.centre() as centre:
        return sorted(speaker for speaker, own in CentreState(centre).sets.items() if own == which)


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    bbn = world.site("bbn", "8k1", "8k2", "8k3", "8k4", "8k5")
    assert world.receive(world.pack(bbn, "bbn.tar"))[0] == 0
    return world


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_release_has_the_text_of_who_is_not_held_out_and_is_made_once(world: World) -> None:
    name = release(world)
    assert name == "20261123"
    made = files(world.root / "releases" / name)
    (held,) = of_set(world, POOL)
    assert not any(path.endswith(".wav") or f"/{held}/" in path for path in made)
    assert sum(path.endswith(".sro") for path in made) == 28
    assert {f"doc/lexicon.doc.{name}", "documents/cas.txt", "documents/comparator.txt", "changes.txt"} <= made.keys()
    assert any(path.startswith("doc/protocol/") for path in made)
    assert b'license:\n  - "CC-BY-4.0"' in made["CITATION.cff"]
    assert {"croissant.json", "ro-crate-metadata.json", "metadata/datacite.xml"} <= made.keys()
    assert made["classes.txt"].split()[-1] == b"28"
    assert held.encode() not in made["doc/spkrinfo.log"]
    assert release(world) == name
    assert "nothing is new since 20261123" in world.err
    assert files(world.root / "releases" / name) == made


def test_nothing_is_released_that_nobody_could_cite_or_has_a_licence_for(world: World) -> None:
    toml = world.root / "centre.toml"
    toml.write_text(toml.read_text().replace('licence = "CC-BY-4.0"', "").replace('title = "Flights by voice"', ""))
    err = io.StringIO()
    assert release_command(ReleaseOptions(str(world.root)), world.clock, io.StringIO(), err) == 2
    assert "nothing is released without title, licence: write it under [metadata]" in err.getvalue()
    assert not any((world.root / "releases").glob("*"))


def test_the_lines_that_a_new_centre_has_to_be_filled_in_are_all_that_a_release_asks_for(world: World) -> None:
    toml = world.root / "centre.toml"
    shown = template("nist").partition("[metadata]\n")
    assert all(line.startswith("# ") for line in shown[2].splitlines())
    toml.write_text("".join(shown[:2]) + shown[2].replace("# ", ""))
    assert b"Carberry" in files(world.root / "releases" / release(world))["CITATION.cff"]


def test_a_corrected_item_is_released_again_and_the_old_one_stays_with_who_made_it(world: World) -> None:
    first = release(world)
    before = files(world.root / "releases" / first)
    path = next(path for path in sorted(before) if path.endswith("1sx.sro"))
    root = world.root / "deliveries/bbn_1"
    transcribe(root, path.rpartition("/")[2].partition(".")[0], "nist", "list airlines")
    world.next_day()
    second = release(world)
    assert second == "20261124"
    again = files(world.root / "releases" / second)
    assert again[path] == b"list airlines\n"
    assert f"corrected\t{path}\t" in again["changes.txt"].decode()
    assert files(world.root / "releases" / first) == before
    words = {word for word, _ in lexicon.parse(again[f"doc/lexicon.doc.{second}"], "").counts}
    assert {word for word, _ in lexicon.parse(before[f"doc/lexicon.doc.{first}"], "").counts} | {
        "list",
        "airlines",
    } == words
    with world.centre() as centre:
        item = items(listings(centre, CentreState(centre)))[path]
        assert (item.release, item.entry.work.transcriber if item.entry.work else "") == (second, "nist")


def test_annotations_come_back_by_release_and_make_its_items_preliminary_then_final(
    world: World, tmp_path: Path
) -> None:
    first = release(world)
    held = of_set(world, POOL)[0]
    speaker = next(name for name in Corpus(tmp_path / "bbn").speakers() if name != held)
    made = annotated(tmp_path / "bbn", answered(speaker))
    world.next_day()
    assert world.receive(world.pack(made, "ann.tar", annotations=first)) == (0, "ann_1\taccepted"), world.err
    assert world.receive(world.pack(made, "same.tar", annotations=first)) == (0, "ann_1\tknown"), world.err
    second = release(world)
    again = files(world.root / "releases" / second)
    assert {path.rpartition(".")[2] for path in again if path.startswith("spon")} == {
        "cat",
        "win",
        "sql",
        "sq2",
        "ref",
        "rf2",
    }
    assert f"{speaker}011sx" in again["doc/prelim.ndx"].decode()
    assert again["classes.txt"].decode().splitlines()[1].split()[1:4] == ["1", "100.0", "%"]
    world.next_day()
    third = release(world, final=second)
    assert f"{speaker}011sx" in (world.root / "releases" / third / "doc/final.ndx").read_text()
    broken = annotated(tmp_path / "bbn-annotated", {f"spon/{speaker}/1/{speaker}011sx.ref": b"((1\n"})
    assert world.receive(world.pack(broken, "bad.tar", annotations=first)) == (1, "ann_2\treturned")
    assert "ref.form" in (world.root / "returned/ann_2.txt").read_text()
    with world.centre() as centre:
        assert [fact.errors > 0 for fact in centre.facts(f.AnnotationsReceived)] == [False, True]


def test_annotations_of_words_that_were_corrected_meanwhile_are_named_and_left_out(
    world: World, tmp_path: Path
) -> None:
    first = release(world)
    held = of_set(world, POOL)[0]
    who = next(name for name in Corpus(tmp_path / "bbn").speakers() if name != held)
    transcribe(world.root / "deliveries/bbn_1", f"{who}011sx", "nist", "list airlines")
    world.next_day()
    second = release(world)
    both = annotated(tmp_path / "bbn", answered(who) | answered(who, "02"))
    assert world.receive(world.pack(both, "ann.tar", annotations=first, site="sri")) == (0, "ann_1\taccepted")
    assert "6 files; left out, for their words or sound were corrected since, to be made again: " in world.err
    assert f"spon/{who}/1/{who}011sx.win" in world.err
    world.next_day()
    made = files(world.root / "releases" / release(world))
    assert {path[-12:-4] for path in made if path.endswith(".win")} == {f"{who}021sx"[-8:]}
    out = io.StringIO()
    assert history_command(str(world.root), f"{who}011sx", world.clock, out, out) == 0
    assert f"annotated by sri in ann_1 on words or sound that were corrected since {first}" in out.getvalue()
    shutil.rmtree(both)
    old = annotated(tmp_path / "bbn", answered(who))
    assert world.receive(world.pack(old, "old.tar", annotations=first, site="sri")) == (1, "ann_2\treturned")
    assert "has other words or sound since" in (world.root / "returned/ann_2.txt").read_text()
    assert world.receive(world.pack(old, "new.tar", annotations=second, site="sri"))[0] == 0


@pytest.mark.parametrize("of", [RELEASE, POOL])
@pytest.mark.parametrize("kind", ["wav", "log"])
def test_annotations_whose_sound_or_log_was_corrected_meanwhile_are_named(
    world: World, tmp_path: Path, kind: str, of: str
) -> None:
    first = release(world) if of == RELEASE else POOL
    since = first if of == RELEASE else "they were made"
    who = of_set(world, of)[0]
    again = initial(tmp_path / "bbn", tmp_path / "again")
    corrected(again, who, kind)
    assert world.receive(world.pack(again, "again.tar")) == (0, "bbn_2\tfixed"), world.err
    both = annotated(tmp_path / "bbn", answered(who) | answered(who, "02"))
    assert world.receive(world.pack(both, "ann.tar", annotations=first, site="sri")) == (0, "ann_1\taccepted")
    first_of, second_of = (f"spon/{who}/1/{who}{number}1sx" for number in ("01", "02"))
    with world.centre() as centre:
        fact = centre.last(f.AnnotationsReceived)
        assert fact is not None
        assert {path.partition(".")[0] for path in fact.dropped} == ({first_of} if kind == "wav" else set())
        assert {path.partition(".")[0] for path in fact.other_log} == {second_of} | (
            {first_of} if kind == "log" else set()
        )
    told = "left out, for their words or sound were" if kind == "wav" else "taken in, but look at them, for the log was"
    assert f"; {told} corrected since" in world.err
    assert f"{first_of}.win" in world.err
    out = io.StringIO()
    assert history_command(str(world.root), f"{who}011sx", world.clock, out, out) == 0
    on = "words or sound that were" if kind == "wav" else "a log that was"
    assert f"annotated by sri in ann_1 on {on} corrected since {since}" in out.getvalue()
    assert weekly_command(str(world.root), "", world.clock, out, out) == 0
    word = "to be made again, for words or sound were" if kind == "wav" else "to be looked at, for the log was"
    assert f"{word} corrected since: " in out.getvalue()


@pytest.mark.parametrize("is_old", [True, False])
def test_annotations_of_an_older_version_that_do_not_say_on_what_they_were_made_are_named(
    world: World, tmp_path: Path, is_old: bool
) -> None:
    who = of_set(world, POOL)[0]
    packed = world.pack(annotated(tmp_path / "bbn", answered(who)), "ann.tar", annotations=POOL, site="sri")
    archive = as_packed_before(packed, tmp_path / "old.tar") if is_old else packed
    assert world.receive(archive) == (0, "ann_1\taccepted"), world.err
    assert ("they do not say on what they were made" in world.err) is is_old
    out = io.StringIO()
    assert history_command(str(world.root), f"{who}011sx", world.clock, out, out) == 0
    assert ("annotated by sri in ann_1, which does not say on what" in out.getvalue()) is is_old
    assert weekly_command(str(world.root), "", world.clock, out, out) == 0
    assert ("to be looked at, for they do not say on what they were made: ann_1" in out.getvalue()) is is_old


def corrected(corpus: Path, speaker: str, kind: str) -> None:
    """Correct the sound of a speaker's first utterance in initial data, with the seal of it in the log, or this log alone."""
    (log,) = corpus.glob(f"spon/{speaker}/1/*.log")
    text = log.read_text()
    if kind == "log":
        log.write_text(text.replace("[Title:] Two interviews", "[Title:] Three interviews"))
        return
    wave = corpus / f"spon/{speaker}/1/{speaker}011ss.wav"
    file = sphere.parse(wave.read_bytes(), wave.name)
    data = b"\x07\x00" + file.data[2:]
    right = {"sample_checksum": pcm.checksum(data, 2, big_endian=False)}
    fields = tuple((name, right.get(name, value)) for name, value in file.header.fields)
    wave.write_bytes(sphere.render_header(sphere.SphereHeader(fields, file.header.size)) + data)
    before, after = (hashlib.sha256(some).hexdigest() for some in (file.data, data))
    assert before in text
    log.write_text(text.replace(before, after))


def test_what_is_final_is_told_by_one_release_however_often_it_is_declared(world: World) -> None:
    first = release(world)
    assert release(world, final=first) == f"{first}b"
    assert release(world, final=first) == f"{first}b"
    assert "nothing is new" in world.err
    assert (world.root / f"releases/{first}/bug_rpts/open.txt").read_text() == ";; 0 open\n"
    with world.centre() as centre:
        centre.record(f.ReleaseFinal(release=f"{first}b"))  # and killed before the release
    assert release(world) == f"{first}c"
    assert release(world) == f"{first}c"


def test_documents_that_changed_go_out_though_no_item_is_new_and_are_told_file_by_file(world: World) -> None:
    guide = world.root / "documents/guide.txt"
    guide.write_text("Morning ends at noon.\n")
    first = release(world)
    assert release(world) == first
    guide.write_text("Morning ends at eleven.\n")
    world.next_day()
    second = release(world)
    assert f"{second}: 0 new items, 0 corrected, 1 document changed; to" in world.err
    made = files(world.root / "releases" / second)
    assert made["documents/guide.txt"] == b"Morning ends at eleven.\n"
    _, told = made["changes.txt"].decode().splitlines()
    assert told.startswith("corrected\tdocuments/guide.txt\t")
    assert told.endswith(f"\t{first}")
    assert files(world.root / "releases" / first)["documents/guide.txt"] == b"Morning ends at noon.\n"
    guide.unlink()
    world.next_day()
    third = release(world)
    assert "gone\tdocuments/guide.txt" in (world.root / "releases" / third / "changes.txt").read_text()
    assert release(world) == third


def test_a_byte_of_a_release_that_changed_is_told(world: World, tmp_path: Path) -> None:
    name = release(world)
    path = world.root / "releases" / name / "classes.txt"
    out, err = io.StringIO(), io.StringIO()
    assert centre_command(str(world.root), world.clock, out, err) == 0
    assert f"releases {name}" in out.getvalue()
    path.chmod(0o644)
    path.write_bytes(b"other\n")
    os.utime(path)
    assert centre_command(str(world.root), world.clock, out, err) == 1
    assert "classes.txt is not as it was released" in err.getvalue()
    assert "never released" not in err.getvalue()
    (path.parent / "doc/notes.txt").write_text("all of them are right\n")
    (path.parent / "more").symlink_to(tmp_path)
    assert centre_command(str(world.root), world.clock, out, err) == 1
    assert err.getvalue().count("was never released; take it away") == 2


def test_principles_schema_and_database_go_with_a_release(world: World) -> None:
    with sqlite3.connect(world.root / "air.sqlite") as database:
        database.execute("CREATE TABLE flight (flight_id INTEGER PRIMARY KEY, stops INTEGER NOT NULL)")
        database.execute("INSERT INTO flight VALUES (1, 0)")
    database.close()
    toml = world.root / "centre.toml"
    text = toml.read_text().replace('domain = ""', f'domain = "{ROOT / "scenarios/air_travel"}"')
    toml.write_text(text.replace('database = ""', f'database = "sqlite:///{world.root}/air.sqlite"'))
    made = files(world.root / "releases" / release(world))
    assert "flight_id: INTEGER, key" in made["documents/schema.txt"].decode()
    assert made["documents/database.sqlite"][:6] == b"SQLite"
    assert any(path.startswith("documents/principles_") for path in made)


def test_a_release_says_what_it_lacks_and_takes_no_folder_without_principles(world: World) -> None:
    toml, out, err = world.root / "centre.toml", io.StringIO(), io.StringIO()
    plain = toml.read_text()
    toml.write_text(plain.replace('domain = ""', f'domain = "{ROOT / "scenarios"}"'))
    assert release_command(ReleaseOptions(str(world.root)), world.clock, out, err, documents_of) == 2
    assert "has no Principles" in err.getvalue()
    toml.write_text(plain)
    assert release_command(ReleaseOptions(str(world.root)), world.clock, out, err, documents_of) == 0
    assert "without Principles: centre.toml names no domain" in err.getvalue()
    assert "without schema and database: centre.toml names no database" in err.getvalue()


def test_processes_or_a_cluster_release_the_same_bytes(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def released(**more: Any) -> tuple[int, str]:
        out, err = io.StringIO(), io.StringIO()
        options = msgspec.structs.replace(ReleaseOptions(str(world.root)), **more)
        return release_command(options, world.clock, out, err), err.getvalue() or out.getvalue()

    monkeypatch.setitem(sys.modules, "distributed", None)
    assert released(jobs=2, cluster="tcp://127.0.0.1:9")[0] == 2
    assert "the extra dask is not installed" in released(cluster="tcp://127.0.0.1:9")[1]
    assert not [*(world.root / "releases").iterdir()]
    shutil.copytree(world.root, world.folder / "other")
    assert released(jobs=1)[0] == 0
    alone = files(world.root / "releases")
    shutil.rmtree(world.root)
    (world.folder / "other").rename(world.root)
    assert released(jobs=2)[0] == 0
    assert files(world.root / "releases") == alone


@pytest.mark.dask
def test_a_cluster_receives_and_releases_what_one_process_does(world: World, cluster: str) -> None:
    whole = list[dict[str, bytes]]()
    archive = world.pack(world.site("att", "a01", "a02"), "att.tar")
    shutil.copytree(world.root, world.folder / "other")
    for at in ("", cluster):
        received = ReceiveOptions(str(world.root), str(archive), cluster=at)
        assert receive_command(received, world.clock, io.StringIO(), io.StringIO()) == 0
        assert (
            release_command(ReleaseOptions(str(world.root), cluster=at), world.clock, io.StringIO(), io.StringIO()) == 0
        )
        whole.append(files(world.root / "deliveries") | files(world.root / "releases"))
        shutil.rmtree(world.root)
        if not at:
            (world.folder / "other").rename(world.root)
    assert whole[0] == whole[1]


def test_nothing_is_released_upon_a_release_whose_words_were_changed(world: World) -> None:
    first = release(world)
    assert world.receive(world.pack(world.site("att", "a01", "a02"), "att.tar"))[0] == 0
    changed = next((world.root / f"releases/{first}").rglob("*.sro"))
    changed.chmod(0o644)
    changed.write_bytes(b"somebody else said this\n")
    world.next_day()
    err = io.StringIO()
    assert release_command(ReleaseOptions(str(world.root)), world.clock, io.StringIO(), err) == 2
    assert f"{changed} is not as it was released" in err.getvalue()
