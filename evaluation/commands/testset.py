"""`curtain testset`: makes a test, receives and scores what systems answered, takes rulings in, and repeats all of it later.

Everything that a score depends on is in the test's folder: key, submissions, rulings, options, version. The report is written
twice, as text and as JSON; `--repeat` computes all of them again and compares them byte by byte.
"""

import hashlib
import io
import shutil
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.centre import facts as f
from corpus.centre.blind_package import SPEECH
from corpus.centre.blind_sets import NAME, SIZE, TestOptions, folder_of, make
from corpus.centre.centre_state import CentreState
from corpus.centre.ledger import FAULTS, Centre
from corpus.formats.errors import counted, status_of
from corpus.io.staging import Refused, replace, stopped
from evaluation.commands.score import ScoreOptions, score_command
from evaluation.commands.wer import WerOptions, wer_command
from evaluation.recognition.transcripts import KEY_WORDS
from session.values.clock import Clock

PRELIMINARY, FINAL = "preliminary", "final"
UPHELD, REFUSED = "upheld", "refused"
WORDS = ".trn"
"""What a recogniser heard, as `curtain recognise` writes it; all other submissions are answers."""
_SAID = "words"
_KEYS = ("references.cas", "maxima.cas", "index.tsv", KEY_WORDS)
_COLUMNS = ("utterance", "ruling", "class", "reference", "maximum", "reason")


class OfficialOptions(msgspec.Struct, frozen=True):
    """Options of `official_command`. Without any of the last four the test is made."""

    centre: str
    name: str
    size: int = SIZE
    kind: str = "speech"
    trial: bool = False
    submit: str = ""
    adjudicate: str = ""
    score: bool = False
    repeat: bool = False


def official_command(options: OfficialOptions, clock: Clock, out: TextIO, err: TextIO) -> int:
    """Do one step of a test. 1 where a repeated evaluation differs, 2 where nothing could be done."""
    try:
        with Centre(Path(options.centre), clock) as centre:
            if options.submit:
                return _submit(centre, options, out)
            if options.adjudicate:
                return _adjudicate(centre, options, out)
            if options.score:
                return _score(centre, options.name, out, err)
            if options.repeat:
                return _repeat(centre, options.name, out, err)
            made = make(centre, TestOptions(options.name, options.size, options.kind, options.trial), err)
            folder = folder_of(centre, made.test)
            out.write(f"{folder / made.test}.tar\n{folder / made.test}_key.tar\n")
    except (*FAULTS, KeyboardInterrupt) as error:
        err.write(stopped(error))
        return status_of(error)
    return 0


def _submit(centre: Centre, options: OfficialOptions, out: TextIO) -> int:
    """Receive the answers of one system, NAME=FILE; once received they stay."""
    folder = folder_of(centre, options.name)
    system, sign, source = options.submit.partition("=")
    if not sign or not NAME.fullmatch(system):
        raise Refused(f"{options.submit!r}: write SYSTEM=FILE, the name of up to eight small letters and digits")
    words = source.endswith(WORDS)
    target = folder / "submissions" / f"{system}{WORDS if words else '.cas'}"
    if words and CentreState(centre).tests[options.name].kind != SPEECH:
        raise Refused(f"{options.name} is a test of text: there is nothing to hear in it")
    if system in _systems(centre, options.name, words):
        raise Refused(f"{system} has answered already; a submission is never changed")
    if _scores(centre, options.name):
        raise Refused(f"{options.name} was scored already; a new answer could use the published results")
    data = Path(source).read_bytes()
    target.parent.mkdir(exist_ok=True)
    status, _, faults = (_heard if words else _scored)(folder, "key", {system: Path(source)})
    if status == 2:
        raise Refused(f"{source} is not in order:\n{faults.strip()}")
    replace(target, data)
    answers = sum(bool(line) and not line[:1].isspace() and line[:1] != b";" for line in data.split(b"\n"))
    content = hashlib.sha256(data).hexdigest()
    received = f.SubmissionReceived(test=options.name, system=system, content=content, answers=answers, words=words)
    centre.record(received)
    out.write(f"{system}: {counted(answers, 'utterance' if words else 'answer')}, {content}\n")
    return 0


