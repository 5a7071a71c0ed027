"""By whatever way something leaves the lab: no sound of who agreed to text alone, and nothing of who did not agree to text."""

import io
from pathlib import Path

import msgspec
import pytest

from corpus.commands.export import FORMATS, export_command
from corpus.commands.holdout import Drawing, holdout_command
from corpus.commands.merge import merge_command
from corpus.commands.report import report_command, stats_command
from rehearsal.replay import replay_command
from session import events as e
from tests.corpus.corpora import session_of
from tests.corpus.searching import holding, of_sound, of_text
from tests.corpus.sessions import Script
from tests.corpus.studies import fill, made_study

SAID = "the walrus of Omaha"


def agreeing(speaker: str, number: int, **scopes: bool) -> Script:
    """A session in which what is typed is SAID and the speaker's id, by somebody who agreed to this much at last."""
    script = session_of("bbn", speaker, number=number, stretch=0.3)
    for at, each in enumerate(script.facts):
        if isinstance(each.event, e.Transcribed | e.NoteWritten | e.QuerySubmitted):
            event = msgspec.structs.replace(each.event, text=f"{SAID} {speaker}")
            script.facts[at] = msgspec.structs.replace(each, event=event)
    last = script.facts.pop()
    agreed = {"record": True, "transcribe": True, "publish_audio": True, "publish_text": True} | scopes
    script.add(e.ConsentConfirmed(at=script.desk(), version="2", sha256="d4" * 32, scopes=agreed), "subject")
    script.facts.append(msgspec.structs.replace(last, seq=len(script.facts) + 1))
    return script


ALL, TEXT_ONLY, NO_TEXT = (
    agreeing("8k1", 1),
    agreeing("8k2", 2, publish_audio=False),
    agreeing("8k3", 3, publish_text=False),
)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = made_study(tmp_path_factory.mktemp("consent") / "study")
    for script in (ALL, TEXT_ONLY, NO_TEXT):
        fill(folder, script)
    return folder


def check(*roots: Path) -> None:
    """The way must be one by which something leaves at all."""
    said = {*of_text(f"{SAID} 8k3"), b"8k3"}
    sound = {*of_sound(TEXT_ONLY), *of_sound(NO_TEXT)}
    assert sorted(holding(roots, {*said, *sound})) == []
    assert holding(roots, [b"8k2"]), "who agreed to text is there"


@pytest.mark.parametrize("form", FORMATS)
def test_no_format_has_more_than_was_agreed_to(study: Path, tmp_path: Path, form: str) -> None:
    out, err = io.StringIO(), io.StringIO()
    unnumbered = form in ("sphere", "riff")
    assert export_command(str(study), str(tmp_path / "it"), form, unnumbered, (), out, err) in (0, 1)
    sounding = form not in ("trn", "stm", "csv")
    assert bool(holding([tmp_path], of_sound(ALL))) is sounding, "the search must be able to find"
    if form in ("kaldi", "audiofolder", "lhotse"):  # these are of sound alone
        assert sorted(holding([tmp_path], {*of_sound(TEXT_ONLY), *of_sound(NO_TEXT), b"8k3"})) == []
        return
    check(tmp_path)


def test_parts_mergers_pages_and_figures_of_a_corpus_have_no_more_than_that(study: Path, tmp_path: Path) -> None:
    out, err = io.StringIO(), io.StringIO()
    whole, made = tmp_path / "whole", tmp_path / "made"
    made.mkdir()
    assert export_command(str(study), str(whole), "sphere", True, (), out, err) in (0, 1)
    assert merge_command([str(whole)], str(made / "merged"), out, err) == 0
    holdout_command(
        str(whole), Drawing("", str(tmp_path / "sets"), str(made / "release"), str(made / "pool")), out, err
    )
    assert report_command(str(whole), str(made / "page.html"), out, err) == 0
    assert stats_command(str(whole), True, out, err) == 0
    (made / "told.txt").write_text(out.getvalue() + err.getvalue(), "utf-8")
    assert {path.name for path in made.iterdir()} >= {"merged", "page.html", "told.txt"}
    check(made)


def test_an_export_that_fails_leaves_nothing_of_them_behind(study: Path, tmp_path: Path) -> None:
    err = io.StringIO()
    names = (NO_TEXT.session,)
    assert export_command(str(study), str(tmp_path / "kaldi"), "kaldi", False, names, io.StringIO(), err) == 2
    assert list(tmp_path.iterdir()) == []
    assert SAID not in err.getvalue()


def test_a_replay_shows_and_keeps_nothing_but_what_it_prints(study: Path) -> None:
    """It is for the lab itself: nothing is written, so that nothing can leave."""
    before = sorted(path for path in study.rglob("*"))
    replay_command(str(study), NO_TEXT.session, 0, io.StringIO(), io.StringIO())
    assert sorted(path for path in study.rglob("*")) == before
