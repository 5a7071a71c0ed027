"""Copies that were made before somebody's name was marked, and have it yet: to be made anew, and dropped by whoever has them.

A mark goes into the corpus at hand and into all that is made from then on; a package, a part, a report that is there already
stays as it was written. So whoever makes the next one, or leaves the desk, is told which hold what is masked now: sound under no
tone, words that stand in no text of the corpus any more. What is not where it was written, or is encrypted, nobody can look into.
"""

import html
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path

import msgspec

from corpus.annotation import masking
from corpus.annotation.apply import unescaped
from corpus.annotation.identifying_phrases import Phrase
from corpus.annotation.submitted import AllFinished, finished_in
from corpus.dataset.reader import Corpus, speech_name
from corpus.dataset.removals import REMOVALS
from corpus.formats import layout, lexicon
from corpus.formats.errors import FormatFault
from corpus.formats.manifest import is_in
from corpus.packages import base
from corpus.release.copies import everywhere
from session.annotation.store import work_path
from session.store.event_store import UNREADABLE
from session.values.names import PRIMARY, StemName

_SPOKEN = (".log", ".com", ".squ", ".sro", ".lsn", ".ref", f".{layout.DRAFT}")
_ABOUT = frozenset(
    {"README.txt", "README.md", "DATASHEET.md", "datapackage.json", layout.SESSIONS, REMOVALS, base.CHECKSUMS}
)
"""Files of a package in which nobody's words stand."""


class Outdated(msgspec.Struct, frozen=True):
    """A copy with what is masked now: `sounds` are names of utterances, `texts` paths of files."""

    place: Path
    sounds: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()

    def __str__(self) -> str:
        found = [f"the sound of {_some(self.sounds)}"] if self.sounds else []
        found += [f"words in {_some(self.texts)}"] if self.texts else []
        return (
            f"{self.place} was made before something was masked that identifies a person, and has it yet: {' and '.join(found)}; "
            "make it anew, and let whoever got it drop it"
        )


def told_of_outdated(
    source: Path, current: Corpus, finished: Callable[[], AllFinished], but: Sequence[Path] = ()
) -> str:
    """Which copies of all that was made of a study or a corpus are outdated, in lines, but those that were made just now; empty
    where there is none. `current` is a corpus that is not, `finished` gives what is finished. Raises `FormatFault`, OSError."""
    written, new = everywhere(source), {path.resolve() for path in (*but, current.root)}
    copies = [path for path in map(Path, (*written.corpora, *written.packages, *written.pages)) if path not in new]
    if not (copies or written.encrypted) or not (looking := _Looking(current, finished())):
        return ""
    lines = [str(each) for each in looking.at(copies)]
    if unseen := [*(str(path) for path in copies if not path.exists()), *written.encrypted]:
        lines.append(
            f"not there, or encrypted, so that nobody can tell whether it was made before something was masked: {_some(unseen)}"
        )
    return "".join(f"{line}\n" for line in lines)


def outdated(copies: Sequence[Path], corpora: Iterable[Path]) -> list[Outdated]:
    """Which of some copies are outdated, held against the `corpora` beside which people have transcribed and that are not. Raises
    OSError."""
    beside = {work_path(root): root for root in corpora if work_path(root).is_file()}
    found = dict[Path, Outdated]()
    for work, root in beside.items():
        with suppress(FormatFault, *UNREADABLE):  # who withdraws is told of a corpus or of work that cannot be read
            if looking := _Looking(Corpus(root), finished_in(work)):
                found |= {each.place: each for each in looking.at(copies) if each.place not in found}
    return list(found.values())


