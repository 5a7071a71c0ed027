"""The same two utterances of two people, laid out as each format that can be imported has them."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import soundfile

from corpus.packages import eaf, textgrid
from corpus.packages.textgrid import TextGridInterval, Tier

RATE = 16_000
FIRST, SECOND = "show me flights to boston", "the cheapest one"
SPOKEN = {"first": (0.5, 1.5), "second": (2.0, 3.25)}
SOUND = (np.arange(4 * RATE) * 37 % 9001 - 4500).astype(np.int16)


def samples(which: str) -> bytes:
    """The samples of an utterance."""
    begin, end = SPOKEN[which]
    return SOUND[int(begin * RATE) : int(end * RATE)].tobytes()


def _whole(folder: Path, name: str = "one.wav") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    soundfile.write(folder / name, SOUND, RATE, subtype="PCM_16")


def _cut(path: Path, which: str, form: str | None = None, subtype: str = "PCM_16") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pcm = np.frombuffer(samples(which), np.int16)
    soundfile.write(path, pcm / 32_768 if subtype == "FLOAT" else pcm, RATE, subtype=subtype, format=form)


def csv(folder: Path) -> Path:
    _cut(folder / "clips/first.wav", "first", subtype="FLOAT")
    _cut(folder / "clips/second.flac", "second")
    rows = ["path,client_id,sentence,gender,age,mood"]
    rows += [
        f'clips/first.wav,anna,"{FIRST.capitalize()} —",female,31,good',
        f"clips\\second.flac,ben,{SECOND},unknown,,",
    ]
    (folder / "all.csv").write_text("\n".join(rows), "utf-8")
    return folder / "all.csv"


def more_clips(folder: Path) -> None:
    """Two clips that no table names yet."""
    for number, name in enumerate(("third", "fourth"), start=1):
        soundfile.write(folder / f"clips/{name}.wav", SOUND[: RATE * number // 2], RATE, subtype="PCM_16")


def kaldi(folder: Path) -> Path:
    _whole(folder / "wav")
    (folder / "wav.scp").write_text("rec cat wav/one.wav |\n")
    (folder / "segments").write_text("anna-1 rec 0.5 1.5\nben-1 rec 2 3.25\n")
    (folder / "utt2spk").write_text("anna-1 anna\nben-1 ben\n")
    (folder / "spk2gender").write_text("anna f\nben m\n")
    (folder / "text").write_text(f"anna-1 {FIRST.upper()}\nben-1 {SECOND.upper()}\n")
    return folder


def lhotse(folder: Path) -> Path:
    _whole(folder)
    source = {"type": "file", "channels": [0], "source": "one.wav"}
    (folder / "recordings.jsonl").write_text(json.dumps({"id": "rec", "sources": [source], "sampling_rate": RATE}))
    rows = []
    for which, text, speaker in (("first", FIRST, "anna"), ("second", SECOND, "ben")):
        begin, end = SPOKEN[which]
        times = {"start": begin, "duration": end - begin, "channel": 0}
        rows.append(json.dumps({"id": which, "recording_id": "rec", "text": text, "speaker": speaker} | times))
    (folder / "supervisions.jsonl").write_text("\n".join(rows))
    return folder


def textgrids(folder: Path) -> Path:
    _whole(folder)
    tiers = []
    for name, which, text in (("anna", "first", FIRST), ("ben", "second", SECOND)):
        begin, end = SPOKEN[which]
        tiers.append(
            Tier(name, (TextGridInterval(0, begin), TextGridInterval(begin, end, text), TextGridInterval(end, 4)))
        )
    (folder / "one.TextGrid").write_bytes(textgrid.render(tiers))
    return folder


def elan(folder: Path) -> Path:
    _whole(folder)
    tiers = []
    for name, which, text in (("anna", "first", FIRST), ("ben", "second", SECOND)):
        begin, end = SPOKEN[which]
        tiers.append(eaf.AnnotationTier(name, name, (eaf.EafAnnotation(int(begin * 1000), int(end * 1000), text),)))
    made = eaf.Document("2026-11-21T09:00:00+00:00", "one.wav", "en", tuple(tiers), {})
    (folder / "one.eaf").write_bytes(eaf.render(made))
    return folder


def bids(folder: Path) -> Path:
    _cut(folder / "sub-anna/ses-a/sub-anna_ses-a.wav", "first")
    _cut(folder / "sub-ben/sub-ben.wav", "second")
    (folder / "sub-anna/ses-a/sub-anna_ses-a.txt").write_text(f"{FIRST}\n")
    (folder / "sub-ben/sub-ben.json").write_text(json.dumps({"transcription": SECOND}))
    (folder / "participants.tsv").write_text("participant_id\tage\tsex\nsub-anna\t31\tF\nsub-ben\tn/a\tn/a\n")
    return folder


def spoken_in_a_row(folder: Path) -> Path:
    """A table of a spreadsheet that parts columns by semicolons, over one sound, of a person with many sessions."""
    _whole(folder)
    rows = ["Path;Speaker;Session;Offset;Duration;Text", f"one.wav;;;0.5;1;{FIRST}"]
    rows += [f"one.wav;Jörg;{day};{2 + day / 1000};0.01;<unk> [laughter] Straße" for day in range(40)]
    (folder / "all.csv").write_bytes("\r\n".join(rows).encode("utf-8-sig"))
    return folder / "all.csv"


def events(folder: Path) -> Path:
    """One person's sound, and what was said when in a table beside it."""
    _whole(folder / "sub-anna/beh", "sub-anna_task-x_audio.wav")
    rows = ["onset\tduration\ttranscript", f"0.5\t1\t{FIRST}", "1.6\t0.1\tn/a", f"2\t1.25\t{SECOND}"]
    (folder / "sub-anna/beh/sub-anna_task-x_events.tsv").write_text("\n".join(rows))
    return folder


