"""Reference and hypothesis brought together, utterance by utterance: by id, by time, or line by line.

Ids that only one side has are a fault, unless what is missing is to be counted as deleted. MADCOW names may differ in their
last letter, the microphone: each microphone's words are compared with the same reference, and the official one is the result.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import msgspec
import numpy as np

from corpus.formats.errors import FormatFault
from corpus.formats.nist.ctm import ALTERNATES, TimedWord
from evaluation.recognition.channel_chunks import Words, chunked
from evaluation.recognition.networks import NOTHING
from evaluation.recognition.transcripts import TranscriptSide, UtteranceMetadata, speaker_of, stem_of
from session.values.names import PRIMARY

_SHOWN = 3
_TOLD = ("speaker", "site", "condition", "microphone", "session", "category")
_NO_WORDS = "a reference without a word"


class UtterancePair(msgspec.Struct, frozen=True, gc=False):
    """One utterance to align; `chunks` are the words of both sides where both have times, cut at pauses."""

    key: str
    reference: str
    hypothesis: str
    about: UtteranceMetadata
    chunks: tuple[tuple[Words, Words], ...] = ()


def paired(
    reference: TranscriptSide,
    hypothesis: TranscriptSide,
    *,
    rule: str = "auto",
    deleted: bool = False,
    index: Mapping[str, Mapping[str, str]] | None = None,
) -> list[UtterancePair]:
    """Return the utterances of both sides together; raises `FormatFault` for what only one of them has.

    `rule` says how an id names its speaker, `deleted` that what the hypothesis lacks counts as deleted, `index` what is
    known of the utterances by id.
    """
    _refuse_empty(reference)
    if reference.marked is not None:
        units = list(_by_time(reference, hypothesis, deleted))
    elif reference.form == "ctm":
        units = list(_by_channel(reference, hypothesis, deleted))
    else:
        units = _by_id(reference, hypothesis, rule, deleted)
    return [_indexed(unit, index) for unit in units] if index else units


def _refuse_empty(reference: TranscriptSide) -> None:
    if reference.form == "ctm":
        empty = not reference.timed
    else:
        empty = not any(text and not text.isspace() for text in reference.texts.values())
    if empty:
        raise FormatFault(reference.path, 0, _NO_WORDS, "there is nothing to score against; name the transcriptions")


def _by_id(reference: TranscriptSide, hypothesis: TranscriptSide, rule: str, deleted: bool) -> list[UtterancePair]:
    if hypothesis.form == "ctm" or hypothesis.marked is not None:
        found = f"a {hypothesis.form.upper()}, which goes by time, against ids"
        raise FormatFault(hypothesis.path, 0, found, "give a reference in STM or CTM, or a hypothesis in TRN")
    if "plain" in (reference.form, hypothesis.form):
        _same_lines(reference, hypothesis)
        rule = "auto"
    keys = _keys(reference)
    heard: dict[str, dict[str, str]] = defaultdict(dict)
    for key, text in hypothesis.texts.items():
        stem, microphone = stem_of(key) if keys is not None else (key, "")
        known = keys.get(stem) if keys is not None else (key if key in reference.texts else None)
        if known is None:
            remedy = "both sides need the same ids; take it out, or name the reference that has it"
            raise hypothesis.fault(key, f"{key} is not in {reference.path or 'the reference'}", remedy)
        if known in heard[microphone]:
            raise hypothesis.fault(key, f"{key} already exists, by another name", "keep one of them")
        heard[microphone][known] = text
    official = PRIMARY if PRIMARY in heard else min(heard, default="")
    missing = [key for key in reference.texts if key not in heard[official]]
    if missing and not deleted:
        shown = ", ".join(missing[:_SHOWN]) + (f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else "")
        place = f"{reference.path}:{reference.line(missing[0])}"
        remedy = (
            f"said in {place}; write its id alone where nothing was heard, or count it as deleted (`--missing deleted`)"
        )
        raise FormatFault(hypothesis.path, 0, f"nothing for {shown}", remedy)
    units: list[UtterancePair] = []
    for microphone in sorted(heard, key=lambda letter: (letter != official, letter)):
        for key, text in reference.texts.items():
            if key in heard[microphone] or microphone == official:
                about = _about(reference, key, microphone, rule)
                units.append(UtterancePair(key, text, heard[microphone].get(key, ""), about))
    return units


def _keys(reference: TranscriptSide) -> dict[str, str] | None:
    """The ids by their names without microphone, where all are MADCOW names and differ in more than that; else None."""
    found: dict[str, str] = {}
    for key in reference.texts:
        stem, _ = stem_of(key)
        if not stem or stem in found:
            return None
        found[stem] = key
    return found


def _about(reference: TranscriptSide, key: str, microphone: str, rule: str) -> UtteranceMetadata:
    about = reference.about.get(key)
    if about is None:
        try:
            # why: a reference with a text for each microphone has them apart by its ids alone
            return UtteranceMetadata(speaker_of(key, rule), microphone=microphone or stem_of(key)[1])
        except ValueError as error:
            raise reference.fault(key, str(error), "name it SPEAKER-UTTERANCE, or choose another rule") from None
    return msgspec.structs.replace(about, microphone=microphone) if microphone else about


def _same_lines(reference: TranscriptSide, hypothesis: TranscriptSide) -> None:
    if reference.form != hypothesis.form:
        found = f"lines without ids against a {hypothesis.form if reference.form == 'plain' else reference.form}"
        raise FormatFault(hypothesis.path, 0, found, "give both sides as plain text, or both with ids")
    ours, theirs = len(reference.texts), len(hypothesis.texts)
    if ours != theirs:
        remedy = "plain text has an utterance a line, an empty one where nothing was heard"
        raise FormatFault(
            hypothesis.path, min(ours, theirs) + 1, f"{theirs} lines against {ours} of the reference", remedy
        )


def _by_time(reference: TranscriptSide, hypothesis: TranscriptSide, deleted: bool) -> Iterator[UtterancePair]:
    """Words go, in their order, to the first segment of their channel that ends after their middle, as sclite gives them; those
    behind the last segment to it. Alternates go as one, by the latest middle among them."""
    if hypothesis.form != "ctm" or reference.marked is None:
        found = f"a {hypothesis.form} against an STM, which goes by time"
        raise FormatFault(hypothesis.path, 0, found, "give the hypothesis in CTM")
    by_channel: dict[tuple[str, str], list[int]] = defaultdict(list)
    segments = reference.marked.segments
    for number, segment in enumerate(segments):
        by_channel[segment.place].append(number)
    said = _channels(hypothesis)
    for place, words in said.items():
        if place not in by_channel:
            found = f"{words[0].file} {words[0].channel} has no segment in {reference.path}"
            raise FormatFault(hypothesis.path, words[0].line, found, "file and channel are those of the reference")
    heard: dict[int, list[str]] = {}
    for place, numbers in by_channel.items():
        if place not in said and not deleted:
            spoken = [number for number in numbers if segments[number].text and not segments[number].ignored]
            if spoken:
                raise _nothing_for(place, hypothesis, reference, reference.marked.lines[spoken[0]])
        heard |= _shared_out(said.get(place, []), numbers, [segments[number].end for number in numbers])
    for number, (key, text) in enumerate(reference.texts.items()):
        if not segments[number].ignored:
            yield UtterancePair(key, text, " ".join(heard[number]), reference.about[key])


def _shared_out(words: Sequence[TimedWord], numbers: Sequence[int], ends: Sequence[float]) -> dict[int, list[str]]:
    """Return what was heard in each segment of a channel. sclite reads the ends of segments in single precision, the times of
    words in double: what is equal in decimals falls to the same side as there."""
    single = np.array(ends, np.float32).tolist()
    found: dict[int, list[str]] = {number: [] for number in numbers}
    place = 0
    for group in _groups(words):
        middle = max(word.middle for word in group if word.text not in ALTERNATES)
        while place < len(numbers) - 1 and middle >= single[place]:
            place += 1
        found[numbers[place]] += marked_up(group)
    return found


def _groups(words: Sequence[TimedWord]) -> Iterator[list[TimedWord]]:
    """Yield each word alone, and alternates with their marks together."""
    group: list[TimedWord] = []
    for word in words:
        group.append(word)
        if group[0].text != "<ALT_BEGIN>" or word.text == "<ALT_END>":
            yield group
            group = []


def marked_up(words: Sequence[TimedWord]) -> Iterator[str]:
    """Yield words as a text has them; an empty alternate is nothing."""
    for before, word in zip([None, *words], words, strict=False):
        if word.text in ("<ALT>", "<ALT_END>") and before is not None and before.text in ("<ALT_BEGIN>", "<ALT>"):
            yield NOTHING
        yield ALTERNATES.get(word.text, word.text)


def _nothing_for(
    place: tuple[str, str], hypothesis: TranscriptSide, reference: TranscriptSide, line: int
) -> FormatFault:
    remedy = f"recognise it, or count it as deleted (`--missing deleted`); {reference.path}:{line}"
    return FormatFault(hypothesis.path, 0, f"nothing for {' '.join(place)}", remedy)


def _by_channel(reference: TranscriptSide, hypothesis: TranscriptSide, deleted: bool) -> Iterator[UtterancePair]:
    """Channels against one another where both sides have times and no segments; a channel is an utterance and a speaker."""
    if hypothesis.form != "ctm":
        found = f"a {hypothesis.form} against a CTM, which goes by time"
        raise FormatFault(hypothesis.path, 0, found, "give the hypothesis in CTM")
    sides = [_channels(side) for side in (reference, hypothesis)]
    for key, words in sides[1].items():
        if key not in sides[0]:
            found = f"{' '.join(key)} is not in {reference.path}"
            raise FormatFault(hypothesis.path, words[0].line, found, "file and channel are those of the reference")
    for key, words in sides[0].items():
        if key not in sides[1] and not deleted:
            raise _nothing_for(key, hypothesis, reference, words[0].line)
        channel = "-".join(key)
        chunks = tuple(chunked(words, sides[1].get(key, ())))
        texts = [" ".join(marked_up([word for chunk in chunks for word in chunk[side]])) for side in (0, 1)]
        yield UtterancePair(channel, texts[0], texts[1], UtteranceMetadata(channel), chunks)


def _channels(side: TranscriptSide) -> dict[tuple[str, str], list[TimedWord]]:
    found: dict[tuple[str, str], list[TimedWord]] = defaultdict(list)
    for word in side.timed:
        found[word.place].append(word)
    return dict(found)


def names_of(key: str) -> tuple[str, ...]:
    """Return the names by which an index may know an utterance: its own and, as in MADCOW, that of all its microphones.

    >>> names_of("8k1011ss"), names_of("s1-1")
    (('8k1011ss', '8k1011sx'), ('s1-1',))
    """
    return (key, key[:-1] + "x") if stem_of(key)[0] else (key,)


def _indexed(unit: UtterancePair, index: Mapping[str, Mapping[str, str]]) -> UtterancePair:
    row = next((index[name] for name in names_of(unit.key) if name in index), None)
    if row is None:
        return unit
    given = {name: value for name, value in row.items() if name in _TOLD and value != "-"}
    given |= {"category": row["class"]} if row.get("class", "-") != "-" else {}
    about: UtteranceMetadata = msgspec.structs.replace(unit.about, **given)
    return msgspec.structs.replace(unit, about=about)
