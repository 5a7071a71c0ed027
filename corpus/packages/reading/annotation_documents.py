"""TextGrids, ELAN's documents and CHAT's transcripts, read back."""

from collections.abc import Iterator
from pathlib import Path

from corpus.formats import lsn, sro
from corpus.formats.errors import FormatFault
from corpus.packages import eaf, textgrid
from corpus.packages.reading.read_back import ReadUtterance, files, held, known, stem_of
from corpus.packages.talkbank import cha


def textgrids(root: Path) -> Iterator[ReadUtterance]:
    """The utterances of the grids beside the waveforms; a text that is not there is taken for one of no word."""
    for path in files(root, "*/???/*/*.TextGrid"):
        tiers = {tier.name: tier for tier in textgrid.parse(held(root, path), path)}
        if not all(name in tiers and tiers[name].intervals for name in ("words", "detailed")):
            raise FormatFault(path, 0, "no tiers words and detailed with intervals", "export the package again")
        words, detailed = (tiers[name].intervals for name in ("words", "detailed"))
        name = path.rpartition("/")[2].removesuffix(".TextGrid")
        sound = held(root, path.removesuffix(".TextGrid") + ".wav")
        said, marked = words[0].text, detailed[0].text or None
        yield ReadUtterance(stem_of(name), name[:3], known(said, marked), marked, words[-1].end, sound)


def elan(root: Path) -> Iterator[ReadUtterance]:
    """The utterances of ELAN's documents."""
    for path in files(root, "*/*.eaf"):
        for tier in eaf.parse(held(root, path), path).tiers:
            for one in tier.annotations:
                if stem := one.below.get("utterance"):
                    detailed = one.below.get("detailed") or None
                    length = (one.end - one.begin) / 1000
                    yield ReadUtterance(stem, tier.participant, known(one.text, detailed), detailed, length)


def chat(root: Path) -> Iterator[ReadUtterance]:
    """The subject's lines of CHAT's transcripts: the detailed transcription is beside them, and the words follow from it."""
    for path in files(root, "*/*.cha"):
        for line in cha.parse(held(root, path), path).lines:
            tiers = {tier.name: tier.text for tier in line.tiers}
            if stem := tiers.get("xutt"):
                detailed = tiers.get("xsro", "" if line.words in ("0 .", "0 +/.") else None)
                words = None if detailed is None else " ".join(lsn.derive(sro.parse(detailed, path)).words)
                length = (line.stretch[1] - line.stretch[0]) / 1000 if line.stretch else None
                yield ReadUtterance(stem, stem[:3], known(words, detailed), detailed or None, length)