class _Looking:
    """Holds copies against a corpus in which everything is masked that is to be."""

    def __init__(self, current: Corpus, finished: AllFinished) -> None:
        self._current, self._finished = current, finished
        self.phrases = finished.phrases
        self.waves = {path: entry.masked for path, entry in current.manifest.files.items() if entry.masked}

    def __bool__(self) -> bool:
        return bool(self.phrases or self.waves)

    def at(self, places: Iterable[Path]) -> Iterator[Outdated]:
        """Those of the copies that are there and outdated."""
        return (each for each in self._all(places) if each.sounds or each.texts)

    def _all(self, places: Iterable[Path]) -> Iterator[Outdated]:
        for place in places:
            inside = next((root for root in (place, place / "data") if is_in(root)), None)
            try:
                if inside is not None:
                    yield self._corpus(place, Corpus(inside))
                elif (place / layout.SESSIONS).is_file():
                    yield self._package(place)
                elif place.is_file():
                    page = self._anywhere(html.unescape(place.read_text("utf-8", "replace")))
                    yield Outdated(place, texts=(place.name,) if page else ())
            except (FormatFault, OSError):  # who withdraws, or verifies it, is told what is wrong with it
                continue

    def _corpus(self, place: Path, copy: Corpus) -> Outdated:
        listed, current = copy.manifest.files, self._current.manifest.files
        sounds = [path for path, masked in self.waves.items() if path in listed and listed[path].masked != masked]
        texts = list[str]()
        for path, entry in listed.items() if self.phrases else ():
            same = path in current and current[path].sha256 == entry.sha256
            if path.endswith(_SPOKEN) and not same:
                found = self._found(unescaped(copy.read(path)))
                stays = self._found(unescaped(self._current.read(path))) if found and path in current else self._stands
                texts += [path] if {*found} - {*stays} else []
        return Outdated(place, tuple(sorted({*map(_utterance, sounds)})), tuple(texts))

    def _package(self, place: Path) -> Outdated:
        sounds, texts = list[str](), list[str]()
        waves = {_stem(path): path for path in self.waves if _stem(path).endswith(PRIMARY)}
        for path in sorted(each for each in place.rglob("*") if each.is_file()):
            if path.suffix == ".wav":
                wave = waves.get(path.stem)
                if wave and path.read_bytes() != base.sound_of(self._current.read(wave), wave).data:
                    sounds.append(_utterance(wave))
            elif path.name not in _ABOUT and self._named_in(path.name, path.read_text("utf-8", "replace")):
                texts.append(path.relative_to(place).as_posix())
        return Outdated(place, tuple(sounds), tuple(texts))

    def _named_in(self, name: str, text: str) -> bool:
        """Whether a line has words that stand in no text of the utterance that it names."""
        for line in text.splitlines() if self.phrases.stand_in(text) else ():
            for phrase in self._found(line):
                if not any(stem in line or stem in name for stem in self._stands.get(phrase, ())):
                    return True
        return False

    def _anywhere(self, text: str) -> bool:
        return any(phrase not in self._stands for phrase in self._found(text))

    def _found(self, text: str) -> list[Phrase]:
        return self.phrases.found_in(text)

    @cached_property
    def _stands(self) -> dict[Phrase, list[str]]:
        """The words that somebody who transcribed an utterance has let stand there, with the names of those utterances and of
        their subject-scenarios."""
        public = {
            take: " ".join(lexicon.words(masking.masked(done.transcription))) for take, done in self._finished.items()
        }
        found = {take: self._found(text) for take, text in public.items()}
        stands = dict[Phrase, list[str]]()
        for stem, take in self._named([take for take, phrases in found.items() if phrases]):
            for phrase in found.get(take, ()):
                whole = msgspec.structs.replace(stem, utterance=0)
                stands.setdefault(phrase, []).extend(str(each)[:-1] for each in (stem, whole))
        return stands

    def _named(self, takes: Sequence[str]) -> Iterator[tuple[StemName, str]]:
        """Takes with their names, here and as they were when they were transcribed: a part of a corpus has not all that is
        finished beside it, and in a renamed one some have other names."""
        for take in takes:
            with suppress(ValueError):
                yield StemName.parse(self._finished[take].utterance), take
        for log in self._current.logs if takes else ():
            yield from self._current.takes(log)


def _utterance(path: str) -> str:
    name = speech_name(path)
    return str(msgspec.structs.replace(name.stem, mic="x")) if name is not None else _stem(path)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".wav")


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(map(str, names[:3])) + more