def aligned(folder: Path) -> Path:
    """Words that an aligner wrote, in Praat's short form of old and in Latin-1, with points beside them."""
    _whole(folder / "anna")
    marks = [(0, 0.5, ""), (0.5, 0.75, "schöne"), (0.75, 1, "Flüge"), (1, 2, "sil"), (2, 3.25, SECOND), (3.25, 4, "")]
    lines = ['File type = "ooTextFile short"', '"TextGrid"', "0", "4", "<exists>", "2"]
    lines += ['"IntervalTier"', '"words"', "0", "4", f"{len(marks)}"]
    lines += [f'{begin}\n{end}\n"{text}"' for begin, end, text in marks]
    lines += ['"TextTier"', '"clicks"', "0", "4", "1", "1.2", '"x"']
    (folder / "anna/one.TextGrid").write_bytes("\n".join(lines).encode("latin-1"))
    return folder


def documented(folder: Path) -> Path:
    """A document beside its film, whose sound lies in another folder and began a second before; texts depend on numbers."""
    _whole(folder / "media", "an interview.wav")
    said = tuple(
        eaf.EafAnnotation(int(SPOKEN[which][0] * 1000) - 400, int(SPOKEN[which][1] * 1000) - 400, number, {"tx": text})
        for which, number, text in (("first", "A.001", FIRST), ("second", "A.002", SECOND))
    )
    tiers = (
        eaf.AnnotationTier("ref", "anna", said, ("tx",)),
        eaf.AnnotationTier("notes", "", (eaf.EafAnnotation(0, 900, "a door"),)),
    )
    made = eaf.render(eaf.Document("2026-11-21T09:00:00+00:00", "../media/an interview.wav", "en", tiers, {}, "", 400))
    film = b'<MEDIA_DESCRIPTOR MEDIA_URL="file:///C:/a.mp4" MIME_TYPE="video/mp4" RELATIVE_MEDIA_URL="./a.mp4" />'
    (folder / "eaf").mkdir()
    (folder / "eaf/one.eaf").write_bytes(
        b"\xef\xbb\xbf" + made.replace(b"<MEDIA_DESCRIPTOR", film + b"<MEDIA_DESCRIPTOR", 1)
    )
    return folder


def disc(folder: Path) -> Path:
    """As a disc has it: names in capitals with versions; the second utterance is the third of its scenario, in lexical words."""
    _cut(folder / "DISC1/SPON/4A1/1/4A1011SS.WAV;1", "first", "WAV")
    _cut(folder / "DISC1/SPON/4A2/3/4A2033SS.WAV;1", "second", "WAV")
    _cut(folder / "DISC1/SPON/4A2/3/4A2033SC.WAV;1", "first", "WAV")
    for name, text in (
        ("4A1/1/4A1011SX.SRO;1", f"{FIRST}\n"),
        ("4A1/1/4A1011SX.CAT;1", "A: yes/no\n"),
        ("4A1/1/4A1001SX.LOG;1", "in a grammar of 1992\n"),
        ("4A2/3/4A2033SX.LSN;1", f"{SECOND.upper()} (4A2033SX)\n"),
        ("4A2/3/4A2033SX.REF;1", "no answer\n"),
    ):
        (folder / "DISC1/SPON" / name).write_text(text)
    return folder


MADE: dict[str, Callable[[Path], Path]] = {
    "csv": csv,
    "kaldi": kaldi,
    "lhotse": lhotse,
    "textgrid": textgrids,
    "elan": elan,
    "bids": bids,
}
