"""The facts of a centre's ledger: deliveries, repairs, releases and their recipients, withdrawals.

A delivery has a name (`bbn_1`), a release a date (`20261123`). What a fact tells of files is by path in the MADCOW layout;
the bytes are in folders that the ledger names, each with its hash, and nothing that was said is here.
"""

import msgspec

from corpus.release.utterance_status import POOL
from session.events import SpeakerWithdrawn
from session.events.base import Event
from session.events.link import Redacted
from session.store.upcasting import Versions


class DeliveredSession(Event, frozen=True):
    """Part of a delivery: one session, with its utterances that are `data`, those of `invalid` scenarios, and its hours of sound
    in bytes of waveforms."""

    session: str
    speaker: str
    site: str
    scenarios: tuple[int, ...] = ()
    data: int = 0
    invalid: int = 0
    waves: int = 0


class DeliveryReceived(Event, frozen=True):
    """A delivery arrived and was checked. `outcome` is `accepted`, `fixed` (repairs follow) or `returned` (with a report);
    `content` is the hash over its files, `archive` that of the archive, `signed` whether the site's key proved it. `supersedes`
    are earlier deliveries of which it holds sessions, `dropped` files of the work on these that are not right any more."""

    delivery: str
    site: str
    label: str
    archive: str
    content: str
    outcome: str
    reason: str = ""
    signed: bool = False
    sessions: tuple[DeliveredSession, ...] = ()
    files: int = 0
    errors: int = 0
    warnings: int = 0
    weight: float = 0.0
    supersedes: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()


class DeliveryRefused(Event, frozen=True):
    """An archive came that is no delivery, or not of who it says: `file` is its name, `archive` its SHA-256, empty where it could
    not be read; `site` and `label` are what its list states, empty where there is none to be read."""

    file: str
    archive: str = ""
    site: str = ""
    label: str = ""
    reason: str = ""


class FileRepaired(Event, frozen=True):
    """The centre repaired a file of a delivery: by which rule, and its SHA-256 before and after, empty if there was or is
    none."""

    delivery: str
    path: str
    rule: str
    how: str
    before: str = ""
    after: str = ""


class SpeakersDrawn(Event, frozen=True):
    """Speakers were assigned to sets, for good."""

    seed: str
    sets: dict[str, str]


class DeliveryCorrected(Event, frozen=True):
    """The centre's own transcriptions and masks, or a site's annotations, made a later state of a delivery: a new folder."""

    delivery: str
    state: str
    files: tuple[str, ...]
    why: str


class AnnotationsReceived(Event, frozen=True):
    """Annotations of a release, or of the test pool, came back and were verified. `dropped` were not taken in, for the words or
    the sound that they are about were corrected since; `other_log` were, though the log of their subject-scenario was. Those that
    are `undated` do not say on what they were made, so that a correction since then cannot be seen."""

    arrival: str
    site: str
    release: str
    files: tuple[str, ...]
    archive: str
    errors: int = 0
    dropped: tuple[str, ...] = ()
    other_log: tuple[str, ...] = ()
    undated: bool = False

    @property
    def since(self) -> str:
        """The time from which corrections count: the release, or, of the test pool, when they were made."""
        return "they were made" if self.release == POOL else self.release


class ReleaseMade(Event, frozen=True):
    """A release went out. `listing` is the SHA-256 of its `release.json`, which names every file."""

    release: str
    listing: str
    sessions: tuple[str, ...]
    items: int
    new: int
    corrected: int
    annotated: int = 0
    to: tuple[str, ...] = ()


class ReleaseFinal(Event, frozen=True):
    """The annotations of a release were adjudicated; they change no more but by a bug report."""

    release: str


class VolumeWritten(Event, frozen=True):
    """Waiting waveforms were written to a volume."""

    volume: str
    capacity: int
    size: int
    sessions: tuple[str, ...]
    utterances: int
    image: str
    releases: tuple[str, ...]
    to: tuple[str, ...] = ()


class BugReported(Event, frozen=True):
    """A bug in an item was reported. Reports on a person's items are in a stream that is erased with the person."""

    bug: int
    item: str
    reporter: str
    text: str


class BugTriaged(Event, frozen=True):
    """A bug was judged: `state` is `accepted`, `fixed` or `refused`, with a reason."""

    bug: int
    state: str
    reason: str


class TestSetMade(Event, frozen=True):
    """A test set was chosen from the pool and packed; `key` stays at the centre."""

    test: str
    kind: str
    trial: bool
    units: tuple[str, ...]
    sessions: tuple[str, ...]
    utterances: int
    package: str
    key: str
    to: tuple[str, ...] = ()


class SubmissionReceived(Event, frozen=True):
    """A system's answers to a test, or with `words` what a recogniser heard in it, arrived and were in order."""

    test: str
    system: str
    content: str
    answers: int
    words: bool = False


class TestScored(Event, frozen=True):
    """A test was scored: before or after adjudication, by which version, and the hash of the report; `words` is that of the
    one on recognisers' words, empty if there was none."""

    test: str
    state: str
    report: str
    systems: tuple[str, ...]
    version: str
    recognisers: tuple[str, ...] = ()
    words: str = ""


class ReferencesAdjudicated(Event, frozen=True):
    """Requests for changes to a test's references were judged; the file names each item, ruling and reason."""

    test: str
    content: str
    items: tuple[str, ...]


class SpeakerLeft(Event, frozen=True):
    """A person has withdrawn: everything in `reached` was rewritten or deleted, everybody in `told` is to drop what they have.
    `listings` are the hashes of what was rewritten for it: listings of releases, volumes, archives of tests."""

    speaker: str
    sessions: tuple[str, ...]
    reached: tuple[str, ...]
    told: tuple[str, ...] = ()
    listings: dict[str, str] = msgspec.field(default_factory=dict)


class SoundTakenBack(Event, frozen=True):
    """A person goes on taking part and has taken the sound back: `reached`, `told` and `listings` as of `SpeakerLeft`."""

    speaker: str
    sessions: tuple[str, ...]
    reached: tuple[str, ...]
    told: tuple[str, ...] = ()
    listings: dict[str, str] = msgspec.field(default_factory=dict)


class ReportMade(Event, frozen=True):
    """A weekly report was made of everything before this fact; `documents` are the hashes of what is handed out with releases."""

    documents: dict[str, str]


CentreFact = (
    DeliveryReceived
    | DeliveryRefused
    | FileRepaired
    | SpeakersDrawn
    | DeliveryCorrected
    | AnnotationsReceived
    | ReleaseMade
    | ReleaseFinal
    | VolumeWritten
    | BugReported
    | BugTriaged
    | TestSetMade
    | SubmissionReceived
    | TestScored
    | ReferencesAdjudicated
    | SpeakerLeft
    | SoundTakenBack
    | ReportMade
    | SpeakerWithdrawn
    | Redacted
)
LEDGER = Versions(CentreFact, {}, {})
"""The events of `ledger.sqlite`."""
