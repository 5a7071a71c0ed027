"""The files that one session leaves in a corpus: a pure function of its facts and takes.

Names, directories and formats are MADCOW's (LDC94S19 fil_spec). What the wizard typed in a hurry becomes a draft `.sro`, what
the database gave becomes a draft answer; both are marked as drafts, and an utterance that was never transcribed has no `.sro`.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping

import msgspec

from corpus.annotation import masked_sound, masking
from corpus.annotation.draft_transcription import from_quick
from corpus.annotation.masking import Pair
from corpus.annotation.query_answers import rows_text
from corpus.annotation.submitted import AllFinished, masked_answer, masked_answers, masked_comments, masked_log
from corpus.export.source import Collected, SessionSource
from corpus.formats import com, layout, lsn, riff, sphere, sphere_header, squ, sro
from corpus.formats.log import file
from corpus.formats.log.log_values import Record
from corpus.formats.log.projection import ScenarioLog, logs_of
from corpus.formats.log.timeline import Timeline
from corpus.formats.log.utterance_names import stem_of
from corpus.formats.manifest import FileEntry, Provenance
from corpus.formats.sphere_header import WaveformDescription, sphere_file
from session import events as e
from session.state.fold import Attempt, SessionState, Take, fold
from session.study.metadata import Metadata
from session.values.answers import Table
from session.values.consent import ConsentScope
from session.values.names import CHANNELS, StemName, base36
from session.values.sanitize import inert
from session.values.vocabulary import Channel, ItemKind, Step


class ExportOptions(msgspec.Struct, frozen=True):
    """`riff`: waveforms as RIFF in place of SPHERE. `unnumbered`: practice and discarded takes too. `finished`: what the
    transcription desk has finished, by take. Without `pilots` or `rehearsals`, these are left out. `metadata` are those of the
    whole, by site."""

    riff: bool = False
    unnumbered: bool = False
    finished: AllFinished = AllFinished()
    pilots: bool = True
    rehearsals: bool = True
    metadata: Mapping[str, Metadata] = {}


class CorpusFile(msgspec.Struct, frozen=True):
    """One file, its path relative to the corpus, and what the manifest is to say of it. Without data it is one that ought to
    be there: `absent` says why. `hidden` waveforms are masked from end to end: nobody has said where the words are."""

    path: str
    data: bytes = b""
    draft: bool = False
    absent: str = ""
    masked: tuple[Pair, ...] = ()
    work: Provenance | None = None
    hidden: bool = False

    @property
    def marks(self) -> FileEntry:
        """Return its manifest entry, without size and hash."""
        return FileEntry(0, "", self.draft, self.masked, self.work)


WITHHELD = "withheld"
MISSING = "missing"


def files_of(collected: Collected, source: SessionSource, options: ExportOptions) -> Iterator[CorpusFile]:
    """The files of one session in a fixed order; raises ValueError for a session that was erased or that names cannot tell."""
    maker = _Maker(collected, source, options)
    yield from maker.files()


class _Maker:
    """Carries what all files of a session need."""

    def __init__(self, collected: Collected, source: SessionSource, options: ExportOptions) -> None:
        self._collected = collected
        self._source = source
        self._options = options
        self._state: SessionState = fold(collected.facts)
        self._line = Timeline(collected.facts)

    def files(self) -> Iterator[CorpusFile]:
        logs = logs_of(self._collected.facts)
        for written in logs:
            yield self._file(written.stem, "log", file.render(masked_log(written.log, self._options.finished)))
            yield from self._comments(written, self._said_at_the_end() if written is logs[-1] else [])
            for block in written.log.utterances:
                stem = stem_of(block, written.stem)
                yield from self._utterance(stem, self._state.takes[block.take])
        if logs:
            yield from self._questionnaire(logs[-1].stem)
            yield from self._spoken(logs)
        if self._options.unnumbered:
            for take in self._state.takes.values():
                if take.number is None:
                    yield from self._unnumbered(take)

    def _file(self, stem: StemName, kind: str, data: bytes, draft: bool = False) -> CorpusFile:
        return CorpusFile(str(layout.path_of(layout.file_name(stem, kind))), data, draft)

    def _said_at_the_end(self) -> list[str]:
        """The subject's own words in the form that asks for comments."""
        opened = self._state.opened
        form = opened.protocol.questionnaires.get(Step.COMMENTS) if opened else None
        own = [item.id for item in form.item if item.kind is ItemKind.TEXT] if form else []
        return [
            f"subject: {inert(fact.event.answers[item])}"
            for fact in self._collected.facts
            if isinstance(fact.event, e.QuestionnaireAnswered) and fact.event.form == Step.COMMENTS
            for item in own
            if item in fact.event.answers
        ]

    def _comments(self, written: ScenarioLog, more: list[str]) -> Iterator[CorpusFile]:
        lines = list[str]()
        back = Counter(_remark(record) for record in written.log.records("Deviation_taken_back"))
        for block in written.log.blocks:
            where = f" (utterance {base36(block.number, 2)})" if block.number else ""
            for record in block.records:
                if record.key == "Deviation_noted" and back[_remark(record)]:
                    back[_remark(record)] -= 1
                elif record.key in ("Note_written", "Deviation_noted"):
                    lines.append(f"{record.by}{where}: {inert(_remark(record))}")
        lines += more
        if lines:
            remarks = masked_comments(com.Comments(tuple(lines)), self._options.finished.phrases)
            yield self._file(written.stem, "com", com.render(remarks))

    def _questionnaire(self, stem: StemName) -> Iterator[CorpusFile]:
        forms = tuple(
            squ.AnsweredForm(fact.event.form, tuple(fact.event.answers.items()))
            for fact in self._collected.facts
            if isinstance(fact.event, e.QuestionnaireAnswered)
        )
        if forms:
            public = masked_answers(squ.SessionForms(forms), self._options.finished.phrases)
            yield self._file(stem, "squ", squ.render(public))

    def _utterance(self, stem: StemName, take: Take) -> Iterator[CorpusFile]:
        for channel in take.channels:
            if channel.letter not in tuple(CHANNELS):
                raise ValueError(
                    f"take {take.take} has a channel {channel.letter!r}, which names no file: one of the letters a to z but x, "
                    "which means all microphones"
                )
            yield self._waveform(msgspec.structs.replace(stem, mic=channel.letter), take, channel)
        if (finished := self._options.finished.get(take.take)) is not None:
            for kind, data in finished.texts().items():
                made = self._file(stem, kind, data)
                yield msgspec.structs.replace(made, work=finished.work)
        elif take.text:
            transcription = from_quick(self._options.finished.phrases.without(take.text))
            yield self._file(stem, "sro", sro.render(transcription), draft=True)
            yield self._file(stem, "lsn", lsn.render(lsn.derive(transcription)), draft=True)
        if (attempt := self._answered_by(take)) is not None:
            path = layout.draft_of(stem)
            yield CorpusFile(path, masked_answer(draft_answer(attempt), self._options.finished, take.take), draft=True)

    def _answered_by(self, take: Take) -> Attempt | None:
        """The query whose rows were the utterance's last answer that nobody called wrong."""
        found = None
        for fact in self._collected.facts:
            if isinstance(fact.event, e.AnswerSent) and fact.event.take == take.take:
                reply = self._state.replies.get(fact.event.reply)
                if reply is not None and reply.wrong is None:
                    found = self._state.attempts.get(fact.event.attempt)
        return found if found is not None and found.table is not None else None

    def _waveform(self, stem: StemName, take: Take, channel: Channel) -> CorpusFile:
        path = str(layout.path_of(layout.file_name(stem, "wav")))
        data = self._samples(take, channel)
        if isinstance(data, str):
            return CorpusFile(path, absent=data)
        return self._masked(path, self._sound(stem, take, channel, data), take, channel)

    def _masked(self, path: str, sound: bytes, take: Take, channel: Channel) -> CorpusFile:
        finished = self._options.finished.get(take.take)
        stretches, rate = (finished.stretches, finished.rate) if finished else ((), channel.rate)
        hidden = self._options.finished.hides(take.take, take.text)
        if hidden:
            stretches = masking.WHOLE
        if not stretches:
            return CorpusFile(path, sound)
        sound, placed = masked_sound.masked_wave(sound, path, stretches, rate)
        return CorpusFile(path, sound, masked=placed, hidden=hidden)

    def _samples(self, take: Take, channel: Channel) -> bytes | str:
        if not self._state.allows(ConsentScope.PUBLISH_AUDIO):
            return WITHHELD
        data = self._source.pcm(self._collected.session, take.take, channel.letter)
        seal = next((seal for seal in take.sealed if seal.letter == channel.letter), None)
        if data is None or seal is None or hashlib.sha256(data).hexdigest() != seal.sha256:
            return MISSING
        return data

    def _sound(self, stem: StemName, take: Take, channel: Channel, data: bytes) -> bytes:
        if self._options.riff:
            return riff.render(riff.pcm_file(data, channel.rate))
        return sphere.render(sphere_file(self._description(stem, take, channel), data))

    def _description(self, stem: StemName, take: Take, channel: Channel) -> WaveformDescription:
        opened = self._opened
        protocol, equipment = opened.protocol, opened.protocol.equipment
        began = take.began or self._collected.facts[0].at
        return WaveformDescription(
            utterance_id=str(stem),
            speaker_id=stem.speaker,
            session=base36(stem.scenario, 1),
            utterance=base36(stem.utterance, 2),
            speaking_mode=sphere_header.SPEAKING_MODES[stem.mode],
            recorded=self._line.place(began).wall,
            sample_rate=channel.rate,
            recording_site=opened.site,
            recording_environment=", ".join(filter(None, (equipment.noise, equipment.room))),
            microphone=channel.microphone,
            database_id=sphere_header.corpus_id(opened.site, protocol.domain),
            database_version=sphere_header.corpus_version(protocol.sha256),
        )

    def _spoken(self, logs: list[ScenarioLog]) -> Iterator[CorpusFile]:
        """Give what the system said, as far as the logs tell of it; withheld where the words would tell who a person is."""
        logged = {r.get("Reply") for written in logs for block in written.log.blocks for r in block.all("Reply_voiced")}
        sounds = {
            reply.sound.sha256: reply for reply in self._state.replies.values() if reply.sound and reply.reply in logged
        }
        for sha256, reply in sounds.items():
            path = layout.spoken_path(self._collected.session, sha256)
            pcm = self._source.spoken(self._collected.session, sha256)
            if self._options.finished.phrases.without(reply.spoken) != reply.spoken:
                yield CorpusFile(path, absent=WITHHELD)
            elif pcm is None:
                yield CorpusFile(path, absent=MISSING)
            else:
                yield CorpusFile(path, riff.render(riff.pcm_file(pcm, reply.sound.rate if reply.sound else 0)))

    def _unnumbered(self, take: Take) -> Iterator[CorpusFile]:
        for channel in take.channels:
            name = f"{layout.safe(take.take)}-{layout.safe(channel.letter)}.wav"
            path = f"{layout.UNNUMBERED}/{layout.safe(self._collected.session)}/{name}"
            data = self._samples(take, channel)
            if isinstance(data, str):
                yield CorpusFile(path, absent=data)
                continue
            run = self._state.runs[take.run] if take.run is not None else None
            scenario = run.number if run is not None and run.number is not None else 0
            stem = StemName(self._opened.speaker.id, scenario, 0, "s", channel.letter)
            yield self._masked(path, self._sound(stem, take, channel, data), take, channel)

    @property
    def _opened(self) -> e.SessionOpened:
        if self._state.opened is None:
            raise ValueError(f"session {self._collected.session} has no SessionOpened: it was erased or never begun")
        return self._state.opened


def _remark(record: Record) -> str:
    """Reason and words of a note or a deviation."""
    return ": ".join(filter(None, (record.get("Reason"), record.get("Note"))))


def draft_answer(attempt: Attempt) -> bytes:
    """An answer's rows in CAS, after a comment that names the version of the database they are true of."""
    table = attempt.table or Table((), ())
    version = inert(attempt.database_version).replace("*/", "* /")
    more = "; cut off, the database had more rows" if table.more else ""
    return f"/* draft; database {version}{more} */\n{rows_text(table)}\n".encode()