def _adjudicate(centre: Centre, options: OfficialOptions, out: TextIO) -> int:
    """Take in rulings on what was requested: a table of utterance, ruling, class, reference, maximum, reason."""
    folder = folder_of(centre, options.name)
    if _is_adjudicated(centre, options.name):
        raise Refused(f"{options.name} was adjudicated already; its rulings are in {folder / 'adjudicated'}")
    systems = {system: folder / "submissions" / f"{system}.cas" for system in _systems(centre, options.name)}
    heard = _recognisers(centre, options.name, folder)
    if not systems and not heard:
        raise Refused(f"there are no answers to {options.name} yet, so there is nothing to judge")
    rulings = [*_rulings(Path(options.adjudicate))]
    lists = {name: _read(folder / "key" / name) for name in _KEYS if (folder / "key" / name).is_file()}
    for row in rulings:
        _apply(row, lists, options.adjudicate)
    ruled = folder / "adjudicated"
    shutil.rmtree(ruled, ignore_errors=True)  # of a call that was killed before the ledger knew of it
    ruled.mkdir()
    for name, lines in lists.items():
        (ruled / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    shutil.copyfile(options.adjudicate, ruled / "rulings.tsv")
    status, faults = _worst(
        _scored(folder, "adjudicated", systems) if systems else (0, "", ""),
        _heard(folder, "adjudicated", heard) if heard else (0, "", ""),
    )
    if status == 2:
        shutil.rmtree(ruled)
        raise Refused(f"{options.adjudicate} leads to a key that is not in order:\n{faults.strip()}")
    content = hashlib.sha256((ruled / "rulings.tsv").read_bytes()).hexdigest()
    items = tuple(row["utterance"] for row in rulings)
    centre.record(f.ReferencesAdjudicated(test=options.name, content=content, items=items))
    upheld = sum(row["ruling"] == UPHELD for row in rulings)
    out.write(f"{counted(len(rulings), 'ruling')}: {upheld} upheld, {len(rulings) - upheld} refused\n")
    return 0


def _rulings(path: Path) -> Iterator[dict[str, str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    columns = tuple(lines[0].split("\t")) if lines else ()
    if columns not in (_COLUMNS, (*_COLUMNS, _SAID)):
        raise Refused(
            f"{path}:1: the header is not {' '.join(_COLUMNS)}, with tabs, and {_SAID} where words are ruled on"
        )
    for number, line in enumerate(lines[1:], start=2):
        row = dict(zip(columns, line.split("\t"), strict=False))
        if len(row) < len(columns) or row["ruling"] not in (UPHELD, REFUSED) or not row["reason"].strip():
            raise Refused(
                f"{path}:{number}: write utterance, {UPHELD} or {REFUSED}, what changes, and the reason, with tabs"
            )
        yield row


def _read(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _apply(row: dict[str, str], lists: dict[str, list[str]], source: str) -> None:
    name = row["utterance"]
    index = lists["index.tsv"]
    place = next((at for at, line in enumerate(index) if line.split("\t")[0] == name), None)
    if place is None:
        raise Refused(f"{source}: {name} is not an utterance of this test")
    if row["ruling"] == REFUSED:
        return
    if row["class"]:
        cells = index[place].split("\t")
        index[place] = "\t".join((*cells[:4], row["class"], *cells[5:]))
    if row.get(_SAID):
        if KEY_WORDS not in lists:
            raise Refused(f"{source}: {name}: the key has no words to rule on")
        said = f"({name[:3]}-{name})"
        others = [line for line in lists["references.trn"] if not line.endswith(said)]
        lists["references.trn"] = [*others, f"{row[_SAID]} {said}"]
    for key, file in (("reference", "references.cas"), ("maximum", "maxima.cas")):
        others = [line for line in lists[file] if line.split(None, 1)[0] != name]
        if row["class"] == "X":
            lists[file] = others
        elif row[key]:
            lists[file] = sorted((*others, f"{name} {row[key]}"))


def _systems(centre: Centre, name: str, words: bool = False) -> list[str]:
    """The systems that have answered a test, or with `words` those that have told what they heard, by name."""
    found = (fact for fact in centre.facts(f.SubmissionReceived) if fact.test == name)
    return sorted(fact.system for fact in found if fact.words == words)


def _recognisers(centre: Centre, name: str, folder: Path) -> dict[str, Path]:
    return {system: folder / "submissions" / f"{system}{WORDS}" for system in _systems(centre, name, words=True)}


def _is_adjudicated(centre: Centre, name: str) -> bool:
    return any(fact.test == name for fact in centre.facts(f.ReferencesAdjudicated))


def _scores(centre: Centre, name: str) -> list[f.TestScored]:
    """Return what a test was scored since somebody has left it last; with a person go the scores in which the person was."""
    found = list[f.TestScored]()
    for fact in (happened.fact for happened in centre.happened):
        if isinstance(fact, f.TestScored) and fact.test == name:
            found.append(fact)
        elif isinstance(fact, f.SpeakerLeft) and f"test {name}" in fact.reached:
            found.clear()
    return found


def _score(centre: Centre, name: str, out: TextIO, err: TextIO) -> int:
    folder = folder_of(centre, name)
    state = FINAL if _is_adjudicated(centre, name) else PRELIMINARY
    systems, heard = _systems(centre, name), _recognisers(centre, name, folder)
    if not systems and not heard:
        raise Refused(f"there are no answers to {name} yet: curtain testset CENTRE {name} --submit SYSTEM=FILE")
    target = folder / f"scores_{state}"
    if any(fact.state == state for fact in _scores(centre, name)):
        raise Refused(f"{name} was scored already, {state}; --repeat computes it again and compares")
    text, data = _reports(folder, state, systems, err) if systems else ("", "")
    spoken, words = _word_reports(folder, state, heard, err) if heard else ("", "")
    for place, said, exact in ((target, text, data), (folder / f"words_{state}", spoken, words)):
        if exact:
            place.with_suffix(".json").write_text(exact, encoding="utf-8")
            place.with_suffix(".txt").write_text(said, encoding="utf-8")
    fact = f.TestScored(
        test=name,
        state=state,
        report=hashlib.sha256(data.encode()).hexdigest(),
        systems=tuple(systems),
        version=version("curtain-woz"),
        recognisers=tuple(heard),
        words=hashlib.sha256(words.encode()).hexdigest() if heard else "",
    )
    centre.record(fact)
    out.write(text + spoken)
    return 0


def _reports(folder: Path, state: str, systems: Iterable[str], err: TextIO) -> tuple[str, str]:
    references = "adjudicated" if state == FINAL else "key"
    answers = {system: folder / "submissions" / f"{system}.cas" for system in systems}
    status, text, faults = _scored(folder, references, answers)
    if status == 2:
        raise Refused(faults.strip())
    _, data, _ = _scored(folder, references, answers, as_json=True)
    err.write(faults)
    return text, data


def _word_reports(folder: Path, state: str, heard: Mapping[str, Path], err: TextIO) -> tuple[str, str]:
    references = "adjudicated" if state == FINAL else "key"
    status, text, faults = _heard(folder, references, heard)
    if status == 2:
        raise Refused(faults.strip())
    err.write(faults)
    return text, _heard(folder, references, heard, as_json=True)[1]


def _heard(folder: Path, references: str, heard: Mapping[str, Path], as_json: bool = False) -> tuple[int, str, str]:
    """Score recognisers by the words of the key, or by what rulings have made of them, beside the key. The report names files
    as a site has them that unpacked the key, so that it has the same bytes there, wherever the test lies."""
    out, err = io.StringIO(), io.StringIO()
    own, key = folder / references / KEY_WORDS, folder / "key" / KEY_WORDS
    if not own.is_file():
        return 2, "", "the key has no words: the test was not transcribed when it was made\n"
    options = WerOptions(
        reference=str(own),
        hypotheses=tuple(f"{system}={path}" for system, path in heard.items()),
        before=str(key) if own != key else None,
        as_json=as_json,
    )
    status = wer_command(options, out, err)
    told = out.getvalue().replace(f"{folder}/submissions/", "").replace(f"{folder}/key/", f"{folder.name}_key/")
    return status, told.replace(f"{folder}/", ""), err.getvalue()


def _worst(*scored: tuple[int, str, str]) -> tuple[int, str]:
    """The gravest status of several scores, and all their faults."""
    return max(status for status, _, _ in scored), "".join(faults for _, _, faults in scored)


def _scored(folder: Path, references: str, systems: Mapping[str, Path], as_json: bool = False) -> tuple[int, str, str]:
    """Score systems by the key, or by what rulings have made of it, beside the key."""
    out, err = io.StringIO(), io.StringIO()
    own, key = folder / references, folder / "key"
    maxima = any((place / "maxima.cas").read_bytes().strip() for place in (own, key))
    options = ScoreOptions(
        references=str(own / "references.cas"),
        hypotheses=tuple(f"{system}={path}" for system, path in systems.items()),
        maximum=str(own / "maxima.cas") if maxima else None,
        index=str(own / "index.tsv"),
        before=str(key / "references.cas") if own != key else None,
        before_maximum=str(key / "maxima.cas") if maxima else None,
        before_index=str(key / "index.tsv"),
        as_json=as_json,
    )
    return score_command(options, out, err), out.getvalue(), err.getvalue()


def _repeat(centre: Centre, name: str, out: TextIO, err: TextIO) -> int:
    """Compute every score of a test again from what is archived; 1 where one byte differs."""
    folder, worst = folder_of(centre, name), 0
    scored, every = _scores(centre, name), [fact for fact in centre.facts(f.TestScored) if fact.test == name]
    if not every:
        raise Refused(f"{name} was never scored")
    if gone := len(every) - len(scored):
        out.write(
            f"{name}: a speaker has withdrawn since; {gone} of {counted(len(every), 'score')}, with the person, cannot be "
            "repeated\n"
        )
        worst = 1
    for received in centre.facts(f.SubmissionReceived) if len(every) == len(scored) else ():
        path = folder / "submissions" / f"{received.system}{WORDS if received.words else '.cas'}"
        if received.test == name and hashlib.sha256(path.read_bytes()).hexdigest() != received.content:
            raise Refused(f"{path} differs from the submission; restore it from a copy")
    for fact in scored:
        text, data = _reports(folder, fact.state, fact.systems, err) if fact.systems else ("", "")
        same = hashlib.sha256(data.encode()).hexdigest() == fact.report
        same &= not fact.systems or _is_kept(folder / f"scores_{fact.state}", text, data)
        if fact.recognisers:
            heard = {system: folder / "submissions" / f"{system}{WORDS}" for system in fact.recognisers}
            text, words = _word_reports(folder, fact.state, heard, err)
            same &= hashlib.sha256(words.encode()).hexdigest() == fact.words
            same &= _is_kept(folder / f"words_{fact.state}", text, words)
        worst = max(worst, 0 if same else 1)
        what = "the same bytes" if same else f"other bytes; it was scored by version {fact.version}"
        out.write(f"{name} {fact.state}: {what}\n")
    return worst


def _is_kept(place: Path, text: str, data: str) -> bool:
    """Return whether both forms of a report are in the archive as they are computed now."""
    kept = {place.with_suffix(".txt"): text, place.with_suffix(".json"): data}
    return all(path.is_file() and path.read_bytes() == said.encode() for path, said in kept.items())
