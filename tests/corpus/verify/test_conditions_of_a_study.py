"""A corpus of a study whose conditions differ: the protocol of each lies in it, and every session is held against its own."""

from pathlib import Path

import msgspec

from corpus.dataset.reader import Corpus
from corpus.export.madcow import export
from corpus.packages.datasheet import protocols_of, text
from corpus.report.methods_checklist import checklist
from corpus.report.statistics import gather
from corpus.verify.verify import verify
from rehearsal.recorded_session import recorded
from session import events as e
from session.state.fold import fold
from session.study.folder import Study, load
from session.study.settings import Speaker
from session.values.vocabulary import Echo, Outcome
from tests.corpus.sessions import MemorySource, Script

FACTOR = b"""
[factor.echo.levels.shown]
echo = "with_answer"

[factor.echo.levels.hidden]
echo = "never"
reply_limit_s = 7.0
"""
STUDY = {
    "study.toml": b'site = "bbn"\nprofile = "plain"\ntoday = "1991-11-21"\n[[speakers]]\nfirst = "8k8"\nlast = "8kz"\n' + FACTOR,
    "scenarios/hub.toml": b'id = "hub"\ntitle = "A hub"\nkind = "problem"\ntext = "Find the hub."\n',
    "canned_messages/none.toml": b'[[message]]\nid = "none"\ntext = "None on ___."\nreason = "r"\nresponse = "diagnostic"\n',
    "profiles/plain.toml": b'name = "plain"\nsteps = ["consent", "instructions", "scenarios"]\n',
    "consent.txt": b"You agree.\n",
    "instructions.txt": b"You see what was heard.\n",
    "instructions_echo=hidden.txt": b"You do not see what was heard.\n",
}  # fmt: skip


def study_of(folder: Path, files: dict[str, bytes]) -> Study:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return load(folder)


class StudySource(MemorySource):
    """Sessions of a study whose files are at hand."""

    def __init__(self, study: Study, *scripts: Script) -> None:
        super().__init__(*scripts)
        self._held = {sha256: (study.folder / name).read_bytes() for name, sha256 in study.files.items()}

    def protocol_file(self, sha256: str) -> bytes | None:
        return self._held.get(sha256)


def session_under(study: Study, condition: str, name: str, speaker: str, scenario: str = "hub") -> Script:
    """A session of one scenario under a condition of the study."""
    script = Script(name, speaker)
    script.protocol = study.protocol("air-1.0", condition)
    script.speaker = Speaker(speaker, "f")
    script.open()
    opened = script.opened
    assert isinstance(opened, e.SessionOpened)
    script.facts[0] = msgspec.structs.replace(
        script.facts[0], event=msgspec.structs.replace(opened, condition=condition)
    )
    script.start(scenario, 1)
    script.speak(f"{speaker}T1", 1, "which airlines are there")
    script.canned(f"{speaker}T1")
    script.add(e.ScenarioEnded(outcome=Outcome.ENDED), "experimenter")
    script.finish()
    return script


def test_each_condition_is_verified_and_seen_again_by_a_protocol_of_its_own(tmp_path: Path) -> None:
    study = study_of(tmp_path / "study", STUDY)
    shown, hidden = (
        session_under(study, f"echo={level}", f"bbn-20261121-{number}", f"8k{number + 7}")
        for number, level in enumerate(("shown", "hidden"), 1)
    )
    export(StudySource(study, shown, hidden), tmp_path / "corpus")
    rules = {finding.rule for finding in verify(tmp_path / "corpus").findings}
    assert not {rule for rule in rules if rule.startswith(("protocol.", "log.protocol"))}
    for script, echo in ((shown, Echo.WITH_ANSWER), (hidden, Echo.NEVER)):
        opened = fold(recorded(tmp_path / "corpus", script.session).facts).opened
        assert opened is not None
        assert (opened.protocol.profile.echo, opened.protocol.condition) == (echo, opened.condition)
        assert opened.protocol.instructions == script.protocol.instructions


def test_two_conditions_are_one_version_of_the_protocol_and_are_both_told_of(tmp_path: Path) -> None:
    study = study_of(tmp_path / "study", STUDY)
    scripts = [
        session_under(study, f"echo={level}", f"bbn-20261121-{n}", f"8k{n}")
        for n, level in ((8, "shown"), (9, "hidden"))
    ]
    export(StudySource(study, *scripts), tmp_path / "corpus")
    corpus = Corpus(tmp_path / "corpus")
    answers = [item.answer for item in checklist(corpus, gather(corpus), protocols_of(corpus))]
    assert any("1 version of the protocol" in answer for answer in answers)
    told = text(corpus, tuple(gather(corpus)))
    assert all(f", condition echo={level}: " in told for level in ("shown", "hidden"))


def test_a_condition_that_is_a_name_alone_has_the_protocol_of_the_study(tmp_path: Path) -> None:
    names = STUDY | {
        "study.toml": STUDY["study.toml"].replace(FACTOR, b"").replace(b"[[", b'conditions = ["a", "b"]\n[[')
    }
    study = study_of(tmp_path / "study", names)
    assert study.protocol("1", "a").sha256 == study.protocol("1").sha256 == study.sha256
