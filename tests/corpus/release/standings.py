"""Corpora in which utterances are released, held out, left out or withdrawn."""

import io
from pathlib import Path

import msgspec

from corpus.commands.holdout import HoldoutOptions, holdout_command
from corpus.dataset.reader import Corpus
from corpus.release.utterance_status import StandingRow
from corpus.report.statistics import figures_of, gather
from session import events as e
from tests.corpus.corpora import ending, session_of
from tests.corpus.sessions import Script

PLAIN, PILOT, INVALID, REFUSING, LEAVING = "plain", "pilot", "invalid", "refusing", "leaving"


def played(site: str, speaker: str, number: int, fate: str) -> Script:
    script = session_of(site, speaker, number=number, stretch=0.1)
    if fate == PILOT:
        opened = msgspec.structs.replace(script.opened, pilot=True)
        script.facts[0] = msgspec.structs.replace(script.facts[0], event=opened)
    if fate == INVALID:
        script.add(e.ScenarioInvalidated(run=1, reason="the bell rang"), "experimenter")
    return ending("confirmed", script, publish_text=False) if fate == REFUSING else script


def rows_of(root: Path) -> list[StandingRow]:
    return figures_of(Corpus(root), gather(Corpus(root))).standing


def hold_out(root: Path, release: str = "", pool: str = "") -> str:
    err = io.StringIO()
    assert holdout_command(str(root), HoldoutOptions(release=release, pool=pool), io.StringIO(), err) == 0
    return err.getvalue()
