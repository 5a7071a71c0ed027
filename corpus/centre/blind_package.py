"""Test package without answers for the sites under test, and the key that the centre keeps until they have answered.

The package has the subject-scenarios in order: waveforms and what the subject did, without transcription, for a test of speech;
transcriptions without waveforms for a test of understanding. The key has everything else, and the lists that `curtain score`
takes.
"""

import io
import tarfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from corpus.centre.balanced_selection import PooledScenario
from corpus.dataset import blind
from corpus.dataset.reader import Corpus, SubjectScenario
from corpus.formats import cat, layout, spkrinfo
from corpus.formats.errors import FormatFault
from corpus.formats.log import file
from corpus.formats.log.log_values import BlockKind, RecordBlock
from corpus.formats.log.queries import outcome_of
from corpus.formats.spkrinfo import SpeakerInfo, SpeakerTable
from corpus.io.staging import Refused
from corpus.packages import package_writer
from corpus.packages.references import trn_references
from session.values.vocabulary import Outcome

SPEECH, TEXT = "speech", "text"
_WORDS = frozenset({"Utterance_typed", "Transcription_sent", "Transcription_shown"})
"""Records of a log that tell what was said."""
_GIVEN = {SPEECH: frozenset({"wav"}), TEXT: frozenset({"sro", "lsn"})}
Files = Mapping[str, bytes]


def units_of(corpus: Corpus, sessions: Iterable[str], used: Iterable[str]) -> Iterator[PooledScenario]:
    """The subject-scenarios of these sessions that can be test data, but those that were used before."""
    wanted, taken = {*sessions}, {*used}
    infos = corpus.speakers()
    for scenario in corpus.scenarios():
        log, name = scenario.log, layout.directory_of(scenario.stem)
        if log.get("Session") not in wanted or name in taken:
            continue
        if log.get("Pilot") == "yes" or outcome_of(log) == Outcome.INVALIDATED:
            continue
        info = infos.get(scenario.stem.speaker)
        said = [_words(corpus, utterance.files) for utterance in scenario.utterances]
        yield PooledScenario(
            name,
            log.get("Session"),
            log.get("Site"),
            scenario.stem.speaker,
            info.sex if info is not None else "",
            log.get("Scenario"),
            len(scenario.utterances),
            sum(_class(corpus, utterance.files) == "X" for utterance in scenario.utterances),
            sum(bool(words) and words in said[:place] for place, words in enumerate(said)),
            sum(len(utterance.waves) > 1 for utterance in scenario.utterances),
            sum("cat" not in utterance.files for utterance in scenario.utterances),
        )


def _words(corpus: Corpus, files: Mapping[str, str]) -> bytes:
    return corpus.read(files["sro"]).lower() if "sro" in files else b""


def _class(corpus: Corpus, files: Mapping[str, str]) -> str:
    if "cat" not in files:
        return ""
    try:
        return cat.parse(corpus.read(files["cat"]), files["cat"]).evaluation
    except FormatFault:
        return ""


def package_files(corpus: Corpus, units: Iterable[PooledScenario], kind: str) -> Iterator[tuple[str, bytes]]:
    """The files of some units as the tested get them."""
    for scenario in _scenarios(corpus, units):
        yield scenario.path, _blind_log(scenario, kind)
        for utterance in scenario.utterances:
            given = [*utterance.waves.values()] if "wav" in _GIVEN[kind] else []
            given += [path for type_, path in utterance.files.items() if type_ in _GIVEN[kind]]
            yield from ((path, corpus.read(path)) for path in given)


def _scenarios(corpus: Corpus, units: Iterable[PooledScenario]) -> Iterator[SubjectScenario]:
    wanted = {unit.name for unit in units}
    for path in corpus.logs:
        if path.rpartition("/")[0] in wanted:
            yield corpus.scenario(path)


def _blind_log(scenario: SubjectScenario, kind: str) -> bytes:
    data = blind.blinded(scenario.path, file.render(scenario.log))
    if kind == TEXT:
        return data
    log = file.parse(data, scenario.path)
    return file.render(msgspec.structs.replace(log, blocks=tuple(_wordless(log.blocks))))


