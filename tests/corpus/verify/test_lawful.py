"""What may happen in a collection and looks odd: a verification must not call it an error."""

import tempfile
from pathlib import Path

import msgspec
import pytest

from corpus.annotation.submitted import AllFinished, Finished
from corpus.export.madcow import export
from corpus.export.session_files import ExportOptions
from corpus.formats.manifest import held_in
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from session import events as e
from session.study import folder
from session.values.answers import Table
from session.values.clock import SECOND, Stamp
from session.values.consent import ConsentScope
from session.values.vocabulary import Language, Outcome, ProposalVerdict, ResponseClass
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.sessions import FLIGHTS, RATE, MemorySource, Script, whole_session
from tests.corpus.verify.breakages_of_trust import STUDY, alias, other_protocol
from tests.corpus.verify.broken import CHECKED, DRAFT, SRO, Corpus, good_corpus


def errors(target: Path, *scripts: Script, options: ExportOptions | None = None) -> list[str]:
    export(MemorySource(*scripts), target, options)
    return [str(finding) for finding in verify(target).findings if finding.severity is Severity.ERROR]


def test_a_filler_may_follow_the_answer(tmp_path: Path) -> None:
    script = Script()
    script.open()
    script.start("hub", 1)
    script.speak("T1", 1, "flights to denver")
    script.query("T1", "q1", "flights to denver", FLIGHTS)
    script.answer("T1", "q1", FLIGHTS, "flights to denver")
    script.canned("T1", ResponseClass.FILLER)
    script.add(e.ScenarioEnded(outcome=Outcome.ENDED), "experimenter")
    assert errors(tmp_path / "corpus", script) == []
    assert (tmp_path / "corpus/doc/drafts/8k8011sx.drf").is_file()


def test_a_proposal_may_come_when_the_utterance_has_its_reply(tmp_path: Path) -> None:
    script = Script()
    script.open()
    script.start("hub", 1)
    script.speak("T1", 1, "flights to denver")
    asked = e.QuerySubmitted(at=script.hub(), attempt="p1", take="T1", language=Language.PROPOSAL, text="flights")
    script.add(asked, "wizard")
    script.canned("T1")
    script.add(e.ProposalJudged(attempt="p1", verdict=ProposalVerdict.REJECTED))
    script.add(e.QueryReturned(attempt="p1", sql="SELECT 1", table=FLIGHTS, took=1, database_version="air-1.0"))
    script.add(e.ScenarioEnded(outcome=Outcome.ENDED), "experimenter")
    assert errors(tmp_path / "corpus", script) == []


def test_who_was_asked_nothing_may_take_back_the_sound(tmp_path: Path) -> None:
    script = Script()
    script.open()
    script.facts = [fact for fact in script.facts if not isinstance(fact.event, e.ConsentGiven)]
    script.start("hub", 1)
    script.speak("T1", 1, "flights to denver")
    script.canned("T1")
    script.add(e.ScenarioEnded(outcome=Outcome.ENDED), "experimenter")
    fact = e.ConsentConfirmed(at=script.hub(), version="", sha256="", scopes={ConsentScope.PUBLISH_AUDIO: False})
    script.add(fact, "experimenter")
    assert errors(tmp_path / "corpus", script) == []
    assert not [*tmp_path.rglob("*.wav")]


def test_a_database_that_somebody_else_keeps_may_change_under_one_protocol(tmp_path: Path) -> None:
    later = whole_session("bbn-20261122-1", "8k9", days=1)
    opened = later.facts[0].event
    assert isinstance(opened, e.SessionOpened)
    protocol = msgspec.structs.replace(opened.protocol, database_version="air-2.0")
    fact = msgspec.structs.replace(opened, protocol=protocol)
    later.facts[0] = msgspec.structs.replace(later.facts[0], event=fact)
    assert errors(tmp_path / "corpus", whole_session(), later) == []


def test_the_wall_clock_may_be_set_back_while_no_hub_runs(tmp_path: Path) -> None:
    script = Script()
    script.open()
    script.start("hub", 1)
    script.speak("T1", 1, "flights to denver")
    script.canned("T1")
    script.wait(60)

    def again() -> Stamp:
        return Stamp("hub-2", 5 * SECOND + script.now, script.begin + script.now - 3600 * SECOND)

    script.hub = again  # type: ignore[method-assign]
    script.add(e.DeskAttached(role="subject", desk="d1", clock="desk", version="0.1"))
    script.add(e.ClockCompared(clock="desk", mono=3 * SECOND + script.now, offset=2 * SECOND, uncertainty=450_000))
    script.speak("T2", 2, "flights to boston")
    script.canned("T2")
    script.add(e.ScenarioEnded(outcome=Outcome.ENDED), "experimenter")
    assert errors(tmp_path / "corpus", script) == []


def test_the_checker_s_machine_may_be_a_little_slow(tmp_path: Path) -> None:
    corpus = good_corpus(tmp_path / "corpus")
    corpus.mark(SRO, work=msgspec.structs.replace(CHECKED, checked="2026-12-01T09:55:00Z"))
    corpus.reseal()
    assert verify(corpus.root).findings == ()


