"""Planned numbers of subjects per condition, from the `study.toml` files in a corpus."""

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import product

import msgspec

from corpus.analysis.design_balance import Cell
from corpus.dataset.reader import Corpus
from corpus.formats import layout
from corpus.formats.errors import FormatFault
from session.study.assignment import assign
from session.study.design import condition_of, expected_strata
from session.study.settings import Protocol
from session.study.study_file import StudyFile

STUDY_FILE = "study.toml"


def planned_cells(corpus: Corpus, sessions: Iterable[Mapping[str, str]]) -> Counter[Cell]:
    """Count the subjects that are planned for each condition with each set, at all sites together; none if a study names no
    number, or its file is not in the corpus.

    `sessions` are the headers of logs; of each site that of its last session tells, for a plan may have been amended.
    """
    last = {header["Site"]: header for header in sorted(sessions, key=lambda header: header["Session"])}
    found: Counter[Cell] = Counter()
    for site, header in last.items():
        if (settings := _settings(corpus, site, header["Protocol"])) is not None:
            found += _cells(settings, site)
    return found


def _settings(corpus: Corpus, site: str, protocol: str) -> StudyFile | None:
    for path in layout.protocol_paths(site, protocol):
        with suppress(msgspec.MsgspecError, tomllib.TOMLDecodeError, FormatFault, OSError, KeyError, ValueError):
            files = msgspec.json.decode(corpus.read(path), type=Protocol).files
            for place in layout.protocol_files(STUDY_FILE, files[STUDY_FILE]):
                with suppress(FormatFault, OSError, KeyError):
                    return msgspec.convert(tomllib.loads(corpus.read(place).decode()), StudyFile)
    return None


def _cells(settings: StudyFile, site: str) -> Counter[Cell]:
    design, factors = settings.planned, settings.factor
    found: Counter[Cell] = Counter()
    if design is None:
        return found
    strata = expected_strata(design, site)
    for stratum, slot in product(strata, range(1, 1 + design.subjects // len(strata))):
        visits = assign(design, factors, settings.seed, slot, stratum).visits
        found.update(
            {
                (condition, visit.set)
                for visit in visits
                for condition in visit.conditions or (condition_of(visit.levels, factors),)
            }
        )
    return found
