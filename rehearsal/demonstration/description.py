"""The demonstration corpus's own metadata and README."""

from collections.abc import Mapping
from importlib.metadata import version

from corpus.dataset.reader import Corpus
from corpus.packages.formats import ExportFormat

METADATA = '''
[metadata]
title = "Curtain's demonstration corpus (synthetic)"
description = """
Synthetic speech of scripted people who ask a database about flights. Nobody was recorded: it shows what a corpus of Curtain looks
like, and is not data."""
creators = [{ name = "Curtain" }]
licence = "CC0-1.0"
contact = "nobody@example.org"
language = "en-US"
keywords = ["synthetic", "demonstration", "spoken dialogue", "wizard of oz"]
ethics = "none: nobody took part"
'''

_PAGE = """\
# A demonstration corpus: synthetic

**Nobody was recorded.** The people are scripted, the speech was made by {synthesiser}, and every session says of itself that it
is a rehearsal. It shows what a corpus of Curtain looks like once it has been collected, transcribed, annotated, judged, split and
scored. Train and measure nothing with it that is to hold for people.

{sessions} sessions of {speakers} speakers at {sites}, {utterances} utterances. Made by Curtain {version} with

    curtain demo DIR --seed {seed}

| here | what it is |
| --- | --- |
| `corpus/` | the corpus in the MADCOW layout: logs, sound, transcriptions, annotations and reference answers |
| `release/`, `pool/` | its two sets by whole speaker; the pool is a blind test, without answers |
| `holdout.json`, `sets.txt` | who is in which set |
| `formats/FORMAT/` | all of it in every format of `curtain export --as`, each with a README of its own |
| `work.sqlite` | what annotators and raters said, fact by fact: try `curtain judge corpus --show report` |
| `agreement.txt`, `judgements.txt` | how far annotators agree; what raters made of the dialogues |
| `systems/`, `scores.txt` | the answers of three systems, the wizard and two that are made up, and their scores |

Try

    curtain verify corpus
    curtain report corpus --out page.html
    curtain show corpus/spon/{first}/1/{first}001sx.log
    python -c 'from corpus import open_corpus; print([(u.stem, u.text) for u in open_corpus("corpus").utterances[:4]])'

The wizard's answers are tables for a person: they show more than was asked for, which the maximal answers forbid. `curtain score
corpus wizard=systems/wizard.cas --minimal` holds them to what had to be there.

Sound that is in several packages is stored once (hard links): copy a folder before you change anything in it.

The same seed gives the same bytes on a machine with the same version of Curtain and the same speaker of words, but for
`work.sqlite`, whose facts carry salts so that they can be erased.
{absent}"""


def readme(corpus: Corpus, seed: int, synthesiser: str, left_out: Mapping[str, str]) -> str:
    """The page for a corpus that was made from a seed; `left_out` tells why a format is not there."""
    sessions = corpus.manifest.sessions
    speakers = sorted({entry.speaker for entry in sessions})
    sites = ", ".join(sorted({entry.site for entry in sessions}))
    absent = "".join(
        f"\n`formats/{form}` is not here: {why}.\n" for form, why in left_out.items() if form in [*ExportFormat]
    )
    return _PAGE.format(
        synthesiser=synthesiser, sessions=len(sessions), speakers=len(speakers), sites=sites, seed=seed,
        utterances=sum(path.endswith("s.wav") for path in corpus.manifest.files), version=version("curtain-woz"),
        first=speakers[0], absent=absent,
    )  # fmt: skip
