"""A recogniser's words, followed from the facts to the tables, the page and the CSV."""

import csv
import io
import json
from pathlib import Path

import msgspec
import pytest

from corpus.commands.report import ReportOptions, StatsOptions, report_command, stats_command
from corpus.dataset.reader import Corpus
from corpus.export.madcow import export
from corpus.export.session_files import ExportOptions
from corpus.packages.datasheet import protocols_of
from corpus.report.methods_checklist import checklist
from corpus.report.statistics import gather
from session import events as e
from session.values.clock import SECOND
from session.values.hypotheses import Hypothesis
from session.values.vocabulary import Operator, ProposalVerdict, Stage
from tests.corpus.packages.packed import pack
from tests.corpus.sessions import MemorySource, Script, whole_session


def heard(script: Script, change: str, verdict: ProposalVerdict, choice: int = 0) -> str:
    """A recogniser's words before the first transcription of a numbered utterance, and the wizard's verdict after it."""
    at, recorded = next(
        (at, recorded)
        for at, recorded in enumerate(script.facts)
        if isinstance(recorded.event, e.Transcribed) and recorded.event.take not in used(script)
    )
    typed = recorded.event
    assert isinstance(typed, e.Transcribed)
    words = (Hypothesis(f"{change} {typed.text}".strip(), 0.5), Hypothesis(typed.text))
    proposed = e.HypothesisReceived(
        at=typed.at, take=typed.take, final=True, hypotheses=words, engine="sphinx", version="1", took=SECOND // 2
    )
    judged = e.OutputJudged(stage=Stage.RECOGNITION, take=typed.take, verdict=verdict, choice=choice)
    script.facts[at : at + 1] = [
        e.Recorded(script.session, 0, recorded.at, "recogniser", "h", proposed),
        e.Recorded(script.session, 0, recorded.at, "wizard", "j", judged),
        recorded,
    ]
    script.facts = [
        e.Recorded(fact.session, number, fact.at, fact.by, fact.cause, fact.event)
        for number, fact in enumerate(script.facts, start=1)
    ]
    return typed.text


def change_hands(script: Script) -> None:
    """A person takes recognition over and gives it back; then its machine is late, and the profile hands it to a person."""
    at = next(at for at, fact in enumerate(script.facts) if isinstance(fact.event, e.HypothesisReceived))
    now = script.facts[at].at

    def assigned(operator: Operator, reason: str) -> e.StageAssigned:
        return e.StageAssigned(stage=Stage.RECOGNITION, operator=operator, engine="sphinx", version="1", reason=reason)

    changes = [
        ("recogniser", assigned(Operator.CORRECTED, "attached")),
        ("wizard", assigned(Operator.HUMAN, "it is stuck")),
        ("wizard", assigned(Operator.CORRECTED, "it goes again")),
        ("hub", assigned(Operator.HUMAN, "the machine is late")),
    ]
    script.facts[at:at] = [e.Recorded(script.session, 0, now, by, "x", fact) for by, fact in changes]
    script.facts = [
        e.Recorded(fact.session, number, fact.at, fact.by, fact.cause, fact.event)
        for number, fact in enumerate(script.facts, start=1)
    ]


def used(script: Script) -> set[str]:
    found = {fact.event.take for fact in script.facts if isinstance(fact.event, e.HypothesisReceived)}
    numbered = {
        fact.event.take for fact in script.facts if isinstance(fact.event, e.UtteranceAccepted) and fact.event.number
    }
    return found | {fact.event.take for fact in script.facts if isinstance(fact.event, e.Transcribed)} - numbered


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    script = whole_session()
    heard(script, "uh", ProposalVerdict.EDITED)
    heard(script, "", ProposalVerdict.ACCEPTED)
    heard(script, "the", ProposalVerdict.ACCEPTED, choice=1)
    change_hands(script)
    target = tmp_path_factory.mktemp("recognised") / "corpus"
    export(MemorySource(script), target, ExportOptions())
    return target


