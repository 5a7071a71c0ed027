"""Blind means blind: by whatever way a test pool leaves the lab, no answer is in a byte of it; the site keeps them all."""

import hashlib
import io
import tarfile
from pathlib import Path
from typing import IO, cast

import msgspec
import pytest

from corpus.commands.encrypt import EncryptOptions, encrypt_command
from corpus.commands.export import ExportRequest, export_command
from corpus.commands.holdout import HoldoutOptions, holdout_command
from corpus.commands.report import ReportOptions, StatsOptions, report_command, stats_command
from corpus.dataset import blind
from corpus.export.madcow import export
from corpus.formats import layout
from corpus.formats.log import log_schema
from corpus.release import holdout_file
from corpus.release.holdout_file import Holdout
from corpus.release.utterance_status import POOL, RELEASE
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from session import events as e
from session.study.settings import Solution
from session.values.answers import Table
from tests.corpus.corpora import session_of
from tests.corpus.packages.packed import WRITABLE, toy_database
from tests.corpus.searching import holding, of_text
from tests.corpus.sessions import MemorySource, Script
from tests.corpus.verify.broken import Corpus

ROWS = Table(("secretcolumn",), (("Zanzibar Airways",),))
TOLD = {
    "SELECT secretcolumn FROM answers": "sql",
    "the reworded request": "text",
    "Zanzibar Airways flies there": "reply",
    "it has a hub in Ouagadougou": "solution",
    "SELECT hub FROM solution": "of the scenario",
    "the wizard guessed Timbuktu": "note",
    "(((4242)))": "reference",
    "which lists flight 4242": "win",
    "it went wrong at Samarkand": "reason",
    "SELECT kept FROM checked": "kept request",
}
SEARCHED = {needle for text in (*TOLD, "secretcolumn", "Zanzibar") for needle in of_text(text) if len(needle) > 6}


KEPT = b'{"question": "which airline flies there", "sql": "SELECT kept FROM checked"}\n'
SAYING = {name: hashlib.sha256(KEPT).hexdigest() for name in ("domain/requests.jsonl", "domain/rehearsal/script.toml")}


class KeepingSource(MemorySource):
    """A study whose domain has requests with statements that somebody checked."""

    def protocol_file(self, sha256: str) -> bytes | None:
        return KEPT if sha256 in SAYING.values() else super().protocol_file(sha256)


def telling(speaker: str, number: int) -> Script:
    """A session in which every kind of answer is told in words that nothing else has."""
    script = session_of("bbn", speaker, number=number, stretch=0.1)
    for place, recorded in enumerate(script.facts):
        script.facts[place] = msgspec.structs.replace(recorded, event=_telling(recorded.event))
    return script


