"""Two people of one id are noticed where corpora come together, and one person who came twice never is."""

import io
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from corpus.commands.export import ExportRequest, export_command
from corpus.commands.merge import MergeOptions, merge_command
from corpus.dataset.reader import Corpus
from corpus.formats.manifest import SessionEntry
from corpus.formats.spkrinfo import SpeakerInfo
from corpus.io.staging import Refused
from corpus.release.speaker_identity import doubts
from tests.corpus.corpora import second_visit, session_of
from tests.corpus.studies import fill, made_study


def site(session: str, numbers: tuple[int, ...], origin: str = "", **about: Any) -> Any:
    """What is looked at of a corpus with one session of 8k1."""
    entry = SessionEntry(session, "bbn", "8k1", "", numbers, "", False, False, 1.0, "", origin=origin)
    manifest = SimpleNamespace(sessions=(entry,))
    info = SpeakerInfo("8k1", **about)
    return SimpleNamespace(root=Path(session), manifest=manifest, speakers=lambda: {"8k1": info})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (site("bbn-20250101-1", (1, 2), "a"), site("bbn-20260101-1", (3, 4), "a")),
        (site("bbn-20250101-1", (1, 2)), site("bbn-20260101-1", (3, 4), "b")),
        (site("bbn-20250101-9", (1, 2)), site("bbn-20250101-10", (3,))),
        (site("bbn-20250101-1", (5,)), site("bbn-20260101-1", (9,))),
        (site("bbn-20250101-1", (), age=31), site("bbn-20250102-1", (), age=32)),
        (site("bbn-20200101-1", (1,), age=31), site("bbn-20260101-1", (2,), age=37)),
        (site("bbn-20200101-1", (1,), age=31), site("bbn-20260101-1", (2,), age=38)),
        (site("bbn-20200101-1", (1,), age=31), site("bbn-20260101-1", (2,))),
        (site("bbn-20250101-1", (1,), dialect="New  England"), site("bbn-20260101-1", (2,), dialect="new england ")),
        (site("bbn-20250101-1", (1,), sex="f"), site("bbn-20260101-1", (2,), dialect="Southern")),
        (site("bbn-20250101-1", (1,), "a", age=20, dialect="one"), site("bbn-20250102-1", (2,), "a", age=70, dialect="two")),
        (site("visit one", (5,), age=31), site("bbn-20261399-1", (1,), age=70)),
    ],
)  # fmt: skip
def test_one_person_who_came_twice_is_no_doubt(one: Any, other: Any) -> None:
    assert doubts([one, other]) == doubts([other, one]) == ()


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        (site("bbn-20250101-1", (1, 2), "a"), site("bbn-20260101-1", (3, 4), "b"), "come from two studies"),
        (site("bbn-20250101-1", (3, 4)), site("bbn-20260101-1", (1, 2), "b"), "has scenario 3 in session bbn-20250101-1, and"),
        (site("bbn-20250101-1", (1, 3)), site("bbn-20250101-2", (2,)), "though a study numbers on"),
        (site("bbn-20200101-1", (1,), age=31), site("bbn-20260101-1", (2,), age=31), "is 31 in bbn-20200101-1 and 31 in"),
        (site("bbn-20250101-1", (1,), age=31), site("bbn-20260101-1", (2,), age=40), "two people have one id, or"),
        (site("bbn-20250101-1", (1,), sex="f"), site("bbn-20260101-1", (2,), sex="m"), "is f in bbn-20250101-1 and m in"),
    ],
)  # fmt: skip
def test_two_people_of_one_id_are_refused_with_the_remedy(one: Any, other: Any, message: str) -> None:
    with pytest.raises(Refused, match=f"speaker 8k1 .*{message}.*curtain rename"):
        doubts([one, other])


def test_dialects_that_differ_are_told() -> None:
    pair = [site("bbn-20250101-1", (1,), dialect="Southern"), site("bbn-20260101-1", (2,), dialect="New England")]
    (message,) = doubts(pair)
    assert "the dialect Southern in bbn-20250101-1 and New England in bbn-20260101-1" in message


def exported(study: Path, target: Path, *sessions: str) -> str:
    assert export_command(ExportRequest(str(study), str(target), sessions=sessions), io.StringIO(), io.StringIO()) == 0
    return str(target)


def test_a_manifest_tells_which_study_of_a_site_a_session_is_of(tmp_path: Path) -> None:
    first, second = made_study(tmp_path / "first"), made_study(tmp_path / "second")
    visits = session_of("bbn", "8k8"), second_visit("8k8", "f", 2)
    for study in (first, second):
        for visit in visits:
            fill(study, visit)
    one, two = (exported(first, tmp_path / f"one-{visit.session}", visit.session) for visit in visits)
    other = exported(second, tmp_path / "other", visits[1].session)
    origins = [{entry.origin for entry in Corpus(Path(root)).manifest.sessions} for root in (one, two, other)]
    assert (origins[0] == origins[1], origins[0] & origins[2], [len(origin) for origin in origins]) == (
        True,
        set(),
        [1] * 3,
    )
    err = io.StringIO()
    assert merge_command(MergeOptions([one, two], str(tmp_path / "both")), io.StringIO(), err) == 0, err.getvalue()
    assert "bbn: 2 sessions of 1 speaker, " in err.getvalue()
    assert merge_command(MergeOptions([one, other], str(tmp_path / "no")), io.StringIO(), err) == 2
    assert "come from two studies" in err.getvalue()
    assert merge_command(MergeOptions([two, other], str(tmp_path / "no")), io.StringIO(), err) == 2
    assert f"have sessions of two studies under the one name {visits[1].session}" in err.getvalue()
    assert f"or leave {visits[1].session} out by exporting all others" in err.getvalue()
    assert not (tmp_path / "no").exists()
