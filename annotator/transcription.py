"""The transcription desk without a screen: actions on the utterances of a corpus, as facts in `work.sqlite`.

The corpus is only read; the next export lays over it what was submitted.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

import msgspec
import numpy as np

from annotator import rules
from annotator.effort import Attention
from annotator.first_channel import sound_of
from annotator.rules import ConcurrentChange, NotNow
from annotator.user_names import named, newcomer
from annotator.utterance_list import ListedUtterance, UtteranceList
from corpus.annotation import masked_sound
from corpus.annotation.draft_transcription import from_quick
from corpus.annotation.identifying_phrases import Phrases
from corpus.annotation.masked_sound import Samples
from corpus.annotation.submitted import FinishedSoFar
from corpus.dataset.reader import Corpus, CorpusUtterance, SubjectScenario
from corpus.formats import layout, sro
from corpus.formats import waveform as waves
from corpus.formats.errors import FormatFault, message_of
from corpus.formats.log import file as logfile
from session.annotation.events import Pass, TranscriptionBegun, WorkFact
from session.annotation.store import Work, stream_of
from session.annotation.transcript import Transcript, TranscriptState, evolve, fold
from session.events import Recorded
from session.store.event_store import SecondWriter, StoreUnavailable
from session.store.upcasting import DamagedEvent, NewerEvent
from session.values.clock import Clock, stamp
from session.values.names import StemName, ulid
from session.values.sanitize import inert


class Opened(msgspec.Struct, frozen=True):
    """An utterance in hand: its sound (empty if there is none), what the wizard typed, and the text so far."""

    item: ListedUtterance
    typed: str
    text: str
    sound: Samples
    rate: int
    masked: bool = False
    waves: tuple[str, ...] = ()

    @property
    def audible(self) -> bool:
        """Return whether there is sound."""
        return bool(len(self.sound))


class Transcribing:
    """One person at the transcriptions of one corpus. Raises NotNow if a request cannot be granted."""

    def __init__(self, corpus: Corpus, work: Work, person: str, clock: Clock) -> None:
        self.person = named(person)
        self.attention = Attention(clock)
        self.during = Pass.WORDS
        self._corpus, self._work, self._clock = corpus, work, clock
        self._finished = FinishedSoFar(work)
        self._seen_all = False
        self._list = UtteranceList(corpus, work.at_a_glance())
        self._opened: Opened | None = None
        self._drafts: dict[str, str] = {}

    def now_ns(self) -> int:
        """The desk's monotonic clock."""
        return self._clock.monotonic_ns()

    # --- the list -------------------------------------------------------------------------------------------------------

    def items(self, *states: TranscriptState) -> list[ListedUtterance]:
        """Return all utterances in the order in which they were spoken, or those in one of these states."""
        self._see_all()
        return [item for item in self._list.all().values() if not states or item.state in states]

    def stream(self) -> Iterator[ListedUtterance]:
        """Yield all utterances one after the other, read only as far as they are asked for."""
        return self._list.stream()

    @property
    def listed(self) -> bool:
        """Return whether all utterances are known by now: to list them takes a moment in a large corpus."""
        return self._seen_all and self._list.complete

    @property
    def unlisted(self) -> list[str]:
        """The faults of logs that cannot be read, as far as utterances are listed."""
        return self._list.faults

    def look_around(self) -> None:
        """See what others have done at their desks meanwhile."""
        try:
            self._finished.now()
        except (StoreUnavailable, NewerEvent, DamagedEvent) as error:
            raise NotNow(f"Other people's work cannot be read: {error}") from None
        self._seen_all = True
        self._list.renew(dict(self._finished.transcripts))

    def left_open(self) -> bool:
        """Return whether this person has left anything unfinished, here or in another corpus beside it."""
        return any(rules.at_work(item, self.person) for item in self._list.begun.values())

    def to_check(self) -> list[ListedUtterance]:
        """Return the utterances that this person may check."""
        submitted = self.items(TranscriptState.SUBMITTED)
        return [item for item in submitted if not rules.an_author(item.transcript, self.person)]

    def newcomer(self) -> str:
        """Return what to tell this person who has never worked here while others have; empty for all else."""
        return newcomer(self.person, (share.by for transcript in self.transcripts() for share in transcript.shares))

    def transcripts(self) -> list[Transcript]:
        """The transcriptions that were begun."""
        return [item.transcript for item in self.items() if item.transcript.events]

    def words(self, item: ListedUtterance) -> str:
        """The text of an utterance as far as it is known without opening it: what was written, otherwise the draft."""
        if item.transcript.events:
            return item.transcript.text
        path = _sro_path(item)
        if path not in self._corpus.manifest.files:
            return ""
        if path not in self._drafts:
            try:
                self._drafts[path] = " ".join(self._corpus.read(path).decode("utf-8", "replace").split())
            except (FormatFault, OSError):
                self._drafts[path] = "(cannot be read)"
        return self._drafts[path]

    def beside(self, stem: str, step: int, among: Sequence[ListedUtterance]) -> str | None:
        """The name of the next utterance (step 1) or the one before (−1) among these; None if there is none."""
        names = list(self._list.all())
        at = names.index(stem)
        ahead = names[at + 1 :] if step > 0 else names[:at][::-1]
        wanted = {item.stem for item in among}
        return next((name for name in ahead if name in wanted), None)

    # --- one utterance --------------------------------------------------------------------------------------------------

    @property
    def opened(self) -> Opened:
        """The utterance in hand; raises NotNow if there is none."""
        if self._opened is None:
            raise NotNow("Open an utterance first")
        return self._opened

    @property
    def transcript(self) -> Transcript:
        """Return how far the utterance in hand has come."""
        return self.opened.item.transcript

    def open(self, stem: str) -> Opened:
        """Take an utterance in hand, as it is now; raises NotNow for a name that the corpus does not have."""
        if self._seen_all:
            self.look_around()
        item = self._list.get(stem)
        transcript = fold(self._work.read(stream_of(stem, item.take))) if item is not None else None
        if stem in self._list.withdrawn or (transcript is not None and transcript.erased):
            raise NotNow("The speaker has withdrawn: run curtain withdraw on this corpus")
        if item is None or transcript is None:
            raise NotNow(f"There is no utterance {stem}")
        item = self._placed(item, transcript)
        try:
            utterance = self._utterance(item)
            sound, rate, masked = self._sound(utterance)
            text = item.transcript.text if item.transcript.events else self._draft(utterance)
            self._opened = Opened(item, self._typed(item), text, sound, rate, masked, tuple(utterance.waves.values()))
        except (FormatFault, OSError) as error:
            raise NotNow(f"{stem} cannot be opened: {message_of(error)}") from None
        self.attention.leave()
        self.attention.touch()
        return self._opened

    def revisions(self) -> list[Recorded]:
        """Return the history of the current utterance, oldest first."""
        return self._work.read(stream_of(self.opened.item.stem, self.opened.item.take))

    def draft_of_typed(self) -> str:
        """Return the wizard's text of the current utterance, converted to the conventions as far as possible."""
        typed = self.opened.typed
        return sro.render(from_quick(typed)).decode().strip() if typed else ""

    def revise(self, text: str) -> bool:
        """Keep another text of the utterance in hand; False when it is the text that is there."""
        return bool(self._decide(lambda t, worked: rules.revise(t, self.person, text, self.during, worked)))

    def mark(self, first: int, last: int) -> str:
        """These samples of the sound in hand identify a person; gives the stretch's name.

        Raises NotNow for sound that cannot be masked, before anybody relies on its being masked.
        """
        span, length = ulid(self._clock.wall_ns()), len(self.opened.sound)
        try:
            for path in self.opened.waves:
                masked_sound.masked_wave(self._corpus.read(path), path, [(first, last)], self.opened.rate)
        except (FormatFault, OSError) as error:
            raise NotNow(f"It cannot be masked: {message_of(error)}") from None
        self._decide(lambda t, worked: rules.mark(t, self.person, span, first, last, length, worked))
        return span

    def unmark(self, at: int) -> None:
        """The stretch that sample `at` is in identifies no person: remove its mark."""
        spans = self.transcript.spans.items()
        span = next((name for name, stretch in spans if stretch.first <= at <= stretch.last), "")
        self._decide(lambda t, worked: rules.unmark(t, self.person, span, worked))

    def submit(self, text: str) -> None:
        """The text of the utterance in hand is right: in the next export it is not a draft any more."""
        self.revise(text)
        audible = self.opened.audible
        self._decide(lambda t, worked: rules.submit(t, self.person, worked, audible))

    def check(self, text: str) -> None:
        """A second person has listened to the utterance in hand, and this text is right."""
        audible = self.opened.audible
        transcript = self.transcript
        rules.check(transcript, self.person, 0, audible=False)
        self.revise(text)
        self._decide(lambda t, worked: rules.check(t, self.person, worked, audible))

    def reopen(self, reason: str) -> None:
        """The utterance in hand is to be worked on again; what was submitted stays in force until it is submitted again."""
        self._decide(lambda t, _: rules.reopen(t, reason))

    def leave(self) -> None:
        """Lay the utterance aside."""
        self._opened = None
        self.attention.leave()

    # --- what is elsewhere ----------------------------------------------------------------------------------------------

    def named(self) -> list[ListedUtterance]:
        """Utterances with words that identify a person elsewhere and that are not marked here, anyone who decided so."""
        phrases = self._finished.now().phrases
        return [item for item in self.items() if phrases and phrases.stand_in(rules.unmarked(self.words(item)))]

    def nearly_named(self, phrases: Phrases | None = None) -> list[ListedUtterance]:
        """Utterances with words that nearly identify a person, perhaps misspelt, by these phrases or by all that are marked:
        nothing is masked there until somebody has listened and marked it."""
        wanted = self._finished.now().phrases if phrases is None else phrases
        return [item for item in self.items() if wanted and wanted.near_in(rules.unmarked(self.words(item)))]

    @property
    def names(self) -> Phrases:
        """The words that are marked in the utterance in hand."""
        found = self._finished.now().get(self.opened.item.take)
        return Phrases(found.names if found else ())

    # --- within ---------------------------------------------------------------------------------------------------------

    def _see_all(self) -> None:
        """Read every transcription, if that was not done yet: what is seen of them at a glance will do where it cannot be."""
        if not self._seen_all:
            with suppress(NotNow):
                self.look_around()

    def _decide(self, decide: Callable[[Transcript, int], list[WorkFact]]) -> list[WorkFact]:
        """Ask the rules, record what they give, and fold it."""
        opened = self.opened
        self.attention.touch()
        begun = self._begin(opened)
        before = _assumed(opened, begun)
        facts = decide(before, self.attention.worked)
        if not facts:
            return []
        self._record(opened.item, [*begun, *facts])
        self.attention.take()
        return facts

    def _begin(self, opened: Opened) -> list[WorkFact]:
        item = opened.item
        if item.transcript.events:
            return []
        return [TranscriptionBegun(utterance=item.stem, take=item.take, text=opened.text, rate=opened.rate)]

    def _record(self, item: ListedUtterance, facts: list[WorkFact]) -> None:
        transcript = item.transcript
        try:
            recorded = self._work.append(
                stream_of(item.stem, item.take), transcript.events, facts, stamp(self._clock), self.person
            )
        except SecondWriter:
            raise ConcurrentChange("Another person has worked on this utterance meanwhile") from None
        except StoreUnavailable as error:
            raise NotNow(f"It cannot be recorded: {error}") from None
        for record in recorded:
            transcript = evolve(transcript, record)
        self._placed(item, transcript)

    def _placed(self, item: ListedUtterance, transcript: Transcript) -> ListedUtterance:
        placed = msgspec.structs.replace(item, transcript=transcript, state=transcript.state)
        self._list.put(placed)
        if self._opened is not None and self._opened.item.stem == item.stem:
            self._opened = msgspec.structs.replace(self._opened, item=placed, text=transcript.text)
        return placed

    def _utterance(self, item: ListedUtterance) -> CorpusUtterance:
        scenario: SubjectScenario = self._corpus.scenario(item.log)
        return next(utterance for utterance in scenario.utterances if utterance.block.take == item.take)

    def _draft(self, utterance: CorpusUtterance) -> str:
        """Return the draft; one that breaks the conventions harmless and as it is, for here it can be put right."""
        path = str(layout.path_of(layout.file_name(utterance.stem, "sro")))
        if path not in self._corpus.manifest.files:
            return ""
        data = self._corpus.read(path)
        try:
            text = sro.render(sro.parse(data, path)).decode()
        except FormatFault:
            text = inert(data[: 4 * rules.LONGEST].decode("utf-8", "replace"), newlines="space")
        return " ".join(text.split())[: rules.LONGEST]

    def _typed(self, item: ListedUtterance) -> str:
        """Return what was last typed of it during the session, as the corpus has it."""
        log = logfile.parse(self._corpus.read(item.log), item.log)
        return next((block.typed for block in log.utterances if block.take == item.take), "")

    def _sound(self, utterance: CorpusUtterance) -> tuple[Samples, int, bool]:
        path = next(iter(utterance.waves.values()), None)
        if path is None:
            return np.zeros(0, np.int16), 16_000, False
        file = waves.parse(self._corpus.read(path), path)
        listed = self._corpus.manifest.files[path].masked
        return *sound_of(file), bool(listed) and not masked_sound.unbleeped(file, listed)


def _sro_path(item: ListedUtterance) -> str:
    return str(layout.path_of(layout.file_name(StemName.parse(item.stem), "sro")))


def _assumed(opened: Opened, begun: list[WorkFact]) -> Transcript:
    """The transcript as it will be when the utterance's first fact, if it is still to come, is recorded."""
    transcript = opened.item.transcript
    if not begun:
        return transcript
    return msgspec.structs.replace(transcript, state=TranscriptState.BEGUN, text=opened.text)