def _wordless(blocks: Iterable[RecordBlock]) -> Iterator[RecordBlock]:
    for block in blocks:
        records = tuple(record for record in block.records if record.key not in _WORDS)
        if records or block.kind is not BlockKind.INDEPENDENT:
            yield msgspec.structs.replace(block, records=records)


def key_files(corpus: Corpus, units: Iterable[PooledScenario]) -> Iterator[tuple[str, bytes]]:
    """Everything of some units that is not a waveform."""
    for scenario in _scenarios(corpus, units):
        paths = {scenario.path, *scenario.files.values()}
        paths |= {path for utterance in scenario.utterances for path in utterance.files.values()}
        yield from ((path, corpus.read(path)) for path in sorted(paths))


def scoring_lists(corpus: Corpus, units: Iterable[PooledScenario]) -> Iterator[tuple[str, str, str, str]]:
    """Name, minimal and maximal answer and line of the index of every utterance; an answer is empty if there is none."""
    by_name = {unit.name: unit for unit in units}
    for scenario in _scenarios(corpus, by_name.values()):
        unit = by_name[layout.directory_of(scenario.stem)]
        for utterance in scenario.utterances:
            kind = _class(corpus, utterance.files)
            least, most = (
                " ".join(corpus.read(utterance.files[type_]).decode().split()) if type_ in utterance.files else ""
                for type_ in ("ref", "rf2")
            )
            name = str(utterance.stem)
            row = (name, unit.speaker, unit.session, unit.site, kind or "X", unit.scenario or "-", unit.sex or "-")
            yield name, least, most, "\t".join(row)


def spoken_words(corpus: Corpus, units: Iterable[PooledScenario]) -> dict[str, str]:
    """The words to which recognisers are held, by id, as in a package of TRN: of every utterance whose words are known."""
    wanted = {unit.name for unit in units}
    files = {path: entry for path, entry in corpus.manifest.files.items() if path.rpartition("/")[0] in wanted}
    if not files:
        return {}
    part = Corpus(corpus.root, msgspec.structs.replace(corpus.manifest, files=files, withheld=(), missing=()))
    return {
        trn_references.name(spoken.turn): trn_references.reference(spoken.turn)
        for spoken in package_writer.spoken(package_writer.contents_of(part, sets={}))
        if spoken.turn.words is not None and not spoken.turn.unknown
    }


def refuse_leaks(files: Files, kind: str) -> None:
    """Raise `Refused` if a package would tell an answer, or in a test of speech a word."""
    for path, data in files.items():
        type_ = path.rpartition(".")[2]
        leak = type_ in blind.ANSWERS or (kind == SPEECH and type_ in ("sro", "lsn", "doc"))
        if path.endswith(".log") and path.partition("/")[0] in layout.SPEECH:
            log = file.parse(data, path)
            leak |= any(blind.answers_in(log)) or (kind == SPEECH and any(any(log.records(key)) for key in _WORDS))
        if leak:
            raise Refused(f"{path} reveals an answer; nothing was packed")


def ordered(units: Iterable[PooledScenario], corpora: Iterable[Corpus]) -> bytes:
    """The list of the test: every utterance, in the order of the subject-scenarios and within them."""
    places = [
        f"{layout.directory_of(scenario.stem)}/{utterance.stem}"
        for corpus in corpora
        for scenario in _scenarios(corpus, units)
        for utterance in scenario.utterances
    ]
    return "\n".join((";; subject-scenarios in order, and their utterances in theirs", *sorted(places), "")).encode()


def speakers(infos: Iterable[SpeakerInfo]) -> bytes:
    """The table of the test's speakers."""
    return spkrinfo.render(SpeakerTable(tuple(infos)))


def archive(target: Path, name: str, files: Files) -> None:
    """Write files below a folder of the test's name to a tar; the same files make the same archive."""
    with target.open("xb") as out, tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path, data in sorted(files.items()):
            member = tarfile.TarInfo(f"{name}/{path}")
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
