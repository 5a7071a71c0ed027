"""The rules of Kaldi's data directory validator, stated again, so that tests need no Kaldi."""

import re
from pathlib import Path


def broken(root: Path) -> list[str]:
    """What the validator would complain of, without features."""
    tables: dict[str, list[list[str]]] = {}
    wrong: list[str] = []
    for name in ("utt2spk", "spk2utt", "text", "wav.scp", "utt2dur", "spk2gender"):
        path = root / name
        if not path.exists():
            if name not in ("spk2gender", "utt2dur"):
                wrong.append(f"{name} is missing")
            continue
        data = path.read_bytes()
        lines = data.split(b"\n")
        if not data or lines.pop() != b"":
            wrong.append(f"{name} is empty or does not end in a line end")
        keys = [line.split()[0] if line.split() else b"" for line in lines]
        if keys != sorted(set(keys)):
            wrong.append(f"{name} is not sorted or has a key twice")
        tables[name] = [line.decode().split() for line in lines]
    return wrong or _cross(root, tables)


def _cross(root: Path, tables: dict[str, list[list[str]]]) -> list[str]:
    wrong: list[str] = []
    pairs = [tuple(row) for row in tables["utt2spk"]]
    if any(len(pair) != 2 for pair in pairs):
        return ["utt2spk has not two columns"]
    if pairs != sorted(pairs, key=lambda pair: (pair[1].encode(), pair[0].encode())):
        wrong.append("utt2spk is not sorted by speaker")
    inverse = [(utterance, row[0]) for row in tables["spk2utt"] for utterance in row[1:]]
    if inverse != pairs:
        wrong.append("spk2utt is not the inverse of utt2spk")
    utterances = [pair[0] for pair in pairs]
    for name in ("text", "wav.scp", "utt2dur"):
        if name in tables and [row[0] for row in tables[name]] != utterances:
            wrong.append(f"{name} has other utterances")
    if "spk2gender" in tables:
        if any(len(row) != 2 or row[1] not in ("m", "f") for row in tables["spk2gender"]):
            wrong.append("spk2gender says other than m or f")
        if [row[0] for row in tables["spk2gender"]] != [row[0] for row in tables["spk2utt"]]:
            wrong.append("spk2gender has other speakers")
    if any(len(row) != 2 or not float(row[1]) > 0 for row in tables.get("utt2dur", [])):
        wrong.append("utt2dur has a duration that is none")
    text = (root / "text").read_text("utf-8")
    if re.search(r"[^\S \n\t]", text) or re.search(r"(^|\s)(<s>|</s>|#0)(\s|$)", text):
        wrong.append("text has a symbol or white space that is not allowed")
    if any(row[1].startswith("~") for row in tables["wav.scp"]):
        wrong.append("wav.scp has a tilde")
    return wrong
