"""Four channels of one utterance: each has its file, its rate and its microphone, and none stands without the primary one."""

from pathlib import Path

import msgspec
import pytest
import soundfile

from corpus.dataset.reader import Corpus
from corpus.export.madcow import export
from corpus.export.session_files import ExportOptions
from corpus.formats import sphere
from corpus.io.staging import Refused
from corpus.verify.verify import verify
from session import events as e
from session.study.settings import Equipment
from session.values.vocabulary import Outcome
from tests.corpus.packages.packed import ARCHIVED, SOUNDLESS, WRITABLE, pack
from tests.corpus.sessions import MemorySource, Script

MICROPHONES = {"s": "Sennheiser HMD-414", "c": "Crown PCC-160", "t": "carbon-button telephone", "a": "array"}
RATES = {"s": 16_000, "c": 8_000, "t": 8_000, "a": 8_000}


def four_channels(letters: str = "scta") -> Script:
    script = Script()
    script.protocol = msgspec.structs.replace(script.protocol, equipment=Equipment(microphones=MICROPHONES))
    script.open()
    script.start("interviews", 1)
    script.speak("8k8A1", 1, "which flights leave boston", letters)
    script.canned("8k8A1")
    script.add(e.SolutionDeclared(at=script.desk(), solution="flight 103"), "subject")
    script.add(e.ScenarioEnded(outcome=Outcome.DECLARED), "subject")
    script.finish()
    return script


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("channels") / "corpus"
    export(MemorySource(four_channels()), target, ExportOptions())
    return target


def waveforms(corpus: Path) -> dict[str, sphere.SphereFile]:
    return {path.stem[7]: sphere.parse(path.read_bytes(), path.name) for path in corpus.rglob("spon/**/*.wav")}


def rules(corpus: Path) -> list[tuple[str, str]]:
    return [(finding.rule, finding.path) for finding in verify(corpus).findings]


def test_each_channel_has_a_file_of_its_own_samples_rate_and_microphone(corpus: Path) -> None:
    script, found = four_channels(), waveforms(corpus)
    assert sorted(found) == sorted(MICROPHONES)
    for letter, file in found.items():
        assert file.samples().astype("<i2").tobytes() == script.takes["8k8A1"][letter]
        assert (file.header.number("sample_rate"), file.header.text("microphone")) == (
            RATES[letter],
            MICROPHONES[letter],
        )
    scenario = next(iter(Corpus(corpus).scenarios()))
    assert list(scenario.utterances[0].waves) == ["s", "a", "c", "t"]


def test_four_channels_are_in_order(corpus: Path) -> None:
    assert [rule for rule, _ in rules(corpus)] == ["sro.draft"]


@pytest.mark.parametrize("letter", "cta")
def test_a_further_channel_that_is_gone_or_another_s_is_found(tmp_path: Path, letter: str) -> None:
    target = tmp_path / "corpus"
    export(MemorySource(four_channels()), target, ExportOptions())
    path = next(target.rglob(f"*{letter}.wav"))
    other = next(target.rglob("*c.wav" if letter != "c" else "*t.wav"))
    name = path.relative_to(target).as_posix()
    path.write_bytes(other.read_bytes())
    assert {"wave.microphone", "wave.utterance"} & {rule for rule, where in rules(target) if where == name}
    path.unlink()
    assert ("set.waveform-missing", name) in rules(target)


def test_no_further_channel_is_without_its_primary_partner(tmp_path: Path) -> None:
    target = tmp_path / "corpus"
    export(MemorySource(four_channels()), target, ExportOptions())
    next(target.rglob("*s.wav")).unlink()
    alone = [path.rpartition(".")[0][-1] for rule, path in rules(target) if rule == "set.second-alone"]
    assert sorted(alone) == ["a", "c", "t"]


@pytest.mark.parametrize("form", sorted({*WRITABLE} - SOUNDLESS - ARCHIVED))
def test_no_package_takes_a_further_channel_for_the_primary_one(corpus: Path, tmp_path: Path, form: str) -> None:
    pack(corpus, tmp_path / form, form)
    primary = waveforms(corpus)["s"].samples()[:, 0]
    for path in (tmp_path / form).rglob("*.wav"):
        if form == "bagit" and path.stem[7] != "s":
            continue
        samples, rate = soundfile.read(path, dtype="int16")
        assert (rate, samples.tolist()) == (RATES["s"], primary.tolist())


def test_a_channel_named_x_is_refused_with_the_remedy(tmp_path: Path) -> None:
    script = four_channels()
    script.facts = [
        msgspec.convert(
            msgspec.json.decode(msgspec.json.encode(fact).replace(b'"letter":"c"', b'"letter":"x"')), type(fact)
        )
        for fact in script.facts
    ]
    with pytest.raises(Refused, match="a to z but x"):
        export(MemorySource(script), tmp_path / "corpus", ExportOptions())