def test_how_often_the_words_were_taken_as_they_were_and_how_wrong_they_were_is_printed(corpus: Path) -> None:
    out, err = io.StringIO(), io.StringIO()
    assert stats_command(StatsOptions(str(corpus), as_json=True), out, err) == 0, err.getvalue()
    [row] = json.loads(out.getvalue())["recognition"]
    assert (row["engine"], row["condition"], row["utterances"]) == ("sphinx", "tables", 3)
    assert (row["as_is"], row["others"], row["edited"], row["rejected"]) == (2, 1, 1, 0)
    assert row["as_is_share"] == pytest.approx(2 / 3)
    wizard = row["against_wizard"]
    assert (wizard["inserted"], wizard["substituted"], wizard["deleted"], wizard["wrong"]) == (2, 0, 0, 2)
    assert wizard["rate"] == pytest.approx(2 / wizard["words"])
    assert row["against_transcription"]["utterances"] == 0, "a draft of a transcription is not a reference"
    assert row["took_s"]["median"] == pytest.approx(0.5)
    [stage] = json.loads(out.getvalue())["stages"]
    assert (stage["stage"], stage["accepted"], stage["edited"], stage["rejected"]) == ("recognition", 2, 1, 0)
    assert (stage["taken_over"], stage["handed_over"], stage["given_back"]) == (1, 1, 1)
    out = io.StringIO()
    stats_command(StatsOptions(str(corpus)), out, err)
    [row_of_stage] = [line for line in out.getvalue().splitlines() if line.startswith("recognition ")]
    assert row_of_stage.split() == ["recognition", "tables", "2", "1", "0", "1", "1", "1", "0"]
    assert "This table gives the recogniser's word errors." in out.getvalue()
    assert "sphinx, tables, the wizard's text" in out.getvalue()


def test_errors_put_in_on_purpose_and_speech_that_was_kept_from_the_wizard_are_told_to_the_reader(
    tmp_path: Path,
) -> None:
    script = whole_session()
    text = heard(script, "uh", ProposalVerdict.EDITED)
    for at, fact in enumerate(script.facts):
        match fact.event:
            case e.HypothesisReceived() as found:
                words = (msgspec.structs.replace(found.hypotheses[0], original=text),)
                event: e.Event = msgspec.structs.replace(found, hypotheses=words)
            case e.SessionOpened() as found:
                profile = msgspec.structs.replace(found.protocol.profile, subject_heard=False)
                protocol = msgspec.structs.replace(found.protocol, profile=profile)
                event = msgspec.structs.replace(found, protocol=protocol)
            case _:
                continue
        script.facts[at] = msgspec.structs.replace(fact, event=event)
    export(MemorySource(script), tmp_path / "corpus", ExportOptions())
    corpus = Corpus(tmp_path / "corpus")
    answers = {item.question: item.answer for item in checklist(corpus, gather(corpus), protocols_of(corpus))}
    count = len(text.split())
    assert answers["Which errors were simulated?"] == f"recognition errors, 1 in {count} words ({100 / count:.1f} %)"
    assert (
        "a recogniser's output; the wizard did not hear the speech (1 scenario)" in answers["What could they perceive?"]
    )


def test_the_page_has_the_same_tables(corpus: Path, tmp_path: Path) -> None:
    out, err = io.StringIO(), io.StringIO()
    assert report_command(ReportOptions(str(corpus), str(tmp_path / "page.html")), out, err) == 0, err.getvalue()
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<h2 id=recognition>Recognition</h2>" in page
    assert "the recogniser&#x27;s words were used as drafts" in page


def test_each_turn_has_its_own_row_in_the_csv(corpus: Path, tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO((pack(corpus, tmp_path / "csv", "csv") / "turns.csv").read_text("utf-8"))))
    found = [
        (row["draft_taken"], row["draft_choice"], row["draft_errors_wizard"], row["draft_errors"], row["recogniser_s"])
        for row in rows
        if row["recogniser"] == "sphinx"
    ]
    assert found == [
        ("edited", "1", "1", "", "0.500000"),
        ("accepted", "1", "0", "", "0.500000"),
        ("accepted", "2", "1", "", "0.500000"),
    ]
    assert {row["recogniser"] for row in rows} == {"sphinx", ""}
