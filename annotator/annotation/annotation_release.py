"""Annotations in force as the files of a new corpus: `.cat`, `.win`, and by program `.sql`, `.sq2`, `.ref`, `.rf2`.

Only what a second person has checked, what two agree on, or what was ruled gets into it; whatever else stood there as an
annotation of these utterances goes, so that no unchecked work is ever handed on.
"""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from annotator.annotation.annotation_rules import category_of
from annotator.annotation.sentence_reader import SentenceReader
from annotator.annotation.standing import UtteranceAnnotations, Waits
from corpus.annotation.overlay import Change
from corpus.annotation.submitted_answers import annotations
from corpus.dataset.reader import Corpus
from corpus.formats import cat, layout
from corpus.formats.errors import FormatFault
from evaluation.references.make_references import RefusedRequest
from evaluation.references.sql_from_sentences import NotUnderstood
from session.values.names import StemName


class Released(msgspec.Struct, frozen=True):
    """The files by their paths, and how many utterances have none yet, by what they wait for."""

    files: Mapping[str, bytes]
    held_back: Mapping[str, int]
    utterances: int


def path_of(utterance: str, kind: str) -> str:
    """The place of an utterance's file of this type."""
    return str(layout.path_of(layout.file_name(StemName.parse(utterance), kind)))


def released(
    found: Mapping[str, UtteranceAnnotations],
    takes: Iterable[str],
    days: Mapping[str, str],
    reader: SentenceReader | None,
) -> Released:
    """Return what is released of the utterances of these takes; raises FormatFault if an annotation in force gives no
    reference answer any more."""
    files: dict[str, bytes] = {}
    held_back: dict[str, int] = {}
    count = 0
    for take in takes:
        one = found.get(take)
        if one is None or one.waits is not Waits.NOBODY or one.final is None:
            waits = str(one.waits if one is not None else Waits.ANNOTATOR)
            held_back[waits] = held_back.get(waits, 0) + 1
            continue
        count += 1
        files |= _files(one, days.get(take, ""), reader)
    return Released(files, held_back, count)


def _files(one: UtteranceAnnotations, day: str, reader: SentenceReader | None) -> dict[str, bytes]:
    final = one.final
    assert final is not None
    category = cat.render(category_of(final, one.principles, one.dependent))
    files = {path_of(one.utterance, "cat"): category}
    if one.evaluation == "X":
        return files
    if reader is None:
        raise FormatFault(
            one.utterance, 0, "no database is named to make its reference answer from", "say --domain and --database"
        )
    try:
        made = reader.files(final, day)
    except (NotUnderstood, RefusedRequest) as error:
        raise FormatFault(one.utterance, 0, str(error), "reopen its annotation") from error
    return files | {path_of(one.utterance, kind): data for kind, data in made.items()}


def laid_over(corpus: Corpus, made: Released) -> Iterator[Change]:
    """The annotations that are released, over the corpus."""
    return annotations(corpus, made.files)
