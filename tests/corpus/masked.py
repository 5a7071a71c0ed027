"""A corpus in which a speaker says the name of another speaker, and the transcription desk that masks it."""

import io
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest

from annotator.transcription import Transcribing
from corpus.commands.withdraw import WithdrawOptions, withdraw_command
from corpus.dataset.reader import Corpus
from corpus.export.madcow import export
from corpus.formats import riff, sphere
from session import events as e
from session.annotation.store import Work, work_path
from session.values.answers import OtherReading, Table
from session.values.clock import ManualClock
from session.values.hypotheses import Hypothesis, WordTime
from tests.corpus.corpora import session_of
from tests.corpus.sessions import MemorySource, Script

NAME = "Philippa  O\u2019Schenectady"


FREE = ("text", "message", "reason", "solution", "sql", "note")


FIRST, OTHER = "8k8011sx", "8k9011sx"


def naming(script: Script, takes: tuple[str, ...] = ()) -> Script:
    """Put the name into all that anybody typed, the database returned or a program said of it, and into the transcriptions of
    `takes`."""
    for at, fact in enumerate(script.facts):
        event = fact.event
        if isinstance(event, e.Transcribed) and event.take not in takes:
            continue
        changes: dict[str, object] = {
            field: f"of {NAME} now" for field in FREE if isinstance(getattr(event, field, None), str)
        }
        if isinstance(event, e.ScenarioStarted):
            changes = {}  # the study's own words
        if isinstance(event, e.CannedSent):
            del changes["message"]
        if isinstance(event, e.QuestionnaireAnswered):
            changes["answers"] = dict.fromkeys(event.answers, f"with {NAME}")
        if isinstance(event, e.QueryReturned):
            changes["table"] = Table(("name", "number"), ((NAME, 1), ("nobody", 2)))
            changes |= {
                "paraphrase": f"people called {NAME}",
                "spoken": f"It is {NAME}.",
                "unused": (*NAME.split(), "now"),
            }
            changes |= {"others": (OtherReading(f"calls for {NAME}", "", 0.5),), "unasked": (f"for {NAME}",)}
            changes |= {"question": f"What do you mean by “{NAME.split()[-1]}”?"}
        if isinstance(event, e.OperatorTroubled | e.AudioTroubled | e.VoiceFailed):
            changes["detail"] = f"no word like {NAME}"
        if isinstance(event, e.CannedSent):
            changes["blanks"] = tuple(NAME for _ in event.blanks)
        script.facts[at] = msgspec.structs.replace(fact, event=msgspec.structs.replace(event, **changes))
    return recognised(script, takes)


def recognised(script: Script, takes: tuple[str, ...]) -> Script:
    """Add a recogniser's words: the name misheard in `takes`, spelt right elsewhere."""
    facts = list[e.Recorded]()
    for fact in script.facts:
        if isinstance(typed := fact.event, e.Transcribed):
            text = "this is filippa of schenectady" if typed.take in takes else f"of {NAME} now"
            words = tuple(WordTime(word, 0.5, 0.7, 0.9) for word in text.split())
            found = (Hypothesis(text, 0.8, words), Hypothesis(f"{text} or so"))
            event = e.HypothesisReceived(at=typed.at, take=typed.take, final=True, hypotheses=found, engine="sphinx")
            facts.append(msgspec.structs.replace(fact, by="recogniser", event=event))
        facts.append(fact)
    script.facts = [msgspec.structs.replace(fact, seq=number) for number, fact in enumerate(facts, start=1)]
    return script


@pytest.fixture
def source() -> MemorySource:
    """Return the sessions of the person with the name, and of another who mentions her in one utterance."""
    return MemorySource(
        naming(session_of("bbn", "8k8", stretch=0.6), ("8k8A1",)),
        naming(session_of("bbn", "8k9", "m", 2, stretch=0.6), ("8k9A1",)),
    )


@pytest.fixture
def root(source: MemorySource, tmp_path: Path) -> Path:
    export(source, tmp_path / "corpus")
    return tmp_path / "corpus"


@pytest.fixture
def desk(root: Path) -> Iterator[Transcribing]:
    work = Work(work_path(root))
    yield Transcribing(Corpus(root), work, "anna", ManualClock())
    work.close()


def marked(desk: Transcribing) -> Transcribing:
    """Transcribe the utterance with the name, and mark the name."""
    desk.open(FIRST)
    desk.mark(1000, 2000)
    desk.submit("this is {{ philippa o'schenectady }} please")
    return desk


def holding(root: Path) -> list[str]:
    """Return the files in which a part of the name stands."""
    files = [root] if root.is_file() else sorted(path for path in root.rglob("*") if path.is_file())
    texts = {path: path.read_bytes().decode("utf-8", "replace").lower() for path in files}
    return [str(path) for path, text in texts.items() if "philippa" in text or "schenectady" in text]


def sound(root: Path, path: str) -> np.ndarray:
    """Return the first channel of a waveform, SPHERE or RIFF."""
    data = (root / path).read_bytes()
    file = riff.parse(data, path) if data[:4] == b"RIFF" else sphere.parse(data, path)
    return file.samples()[:, 0]


def withdrawn(root: Path) -> tuple[int, str]:
    """Withdraw the person with the name; return the exit status and the messages."""
    err = io.StringIO()
    return withdraw_command(str(root), WithdrawOptions("8k8"), ManualClock(), io.StringIO(), err), err.getvalue()
