"""`curtain centre`: creates a centre's folder, or prints the state of an existing one."""

from collections import Counter
from pathlib import Path
from typing import TextIO

from corpus.centre import facts as f
from corpus.centre.blind_sets import faults as test_faults
from corpus.centre.centre_state import CentreState
from corpus.centre.ledger import FAULTS, Centre, found_centre
from corpus.centre.pending_withdrawals import pending_withdrawals
from corpus.centre.release_listing import faults as release_faults
from corpus.centre.volumes import faults as volume_faults
from corpus.centre.waiting_waveforms import waiting_waveforms
from corpus.formats.errors import message_of
from session.values.clock import Clock


def centre_command(folder: str, clock: Clock, out: TextIO, err: TextIO) -> int:
    """Make the folder of a centre, or print how it stands; 1 when its ledger's chain is broken, 2 when nothing could be done."""
    try:
        if not Path(folder).exists():
            found_centre(Path(folder), Path(folder).resolve().name)
            out.write(f"{folder}\n")
            return 0
        with Centre(Path(folder), clock) as centre:
            out.write(_standing(centre))
            faults = [f"ledger: {fault}" for fault in centre.faults()] + centre.strays()
            faults += [person.told(centre) for person in pending_withdrawals(centre, CentreState(centre))]
            for compare in (release_faults, volume_faults, test_faults):
                faults += compare(centre, CentreState(centre))
    except FAULTS as error:
        err.write(f"{message_of(error)}\n")
        return 2
    for fault in faults:
        err.write(f"{fault}\n")
    return 1 if faults else 0


def _standing(centre: Centre) -> str:
    centre_state = CentreState(centre)
    outcomes = Counter(delivery.outcome for delivery in centre_state.deliveries.values())
    every = centre_state.whereabouts()[-1]
    refused = sum(1 for _ in centre.facts(f.DeliveryRefused))
    with waiting_waveforms(centre) as found:
        waits = sum(size for _, size in found.sessions)
    lines = [
        f"centre {centre.settings.name}",
        f"deliveries {len(centre_state.deliveries)}: "
        + (", ".join(f"{number} {outcome}" for outcome, number in sorted(outcomes.items())) or "none"),
        *([f"archives that were refused {refused}"] if refused else []),
        f"utterances {every.collected}: {every.released} released, {every.pool} held for tests, {every.queued} queued, "
        f"{every.rejected} rejected",
        f"releases {' '.join(release.release for release in centre_state.releases) or 'none'}",
        f"waveforms that wait for a volume: {waits} bytes of {centre.settings.capacity}",
        f"tests {' '.join(centre_state.tests) or 'none'}",
        f"open bugs {len(centre_state.open_bugs)}",
    ]
    return "\n".join(lines) + "\n"
