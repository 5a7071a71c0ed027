"""A Kaldi data directory: plain tables keyed by utterance, in the byte order that its tools insist on.

What its validator asks for, restated: every table ends in a line end, is sorted by its first column as LC_ALL=C sorts and has
each key once; `utt2spk` has two columns and is sorted by speaker as well, which a speaker id that begins every utterance id
brings about; `spk2utt` is its inverse; `text`, `wav.scp` (there are no `segments`) and `utt2dur` have the same utterances;
`text` has no carriage return, no white space but blanks, and none of `<s>`, `</s>`, `#0`; `spk2gender` says m or f of every
speaker; durations are above zero.
"""

from collections.abc import Iterable

from corpus.formats.errors import counted
from corpus.io.staging import Refused, Staging
from corpus.packages.package_writer import Contents, PackageSummary, speakers_of, transcribed

HOW = """\
A Kaldi data directory. Paths in wav.scp are relative to this directory: run Kaldi from here, or put the path before them:
    sed "s| | $PWD/|" wav.scp > absolute.scp
text holds the lexical form (.lsn): upper case, fragments end in a hyphen. utt2dur is in seconds."""


def write(contents: Contents, staging: Staging) -> PackageSummary:
    """Write the tables and the waveforms."""
    every, notes = transcribed(contents)
    found = [utterance for utterance in every if utterance.turn.known_words]
    if not found:
        raise Refused(
            "every transcription is without a word, or has words that nobody knows: none has a place in Kaldi's text"
        )
    if len(found) < len(every):
        empty = sum(not utterance.turn.text and not utterance.turn.unknown for utterance in every)
        unknown = sum(utterance.turn.unknown for utterance in every)
        reasons = ((empty, "without a word"), (unknown, "with words that are masked or unintelligible"))
        notes = (*notes, *(f"{counted(count, 'utterance')} {why}" for count, why in reasons if count))
    durations: dict[str, str] = {}
    for utterance, sound in zip(found, contents.sounds(utterance.path for utterance in found), strict=True):
        durations[utterance.name] = f"{sound.seconds:.6f}"
        staging.write(_place(utterance.name), sound.data)
    by_speaker: dict[str, list[str]] = {}
    for utterance in found:
        by_speaker.setdefault(utterance.speaker.speaker, []).append(utterance.name)
    tables = {
        "text": [(utterance.name, utterance.turn.text) for utterance in found],
        "wav.scp": [(utterance.name, _place(utterance.name)) for utterance in found],
        "utt2spk": [(utterance.name, utterance.speaker.speaker) for utterance in found],
        "spk2utt": [(speaker, " ".join(names)) for speaker, names in by_speaker.items()],
        "utt2dur": list(durations.items()),
    }
    sexes = {utterance.speaker.speaker: utterance.speaker.sex for utterance in found}
    if set(sexes.values()) <= {"m", "f"}:
        tables["spk2gender"] = list(sexes.items())
    else:
        notes = (*notes, "spk2gender, which knows only m and f, because not all speakers are one of these or stated it")
    for name, rows in tables.items():
        staging.write(name, table(rows))
    return PackageSummary(len(found), speakers_of(found), HOW, notes)


def table(rows: Iterable[tuple[str, str]]) -> bytes:
    """A table sorted by its keys as bytes."""
    return b"".join(sorted(f"{key} {value}\n".encode() for key, value in rows))


def _place(name: str) -> str:
    return f"audio/{name[:3]}/{name}.wav"
