"""By whatever way something leaves the lab: no sound of who agreed to text alone, and nothing of who did not agree to text."""

import io
from pathlib import Path

import msgspec
import pytest

from corpus.commands.export import ExportRequest, export_command
from corpus.commands.holdout import HoldoutOptions, holdout_command
from corpus.commands.merge import MergeOptions, merge_command
from corpus.commands.report import ReportOptions, StatsOptions, report_command, stats_command
from corpus.commands.sessions import SessionsOptions, sessions_command
from corpus.packages.formats import SOUNDING, ExportFormat, WaveformFormat
from corpus.verify.verify import verify
from rehearsal.replay import replay_command
from session import events as e
from session.state.fold import fold
from session.values.clock import ManualClock
from session.values.consent import ConsentScope
from subject.core.visit_stations import Visit
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.packages.packed import SOUNDLESS, WRITABLE, toy_database
from tests.corpus.searching import holding, of_sound, of_text
from tests.corpus.sessions import Script
from tests.corpus.studies import fill, made_study
from tests.corpus.verify import broken

SAID = "the walrus of Omaha"


def agreeing(speaker: str, number: int, **scopes: bool) -> Script:
    """A session in which what is typed is SAID and the speaker's id, by somebody who agreed to this much at last."""
    script = session_of("bbn", speaker, number=number, stretch=0.3)
    for at, fact in enumerate(script.facts):
        if isinstance(fact.event, e.Transcribed | e.NoteWritten | e.QuerySubmitted):
            event = msgspec.structs.replace(fact.event, text=f"{SAID} {speaker}")
            script.facts[at] = msgspec.structs.replace(fact, event=event)
    last = script.facts.pop()
    form = Visit(ManualClock(), lambda: fold(script.facts), lambda fact: script.add(fact, "subject"))
    form.consent(dict.fromkeys(ConsentScope, True) | scopes, "d4" * 32)
    given = script.facts[-1]
    script.facts[-1] = msgspec.structs.replace(given, event=msgspec.structs.replace(given.event, at=script.desk()))
    script.facts.append(msgspec.structs.replace(last, seq=len(script.facts) + 1))
    return script


ALL, TEXT_ONLY = agreeing("8k1", 1), agreeing("8k2", 2, publish_audio=False)
NO_TEXT = agreeing("8k3", 3, publish_text=False)
NO_WORDS = agreeing("8k4", 4, transcribe=False)
NO_RECORDING = agreeing("8k5", 5, record=False)
NO_CONTACT = agreeing("8k6", 6, contact=False)
EXCLUDED = {"8k3": NO_TEXT, "8k4": NO_WORDS, "8k5": NO_RECORDING}


WITHHELD_SOUND = {piece for script in (TEXT_ONLY, *EXCLUDED.values()) for piece in of_sound(script)}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = made_study(tmp_path_factory.mktemp("consent") / "study")
    for script in (ALL, TEXT_ONLY, NO_CONTACT, *EXCLUDED.values()):
        fill(folder, script)
    return folder


def check(*roots: Path) -> None:
    """The way must be one by which something leaves at all."""
    said = {needle for speaker in EXCLUDED for needle in (*of_text(f"{SAID} {speaker}"), speaker.encode())}
    assert sorted(holding(roots, {*said, *WITHHELD_SOUND})) == []
    assert holding(roots, [b"8k2"]), "who agreed to text is there"


@pytest.mark.parametrize("form", [*WaveformFormat, *WRITABLE])
def test_no_format_has_more_than_was_agreed_to(study: Path, tmp_path: Path, form: str) -> None:
    out, err = io.StringIO(), io.StringIO()
    unnumbered = form in ("sphere", "riff")
    database = str(toy_database(tmp_path)) if form == "text2sql" else ""
    request = ExportRequest(str(study), str(tmp_path / "it"), form=form, unnumbered=unnumbered, database=database)
    assert export_command(request, out, err) in (0, 1)
    sounding = form not in SOUNDLESS
    assert bool(holding([tmp_path], of_sound(ALL))) is sounding, "the search must be able to find"
    assert bool(holding([tmp_path], of_sound(NO_CONTACT))) is sounding, "who is not to be contacted is data"
    if form in {*SOUNDING} - {"stm", "textgrid"}:  # these are of sound alone
        assert sorted(holding([tmp_path], {*WITHHELD_SOUND, *(speaker.encode() for speaker in EXCLUDED)})) == []
        return
    check(tmp_path)