def test_a_protocol_may_lie_there_with_all_its_files(tmp_path: Path) -> None:
    corpus = good_corpus(tmp_path / "corpus")
    other_protocol(corpus, STUDY)
    corpus.reseal()
    assert verify(corpus.root).findings == ()


def test_a_draft_of_an_older_export_may_be_decomposed(tmp_path: Path) -> None:
    script = Script()
    script.open()
    script.start("hub", 1)
    script.speak("T1", 1, "where is orly")
    table = Table(("city",), (("Orl\xe9ans",),))
    script.query("T1", "q1", "where is orly", table)
    script.answer("T1", "q1", table, "where is orly")
    script.add(e.ScenarioEnded(outcome=Outcome.ENDED), "experimenter")
    export(MemorySource(script), tmp_path / "corpus")
    corpus = Corpus(tmp_path / "corpus")
    corpus.edit(DRAFT, "\xe9", "e\u0301")
    corpus.reseal()
    assert {finding.rule for finding in verify(corpus.root).findings if finding.path == DRAFT} == {"text.unicode"}


def test_a_profile_that_ships_may_have_changed_since(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped, plain = tmp_path / "shipped", STUDY["profiles/plain.toml"]
    shipped.mkdir()
    (shipped / "plain.toml").write_bytes(plain)
    monkeypatch.setattr(folder, "PROFILES", shipped)
    corpus = good_corpus(tmp_path / "corpus")
    own = {name: data for name, data in STUDY.items() if name != "profiles/plain.toml"}
    other_protocol(corpus, own | {"consent.txt": b"You agree to {pre_roll_ms} milliseconds.\n"})
    corpus.reseal()
    (shipped / "plain.toml").write_bytes(plain + b"pre_roll_ms = 500\n")
    assert verify(corpus.root).findings == ()


def test_a_protocol_is_not_read_again_where_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = good_corpus(tmp_path / "corpus")
    other_protocol(corpus, STUDY, consent_text="No.")
    corpus.reseal()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    assert verify(corpus.root).findings == ()


def test_an_old_id_may_be_another_person_s_where_sites_have_come_together(tmp_path: Path) -> None:
    corpus = Corpus(corpus_of(tmp_path / "corpus", session_of("bbn", "8k8"), session_of("cmu", "8k9", number=2)))
    alias(corpus)
    corpus.reseal()
    assert "sets.renamed" not in {finding.rule for finding in verify(corpus.root).findings}


@pytest.mark.parametrize("condition", ["ta\xadbles", "cafe\u0301", "\u05d0\u200f", "\U000e0041 caf\xe9"])
def test_a_condition_has_the_name_that_the_study_gives_it(tmp_path: Path, condition: str) -> None:
    script = whole_session()
    opened = script.opened
    fact = msgspec.structs.replace(opened, condition=condition)
    script.facts[0] = msgspec.structs.replace(script.facts[0], event=fact)
    assert errors(tmp_path / "corpus", script) == []
    assert held_in(tmp_path / "corpus").sessions[0].condition == condition


@pytest.mark.parametrize("found", ["re\xadcorded", "e\u0301tude", "\u05d0\u200f", "3\xa0m", "\u0646\u200c\u0627"])
def test_a_study_s_texts_are_kept_as_the_subjects_read_them(tmp_path: Path, found: str) -> None:
    script = whole_session()
    opened = script.opened
    assert isinstance(opened, e.SessionOpened)
    equipment = msgspec.structs.replace(opened.protocol.equipment, room=found)
    protocol = msgspec.structs.replace(opened.protocol, consent_text=found, equipment=equipment)
    fact = msgspec.structs.replace(opened, protocol=protocol)
    script.facts[0] = msgspec.structs.replace(script.facts[0], event=fact)
    assert errors(tmp_path / "corpus", script) == []


@pytest.mark.parametrize(
    ("said", "rows"),
    [
        ("i am {{ anna boston }}", (("ANNA", "BOSTON"), ("x", "y"))),
        ("i am {{ anna boston }}", (("x", "ANNA"), ("BOSTON", "y"))),
        ("call {{ one oh one }}", ((101, "ANNA"), (7, "y"))),
    ],
)
def test_a_mask_may_reach_over_several_values(
    tmp_path: Path, said: str, rows: tuple[tuple[str | int, str], ...]
) -> None:
    script, table = Script(), Table(("first", "last"), rows)
    script.open()
    script.start("hub", 1)
    script.speak("T1", 1, "who is there")
    script.query("T1", "q1", "who is there", table)
    script.answer("T1", "q1", table, "who is there")
    script.speak("T2", 2, said.replace("{{ ", "").replace(" }}", ""))
    script.canned("T2")
    script.add(e.ScenarioEnded(outcome=Outcome.ENDED), "experimenter")
    finished = AllFinished({"T2": Finished(f"{said}\n", ((100, 900),), RATE, CHECKED, "8k8021sx")})
    assert errors(tmp_path / "corpus", script, options=ExportOptions(finished=finished)) == []
    assert "[masked]" in (tmp_path / "corpus/doc/drafts/8k8011sx.drf").read_text("utf-8")
