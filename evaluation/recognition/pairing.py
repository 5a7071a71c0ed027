"""Reference and hypothesis brought together, utterance by utterance: by id, by time, or line by line.

Ids that only one side has are a fault, unless what is missing is to be counted as deleted. MADCOW names may differ in their last
letter, the microphone: each microphone's words are held against the same reference, and the official one is the result.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping

import msgspec

from corpus.formats.errors import FormatFault
from corpus.formats.nist import stm
from corpus.formats.nist.ctm import ALTERNATES, TimedWord
from evaluation.recognition.transcripts import About, Transcript, speaker_of, stem_of
from session.values.names import PRIMARY

_SHOWN = 3
_NO_WORDS = "a reference without a word"


class Unit(msgspec.Struct, frozen=True, gc=False):
    """One utterance to align; `timed` are the words of both sides where both have times."""

    key: str
    reference: str
    hypothesis: str
    about: About
    timed: tuple[tuple[TimedWord, ...], tuple[TimedWord, ...]] | None = None


def paired(
    reference: Transcript,
    hypothesis: Transcript,
    *,
    rule: str = "auto",
    deleted: bool = False,
    index: Mapping[str, Mapping[str, str]] | None = None,
) -> list[Unit]:
    """Return the utterances of both sides together; raises `FormatFault` for what only one of them has.

    `rule` says how an id names its speaker, `deleted` that what the hypothesis lacks counts as deleted, `index` what is
    known of the utterances by id.
    """
    _refuse_empty(reference)
    if reference.marked is not None:
        units = list(_by_time(reference, hypothesis))
    elif reference.form == "ctm":
        units = list(_by_channel(reference, hypothesis, deleted))
    else:
        units = _by_id(reference, hypothesis, rule, deleted)
    return [_indexed(unit, index) for unit in units] if index else units


def _refuse_empty(reference: Transcript) -> None:
    if reference.form == "ctm":
        empty = not reference.timed
    else:
        empty = not any(text and not text.isspace() for text in reference.texts.values())
    if empty:
        raise FormatFault(reference.path, 0, _NO_WORDS, "there is nothing to score against; name the transcriptions")


def _by_id(reference: Transcript, hypothesis: Transcript, rule: str, deleted: bool) -> list[Unit]:
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
            raise hypothesis.fault(key, f"{key} is there already, by another name", "keep one of them")
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
    units: list[Unit] = []
    for microphone in sorted(heard, key=lambda letter: (letter != official, letter)):
        for key, text in reference.texts.items():
            if key in heard[microphone] or microphone == official:
                about = _about(reference, key, microphone, rule)
                units.append(Unit(key, text, heard[microphone].get(key, ""), about))
    return units


def _keys(reference: Transcript) -> dict[str, str] | None:
    """The ids by their names without microphone, where all are MADCOW names and differ in more than that; else None."""
    found: dict[str, str] = {}
    for key in reference.texts:
        stem, _ = stem_of(key)
        if not stem or stem in found:
            return None
        found[stem] = key
    return found


def _about(reference: Transcript, key: str, microphone: str, rule: str) -> About:
    about = reference.about.get(key)
    if about is None:
        try:
            return About(speaker_of(key, rule), microphone=microphone)
        except ValueError as error:
            raise reference.fault(key, str(error), "name it SPEAKER-UTTERANCE, or choose another rule") from None
    return msgspec.structs.replace(about, microphone=microphone) if microphone else about


def _same_lines(reference: Transcript, hypothesis: Transcript) -> None:
    if reference.form != hypothesis.form:
        found = f"lines without ids against a {hypothesis.form if reference.form == 'plain' else reference.form}"
        raise FormatFault(hypothesis.path, 0, found, "give both sides as plain text, or both with ids")
    ours, theirs = len(reference.texts), len(hypothesis.texts)
    if ours != theirs:
        remedy = "plain text has an utterance a line, an empty one where nothing was heard"
        raise FormatFault(
            hypothesis.path, min(ours, theirs) + 1, f"{theirs} lines against {ours} of the reference", remedy
        )


def _by_time(reference: Transcript, hypothesis: Transcript) -> Iterator[Unit]:
    """Words go to the segment whose end their middle lies before, what comes after the last one to the last."""
    if hypothesis.form != "ctm" or reference.marked is None:
        found = f"a {hypothesis.form} against an STM, which goes by time"
        raise FormatFault(hypothesis.path, 0, found, "give the hypothesis in CTM")
    by_channel: dict[tuple[str, str], list[int]] = defaultdict(list)
    segments = reference.marked.segments
    for number, segment in enumerate(segments):
        by_channel[segment.file.lower(), segment.channel.lower()].append(number)
    heard: dict[int, list[str]] = defaultdict(list)
    within = None
    for word in hypothesis.timed:
        own = by_channel.get((word.file.lower(), word.channel.lower()))
        if own is None:
            found = f"{word.file} {word.channel} has no segment in {reference.path}"
            raise FormatFault(hypothesis.path, word.line, found, "file and channel are those of the reference")
        if word.text not in ALTERNATES or within is None:
            ends = [segments[number].end for number in own]
            place = own[min(bisect_right(ends, word.middle), len(own) - 1)]
        place = place if within is None else within
        heard[place].append(ALTERNATES.get(word.text, word.text))
        within = None if word.text == "<ALT_END>" else place if word.text == "<ALT_BEGIN>" else within
    for number, (key, text) in enumerate(reference.texts.items()):
        if segments[number].text.upper() != stm.IGNORED:
            yield Unit(key, text, " ".join(heard[number]), reference.about[key])


def _by_channel(reference: Transcript, hypothesis: Transcript, deleted: bool) -> Iterator[Unit]:
    """Whole files against one another, where both sides have times and no segments."""
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
            remedy = f"recognise it, or count it as deleted (`--missing deleted`); {reference.path}:{words[0].line}"
            raise FormatFault(hypothesis.path, 0, f"nothing for {' '.join(key)}", remedy)
        timed = tuple(words), tuple(sides[1].get(key, ()))
        texts = [" ".join(ALTERNATES.get(word.text, word.text) for word in side) for side in timed]
        yield Unit("-".join(key), texts[0], texts[1], About(key[0]), timed)


def _channels(side: Transcript) -> dict[tuple[str, str], list[TimedWord]]:
    found: dict[tuple[str, str], list[TimedWord]] = defaultdict(list)
    for word in side.timed:
        found[word.file.lower(), word.channel.lower()].append(word)
    return dict(found)


def _indexed(unit: Unit, index: Mapping[str, Mapping[str, str]]) -> Unit:
    row = index.get(unit.key)
    if row is None:
        return unit
    given = {name: value for name, value in row.items() if name in About.__struct_fields__ and value != "-"}
    given |= {"category": row["class"]} if row.get("class", "-") != "-" else {}
    about: About = msgspec.structs.replace(unit.about, **given)
    return msgspec.structs.replace(unit, about=about)