def test_parts_mergers_pages_and_figures_of_a_corpus_have_no_more_than_that(study: Path, tmp_path: Path) -> None:
    out, err = io.StringIO(), io.StringIO()
    whole, made = tmp_path / "whole", tmp_path / "made"
    made.mkdir()
    assert export_command(ExportRequest(str(study), str(whole), unnumbered=True), out, err) in (0, 1)
    assert merge_command(MergeOptions([str(whole)], str(made / "merged")), out, err) == 0
    holdout_command(
        str(whole), HoldoutOptions("", str(tmp_path / "sets"), str(made / "release"), str(made / "pool")), out, err
    )
    assert report_command(ReportOptions(str(whole), str(made / "page.html")), out, err) == 0
    assert stats_command(StatsOptions(str(whole), as_json=True), out, err) == 0
    (made / "told.txt").write_text(out.getvalue() + err.getvalue(), "utf-8")
    assert {path.name for path in made.iterdir()} >= {"merged", "page.html", "told.txt"}
    check(made)


def test_an_export_that_fails_leaves_nothing_of_them_behind(study: Path, tmp_path: Path) -> None:
    err = io.StringIO()
    names = (NO_TEXT.session,)
    assert (
        export_command(
            ExportRequest(str(study), str(tmp_path / "kaldi"), form="kaldi", sessions=names), io.StringIO(), err
        )
        == 2
    )
    assert list(tmp_path.iterdir()) == []
    assert SAID not in err.getvalue()


def test_a_replay_shows_and_keeps_nothing_but_what_it_prints(study: Path) -> None:
    """It is for the lab itself: nothing is written, so that nothing can leave."""
    before = sorted(path for path in study.rglob("*"))
    replay_command(str(study), NO_TEXT.session, 0, io.StringIO(), io.StringIO())
    assert sorted(path for path in study.rglob("*")) == before


def test_the_sessions_of_a_study_name_what_was_refused_and_are_left_out_in_good_order(
    study: Path, tmp_path: Path
) -> None:
    out, err = io.StringIO(), io.StringIO()
    sessions_command(SessionsOptions(str(study)), out, err)
    states = {line[49:52]: line.rpartition("  ")[2] for line in out.getvalue().splitlines()[1:]}
    assert "no consent" not in states["8k1"]
    assert states["8k4"].endswith("no consent to: transcribe publish_text")
    assert states["8k6"].endswith("no consent to: contact")
    err = io.StringIO()
    assert export_command(ExportRequest(str(study), str(tmp_path / "corpus")), out, err) == 0
    assert "8k4" not in err.getvalue()
    assert f"session {NO_WORDS.session}: the speaker did not agree to transcription" in err.getvalue()


@pytest.mark.parametrize("scope", ["record", "transcribe", "publish_text"])
def test_a_corpus_that_holds_what_was_refused_is_caught_and_nothing_is_made_of_it(tmp_path: Path, scope: str) -> None:
    """Such as one of an early release, which asked for the scopes and obeyed two of them."""
    root = corpus_of(tmp_path / "corpus", agreeing("8k1", 1), agreeing("8k2", 2))
    log = next(root.glob("spon/8k2/*/8k2002sx.log")).relative_to(root).as_posix()
    early = broken.Corpus(root)
    early.edit(log, f"{scope}=yes", f"{scope}=no", count=0)
    early.reseal()
    found = [(finding.path, finding.rule) for finding in verify(root).findings if finding.rule == "set.text-refused"]
    assert [rule for _, rule in found] == ["set.text-refused"]
    for form in ExportFormat:
        err = io.StringIO()
        assert export_command(ExportRequest(str(root), str(tmp_path / form), form=form), io.StringIO(), err) == 2
        assert "did not agree" in err.getvalue()
        assert not (tmp_path / form).exists()
    err = io.StringIO()
    assert report_command(ReportOptions(str(root), str(tmp_path / "page.html")), io.StringIO(), err) == 2
    assert stats_command(StatsOptions(str(root)), io.StringIO(), err) == 2
    assert not (tmp_path / "page.html").exists()
