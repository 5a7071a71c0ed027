"""Faults planted in what a centre receives, and every corpus that the verifier's tests know to be broken, delivered to one."""

import re
import shutil
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from corpus.verify.rules.catalogue import RULES
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from tests.corpus.centre.world import World, tarred
from tests.corpus.verify import breakages
from tests.corpus.verify.broken import Corpus, good_corpus

Plant = Callable[[Path], object]


def planted(corpus: Path, plant: Plant) -> Path:
    """A corpus with a fault in it."""
    plant(corpus)
    return corpus


def first(corpus: Path, pattern: str) -> Path:
    """The first file of this pattern."""
    return min(corpus.rglob(pattern))


def shout(corpus: Path) -> None:
    """Write a transcription in capitals, with the line ends of another system."""
    path = first(corpus, "*021sx.sro")
    path.write_bytes(path.read_bytes().upper().replace(b"\n", b"\r\n"))


def swap(corpus: Path) -> None:
    """Swap two waveforms."""
    one, two = first(corpus, "*011ss.wav"), first(corpus, "*031ss.wav")
    data = one.read_bytes()
    one.write_bytes(two.read_bytes())
    two.write_bytes(data)


def capitalise(corpus: Path) -> None:
    """Write names of waveforms in capitals."""
    for path in sorted(corpus.rglob("*1?ss.wav"))[:3]:
        path.rename(path.with_name(path.name.upper()))


def clutter(corpus: Path) -> None:
    """Leave an editor's backup, and move a file to where it does not belong."""
    path = first(corpus, "*021sx.sro")
    path.with_name(f"{path.name}~").write_bytes(b"old\n")
    path.rename(corpus / "spon" / path.name)


def flipped(archive: Path) -> Path:
    """The archive with one bit another."""
    data = bytearray(archive.read_bytes())
    data[len(data) // 2] ^= 1
    archive.write_bytes(data)
    return archive


def leading_out(archive: Path, link: bool) -> Path:
    """The archive with one more member, which leads out of it."""
    with tarfile.open(archive, "a") as tar:
        member = tarfile.TarInfo("doc/link" if link else "../../out.txt")
        member.type, member.linkname = (tarfile.SYMTYPE, "/etc/passwd") if link else (tarfile.REGTYPE, "")
        tar.addfile(member)
    return archive


def told_by(centre: Path, name: str) -> Iterator[str]:
    """The answers of a key that are in its package, byte by byte; there must be none."""
    folder = centre / "tests" / name
    with tarfile.open(folder / f"{name}.tar") as package:
        whole = b"".join(_data(package, member) for member in package if not member.name.endswith((".ndx", ".txt")))
    with tarfile.open(folder / f"{name}_key.tar") as key:
        for member in key:
            kind = member.name.rpartition(".")[2]
            if kind in ("sro", "lsn", "win", "sql", "sq2", "ref", "rf2", "cat", "drf"):
                data = _data(key, member).strip()
                if len(data) > 6 and data in whole:
                    yield member.name
    for word in (b"SELECT", b"[Reply:]", b"[Query", b"[Answer_", b"[Sentence_sent", b"[Utterance:]", b"flight_id"):
        if word in whole:
            yield word.decode()


def _data(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    found = tar.extractfile(member)
    return found.read() if found else b""


def left_of(centre: Path, speaker: str) -> list[str]:
    """The files of the centre that hold a person, but for the ledger and the lists of who left."""
    kept = ("ledger.sqlite", "removals.json", "holdout.json", "exports.log", f"withdrawals/{speaker}.txt", ".html")
    own = re.compile(rf"(?<![0-9a-z]){speaker}(?:[0-9a-z]{{3}}s[a-z])?(?![0-9a-z])".encode())
    return [
        str(path)
        for path in centre.rglob("*")
        if not str(path).endswith(kept)
        and (own.search(path.name.encode()) or (path.is_file() and own.search(path.read_bytes())))
        and path.parent.name != "returned"  # which says that the person came again
    ]


def breakages_caught(folder: Path) -> list[str]:
    """Deliver each and print the figures; return what got through, a sentence each."""
    folder.mkdir()
    good = good_corpus(folder / "good").root
    severities = {name: rule.severity for name, rule in RULES.items()}
    became, through = Counter[tuple[str, str]](), list[str]()
    for number, breakage in enumerate(breakages.ALL):
        place = folder / str(number)
        place.mkdir()
        shutil.copytree(good, place / "bbn")
        corpus = Corpus(place / "bbn")
        try:
            breakage.act(corpus)
            if breakage.resealed:
                corpus.reseal()
            archive = tarred(corpus.root, place / "a.tar")
        except (OSError, ValueError):
            became["cannot be packed", str(severities[breakage.rule])] += 1
            continue
        world = World(place)
        status, line = world.receive(archive)
        outcome = line.partition("\t")[2] if status < 2 else "refused"
        became[outcome, str(severities[breakage.rule])] += 1
        through += [f"{breakage.name}: {why}" for why in _wrong(world, outcome, severities[breakage.rule])]
        shutil.rmtree(place)
    print(f"broken corpora: {len(breakages.ALL)}")
    for (outcome, severity), number in sorted(became.items()):
        print(
            f"  {number:3} with an {severity}: {outcome}"
            if severity == "error"
            else f"  {number:3} with a {severity}: {outcome}"
        )
    return through


def _wrong(world: World, outcome: str, severity: Severity) -> Iterator[str]:
    if outcome == "accepted" and severity is Severity.ERROR:
        yield "accepted as it was"
    if outcome in ("accepted", "fixed") and verify(world.root / "deliveries/bbn_1").count(Severity.ERROR):
        yield f"{outcome} with an error in it"