def _telling(event: e.Fact) -> e.Fact:
    replace = msgspec.structs.replace
    match event:
        case e.SessionOpened():
            solution = Solution("SELECT hub FROM solution", "it has a hub in Ouagadougou")
            scenarios = {
                name: replace(scenario, solution=solution) for name, scenario in event.protocol.scenarios.items()
            }
            files = {**event.protocol.files, **SAYING}
            return replace(event, protocol=replace(event.protocol, scenarios=scenarios, files=files))
        case e.QuerySubmitted():
            return replace(event, text="the reworded request")
        case e.QueryReturned():
            return replace(event, sql="SELECT secretcolumn FROM answers", table=ROWS)
        case e.AnswerSent() | e.CannedSent():
            return replace(event, text="Zanzibar Airways flies there")
        case e.SolutionDeclared():
            return replace(event, solution="it has a hub in Ouagadougou")
        case e.NoteWritten():
            return replace(event, text="the wizard guessed Timbuktu")
        case e.ScenarioEnded() | e.SessionEnded() | e.SessionPaused():
            return replace(event, reason="it went wrong at Samarkand")
    return event


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole corpus with annotations, and the two sets that are made of it."""
    lab = tmp_path_factory.mktemp("blind")
    (lab / "keys").mkdir()
    export(KeepingSource(telling("8k1", 1), telling("8k2", 2)), lab / "whole")
    whole = Corpus(lab / "whole")
    for speaker in ("8k1", "8k2"):
        name = next(whole.root.glob(f"spon/{speaker}/*/{speaker}011sx.sro")).with_suffix("").relative_to(whole.root)
        for kind in ("sql", "sq2"):
            whole.write(f"{name}.{kind}", b"SELECT secretcolumn FROM answers;\n")
        for kind in ("ref", "rf2"):
            whole.write(f"{name}.{kind}", b"(((4242)))\n")
        whole.write(f"{name}.win", b"which lists flight 4242\n")
        whole.write(f"{name}.cat", b"A: wh\n")
    whole.reseal()
    holdout_file.beside(whole.root).write_bytes(holdout_file.render(Holdout("1", {"8k1": POOL, "8k2": RELEASE})))
    drawing = HoldoutOptions(pool=str(lab / "pool"), release=str(lab / "release"))
    assert holdout_command(str(whole.root), drawing, io.StringIO(), io.StringIO()) == 0
    return lab


def test_the_pool_holds_no_answer_and_the_site_keeps_them_all(lab: Path) -> None:
    assert holding([lab / "pool"], SEARCHED) == set()
    kinds = {path.suffix for path in (lab / "pool").rglob("*") if path.is_file()}
    assert not kinds & {".cat", ".win", ".sql", ".sq2", ".ref", ".rf2", ".com"}
    assert {".wav", ".log", ".sro", ".lsn"} <= kinds
    for kept in ("whole", "release"):
        found = {needle for _, needle in holding([lab / kept], [text.encode() for text in TOLD])}
        assert found == {text.encode() for text in TOLD}, "the search must be able to find"


def test_verify_knows_that_a_pool_lacks_answers_rightly_and_catches_each_that_is_there(
    lab: Path, tmp_path: Path
) -> None:
    report = verify(lab / "pool")
    assert [str(finding) for finding in report.findings if finding.severity is Severity.ERROR] == []
    assert not {finding.rule for finding in report.findings} & {"log.unanswered", "draft.missing"}
    place = next((lab / "whole").glob("spon/8k1/*/8k1001sx.log")).relative_to(lab / "whole").as_posix()
    pool = Corpus(tmp_path / "pool")
    for path in (lab / "pool").rglob("*"):
        if path.is_file():
            pool.write(path.relative_to(lab / "pool").as_posix(), path.read_bytes())
    kept = layout.protocol_file("domain/requests.jsonl", hashlib.sha256(KEPT).hexdigest())
    for path in (place, f"{place[:-12]}8k1011sx.cat", "doc/drafts/8k1011sx.draft", kept):  # type: ignore[assignment]
        held = next((lab / "whole").glob(path.replace(".draft", ".*"))).relative_to(lab / "whole").as_posix()  # type: ignore[arg-type, call-arg]
        pool.write(held, (lab / "whole" / held).read_bytes())
        pool.reseal()
        assert held in {finding.path for finding in verify(pool.root).findings if finding.rule == "sets.blind"}
        err = io.StringIO()
        call = EncryptOptions(str(pool.root), str(tmp_path / "x.age"), str(lab / "keys/x"))
        assert (encrypt_command(call, io.StringIO(), err), "is a test pool and holds answers" in err.getvalue()) == (
            2,
            True,
        )
        assert export_command(ExportRequest(str(pool.root), str(tmp_path / "trn"), form="trn"), io.StringIO(), err) == 2


@pytest.mark.parametrize("form", WRITABLE)
def test_no_package_of_a_pool_holds_an_answer(lab: Path, tmp_path: Path, form: str) -> None:
    out, err = io.StringIO(), io.StringIO()
    database = str(toy_database(lab)) if form == "text2sql" else ""
    request = ExportRequest(str(lab / "pool"), str(tmp_path / form), form=form, database=database)
    if form == "text2sql":
        assert export_command(request, out, err) == 2, "its SQL is the answer"
        return
    assert export_command(request, out, err) == 0, err.getvalue()
    assert holding([tmp_path], SEARCHED) == set()
    assert holding([tmp_path], [b"8k1"]), "it holds something"


def test_no_page_no_figures_and_no_encrypted_pool_hold_an_answer(lab: Path, tmp_path: Path) -> None:
    out, err = io.StringIO(), io.StringIO()
    assert report_command(ReportOptions(str(lab / "pool"), str(tmp_path / "page.html")), out, err) == 0
    assert stats_command(StatsOptions(str(lab / "pool")), out, err) == 0
    (tmp_path / "stats.txt").write_text(out.getvalue(), "utf-8")
    assert "A blind test pool" in out.getvalue()
    pyrage = pytest.importorskip("pyrage", reason="the extra encrypt is not installed")
    sealed, key = tmp_path / "pool.age", lab / "keys/pool.key"
    assert encrypt_command(EncryptOptions(str(lab / "pool"), str(sealed), str(key)), out, err) == 0, err.getvalue()
    identity = pyrage.x25519.Identity.from_str(key.read_text("ascii").splitlines()[-1])
    with tarfile.open(fileobj=io.BytesIO(pyrage.decrypt(sealed.read_bytes(), [identity]))) as archive:
        for member in filter(tarfile.TarInfo.isfile, archive):
            (tmp_path / "opened" / member.name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "opened" / member.name).write_bytes(cast("IO[bytes]", archive.extractfile(member)).read())
    assert holding([tmp_path], SEARCHED) == set()
    assert any((tmp_path / "opened").rglob("*.wav"))


def test_asked_again_the_pool_stays_as_it_is(lab: Path) -> None:
    err = io.StringIO()
    assert holdout_command(str(lab / "whole"), HoldoutOptions(pool=str(lab / "pool")), io.StringIO(), err) == 0
    assert f"{lab / 'pool'} already exists, as it would be written" in err.getvalue()


def test_whoever_adds_a_record_says_whether_a_blind_log_keeps_it() -> None:
    """What no profile lets a subject perceive is never kept; of all else the answers are named here."""
    answers = {
        "Answer_returned", "Answer_shown", "Answer_viewed", "Solution_declared",
        "Playback_started", "Playback_stopped", "Reply_voiced", "Voice_failed",
    }  # fmt: skip
    assert log_schema.RECORDS.keys() - log_schema.ALWAYS_HIDDEN - blind.PERCEIVED == answers
    assert not blind.PERCEIVED & log_schema.ALWAYS_HIDDEN
