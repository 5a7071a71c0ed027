"""A study as a recogniser knows it: a dictionary and a language model, made from the study itself and kept by hash.

The sources are the domain's words and values, the texts of the scenarios, `domain/requests.txt` (requests that people are
known to make, one per line) and what the study has transcribed so far. Whoever runs the same study again gets the same model.
"""

import hashlib
import secrets
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from domain.english.model.domain import DomainError, DomainModel
from domain.english.model.value_index import Named, Phrase
from domain.query_backend import English
from operators.recognition import language_model, pronunciations
from operators.recognition.domain_sentences import SentenceSource
from operators.recognition.pronunciations import Phones, own_pronunciations, pronounced, read_dictionary
from operators.recognition.recogniser import MissingEngineError
from operators.recognition.spoken_words import Words, words_of
from session.study.settings import Scenario

RECIPE = "1"
"""Raised when the same sources would give another model."""
DRAWN = 12_000
SEED = 1
REQUEST_COUNTS = 20
"""How many drawn sentences one that somebody said is worth."""
MOST_VALUES = 5_000
"""Values of the database that are learnt, the first in alphabetical order: more would take minutes, and none is said often."""
REQUESTS = "requests.txt"


class Sources(msgspec.Struct, frozen=True):
    """The sources of a model; `requests` were said or are known to be, `texts` are written."""

    model: DomainModel | None = None
    names: Mapping[Phrase, Sequence[Named]] = {}
    texts: tuple[str, ...] = ()
    requests: tuple[str, ...] = ()
    own: Mapping[str, list[tuple[str, ...]]] = {}
    left_out: int = 0

    @property
    def sha256(self) -> str:
        """The hash of everything that goes into the model."""
        parts = [
            RECIPE, msgspec.json.encode(self.model).decode(), *(repr(item) for item in sorted(self.names.items(), key=repr)),
            *self.texts, "", *sorted(self.requests), repr(sorted(self.own.items())),
        ]  # fmt: skip
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()


class Knowledge(msgspec.Struct, frozen=True):
    """A dictionary and a language model on disk; `warnings` are one line each."""

    dictionary: Path
    model: Path
    sha256: str
    words: int
    warnings: tuple[str, ...] = ()


def sources_of(
    domain: Path, english: English | None, scenarios: Iterable[Scenario] = (), transcriptions: Iterable[str] = ()
) -> Sources:
    """Gather what is known of a domain; without English (`domain.query_backend.english_of`) there are texts and requests alone.

    Raises MissingEngineError if the domain or its database cannot be read.
    """
    texts = [
        text
        for scenario in scenarios
        for text in (scenario.title, scenario.text, scenario.solution.explanation if scenario.solution else "")
    ]
    requests = domain / REQUESTS
    try:
        said = requests.read_text(encoding="utf-8").splitlines() if requests.is_file() else []
        own = own_pronunciations(domain)
        if english is None:
            return Sources(None, {}, tuple(texts), (*said, *transcriptions), own)
        model, names = english.vocabulary()
    except (DomainError, OSError, UnicodeDecodeError) as error:
        line = str(error).partition("\n")[0]
        raise MissingEngineError(f"the recogniser cannot learn the domain in {domain}: {line}") from error
    kept = {phrase: names[phrase] for phrase in sorted(names)[:MOST_VALUES]}
    return Sources(model, kept, tuple(texts), (*said, *transcriptions), own, len(names) - len(kept))


def prepare(sources: Sources, dictionary: Path, cache: Path) -> Knowledge:
    """Return the knowledge of `sources`, from `cache` where it was made before; `dictionary` is one in CMU's format.

    Raises MissingEngineError if there is not one sentence to learn from, or the cache cannot be written.
    """
    sha256 = sources.sha256
    words, model = cache / f"recogniser-{sha256[:16]}.dict", cache / f"recogniser-{sha256[:16]}.arpa"
    notes = cache / f"recogniser-{sha256[:16]}.json"
    try:
        if not (words.is_file() and model.is_file() and notes.is_file()):
            _make(sources, dictionary, words, model, notes)
        known, *warnings = msgspec.json.decode(notes.read_bytes(), type=list[str])
    except OSError as error:
        raise MissingEngineError(
            f"{error.filename}: the recogniser's model cannot be kept: {error.strerror}"
        ) from error
    return Knowledge(words, model, sha256, int(known), tuple(warnings))


def sentences_of(sources: Sources) -> list[tuple[Words, int]]:
    """Return the sentences of a model, each with how often it counts."""
    found = [(words_of(line), REQUEST_COUNTS) for line in sources.requests]
    found += [(words_of(part), 1) for text in sources.texts for part in text.replace("\n", " ").split(".")]
    if sources.model is not None:
        drawn = SentenceSource(sources.model, sources.names, SEED)
        found += [(words, 1) for words in drawn.phrases()]
        found += [(words, 1) for words in drawn.draw(DRAWN)]
    return [(words, times) for words, times in found if words]


def pronunciations_of(sources: Sources, dictionary: Path | None = None) -> dict[str, list[Phones]]:
    """Return how the words of the sources are said, by rule where no dictionary is given or a word is not in it."""
    vocabulary = {word for said, _ in sentences_of(sources) for word in said}
    known: dict[str, list[Phones]] = {}
    if dictionary is not None:
        with dictionary.open(encoding="utf-8") as lines:
            known = read_dictionary(lines, vocabulary.__contains__)
    return pronounced(vocabulary, known, sources.own)[0]


def _make(sources: Sources, dictionary: Path, words: Path, model: Path, notes: Path) -> None:
    sentences = sentences_of(sources)
    vocabulary = {word for said, _ in sentences for word in said}
    with dictionary.open(encoding="utf-8") as lines:
        found, unreadable = pronounced(vocabulary, read_dictionary(lines, vocabulary.__contains__), sources.own)
    usable = [(said, times) for said, times in sentences if all(map(found.__contains__, said))]
    if not usable:
        raise MissingEngineError(
            f"there is not one sentence for the recogniser to learn from: give `domain/domain.toml` or `domain/{REQUESTS}`"
        )
    warnings = [str(error) for error in unreadable]
    if sources.left_out:
        warnings.append(
            f"{sources.left_out:,} values of the database are beyond the recogniser's {MOST_VALUES:,} and unknown to it"
        )
    words.parent.mkdir(parents=True, exist_ok=True)
    _write(words, pronunciations.render(found))
    _write(model, language_model.arpa(usable))
    _write(notes, msgspec.json.encode([str(len(found)), *warnings]).decode())


def _write(path: Path, text: str) -> None:
    """Write a file that appears whole or not at all: several hubs may make the same one at once."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
