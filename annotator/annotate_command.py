"""`curtain annotate`: the annotation desk over a corpus, and its reports, imports and releases."""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import ceil
from pathlib import Path
from typing import TextIO

import msgspec

from annotator.annotation import agreement_report, interchange, rescoring, sheet_text
from annotator.annotation.annotating import Annotating
from annotator.annotation.annotation_release import Released, laid_over, released
from annotator.annotation.exclusion_reasons import DEPENDS
from annotator.annotation.references_apart import ReferencesApart
from annotator.annotation.sentence_reader import FAULTS as DOMAIN_FAULTS
from annotator.annotation.sentence_reader import SentenceReader
from annotator.annotation.standing import UtteranceAnnotations, Waits
from annotator.app import AnnotationApp
from annotator.opening import on_a_terminal, opened_work, playing
from annotator.rules import NotNow
from annotator.user_names import named
from corpus.commands.derive import DeriveOptions, derive_command
from corpus.dataset.reader import Corpus
from corpus.formats.errors import FormatFault, message_of
from desk.theme import theme_for
from domain.principles import PrinciplesError
from evaluation.agreement.coefficients import table_of
from session.annotation.annotated import DOUBLES, PRINCIPLES, RULING, SCORES, StreamName
from session.annotation.annotation_facts import (
    ChangeRequested,
    DoublesDrawn,
    PrinciplesAdopted,
    ScoresKept,
)
from session.annotation.store import Work, work_path
from session.annotation.work_merge import merge
from session.gc_pauses import settle
from session.store.event_store import UNREADABLE
from session.values.clock import SECOND, Clock, SystemClock, stamp
from session.values.names import ulid
from session.values.sanitize import inert


class AnnotateOptions(msgspec.Struct, frozen=True):
    """Options of `annotate_command`, as `curtain annotate --help` has them."""

    directory: str
    person: str = ""
    domain: str = ""
    database: str = ""
    principles: str = ""
    work: str = ""
    double: float | None = None
    seed: int = 1
    load: str = ""
    source: str = ""
    requests: str = ""
    scores: str = ""
    score: tuple[str, ...] = ()
    merge: str = ""
    show: str = ""
    out: str = ""
    loudspeaker: str | None = None
    theme: str = "dark"


def annotate_command(given: AnnotateOptions, out: TextIO, err: TextIO) -> int:
    """Do what the options say, in this order: merge, draw, load, requests, scores, score, show, release, and else open the desk;
    2 where something is at fault."""
    work: Work | None = None
    reader: SentenceReader | None = None
    try:
        corpus = Corpus(Path(given.directory))
        work = opened_work(given.work or work_path(corpus.root))
        reader = _reader(given)
        clock = SystemClock(f"annotation-{ulid(0)[-8:]}")
        person = named(given.person) if given.person else "the desk"
        job = _Job(given, corpus, work, reader, clock, person, out, err)
        return job.run()
    except (FormatFault, PrinciplesError, *DOMAIN_FAULTS, *UNREADABLE, NotNow, OSError, ValueError) as error:
        err.write(f"{message_of(error)}\n")
        return 2
    finally:
        if reader is not None:
            reader.close()
        if work is not None:
            work.close()


def _reader(given: AnnotateOptions) -> SentenceReader | None:
    if bool(given.domain) != bool(given.database):
        raise ValueError(
            "--domain and --database go together: the folder of the domain, and the database that it speaks of"
        )
    return SentenceReader(Path(given.domain), given.database, given.principles) if given.domain else None


class _Job:
    """One call of the command."""

    def __init__(
        self, given: AnnotateOptions, corpus: Corpus, work: Work, reader: SentenceReader | None, clock: Clock,
        person: str, out: TextIO, err: TextIO,
    ) -> None:  # fmt: skip
        self.given, self.corpus, self.work, self.reader = given, corpus, work, reader
        self.clock, self.person, self.out, self.err = clock, person, out, err

    def run(self) -> int:
        """Do what was asked for."""
        steps = (
            (self.given.merge, self._merge), (self.given.double is not None, self._draw), (self.given.load, self._load),
            (self.given.requests, self._requests), (self.given.scores, self._scores),
            (self.given.score, self._score), (self.given.show, self._show),
        )  # fmt: skip
        asked = [do for wanted, do in steps if wanted]
        if self.reader is not None:
            adopt(self.work, self.reader, self.clock, self.person)
        for do in asked:
            do()
        if self.given.out:
            return self._release()
        if not asked:
            self._desk()
        return 0

    def _annotating(self, person: str = "") -> Annotating:
        return Annotating(self.corpus, self.work, person or self.given.person or "desk", self.clock, self.reader)

    def _merge(self) -> None:
        if not Path(self.given.merge).is_file():
            raise ValueError(f"{self.given.merge}: there is no such file of later work")
        other = opened_work(Path(self.given.merge))
        try:
            done = merge(self.work, other)
        finally:
            other.close()
        self.err.write(f"{done.facts} facts taken over into {done.streams} streams\n")
        self.err.write("".join(f"both copies changed {one}: the later entry is kept\n" for one in done.diverged))
        self.err.write(
            "".join(f"{one} was withdrawn in one copy: withdraw the speaker in the other\n" for one in done.gone)
        )

    def _draw(self) -> None:
        share = self.given.double or 0.0
        if not 0 <= share <= 1:
            raise ValueError(f"--double {share:g} is not a share: write one from 0 to 1, such as 0.2")
        sessions = sorted(self.corpus.sessions)
        wanted = sorted(sessions, key=lambda name: _lot(self.given.seed, name))[: ceil(round(share * len(sessions), 6))]
        before = self.work.read(DOUBLES)
        held = {one for fact in before if isinstance(fact.event, DoublesDrawn) for one in fact.event.sessions}
        new = tuple(name for name in sorted(wanted) if name not in held)
        if new:
            fact = DoublesDrawn(share=share, seed=self.given.seed, sessions=new)
            self.work.append(DOUBLES, len(before), [fact], stamp(self.clock), self.person)
        self.out.write("".join(f"{name}\n" for name in sorted({*held, *wanted})))
        self.err.write(
            f"{len({*held, *wanted})} of {len(sessions)} sessions are annotated by two people independently\n"
        )

    def _load(self) -> None:
        if not self.given.source:
            raise ValueError("name the source: --source NAME, such as the program and its version")
        takes = {item.stem: item.take for item in self._annotating().list.items()}
        rows = interchange.given_in(Path(self.given.load))
        done, strange = interchange.propose(self.work, rows, self.given.source, takes, stamp(self.clock), self.person)
        self.err.write(f"{done} proposals of {self.given.source} recorded; a person has to take each over\n")
        if strange:
            self.err.write(f"{strange} are of no utterance of this corpus\n")

    def _requests(self) -> None:
        """Record change requests of sites: a JSON object a line with utterance, site, request, evidence, perhaps wanted."""
        takes = {item.stem: item.take for item in self._annotating().list.items()}
        text = Path(self.given.requests).read_text(encoding="utf-8")
        found = []
        for number, line in enumerate(filter(str.strip, text.splitlines()), start=1):
            try:
                found.append(msgspec.convert({"type": "ChangeRequested", **json.loads(line)}, ChangeRequested))
            except (msgspec.ValidationError, ValueError) as error:
                remedy = "write utterance, site, request and evidence, and wanted where you know it"
                raise FormatFault(self.given.requests, number, str(error), remedy) from error
            if found[-1].utterance not in takes:
                raise FormatFault(
                    self.given.requests, number, f"no utterance {found[-1].utterance!r}", "name one of this corpus"
                )
        for fact in found:
            stream = str(StreamName(RULING, fact.utterance, "", takes[fact.utterance]))
            before = self.work.read(stream)
            known: list[object] = [record.event for record in before]
            if fact not in known:
                self.work.append(stream, len(before), [fact], stamp(self.clock), fact.site)
        self.err.write(f"{len(found)} requests are in the queue\n")

    def _scores(self) -> None:
        """Keep the scores of a system beside the number of rulings under which they came about."""
        scores = Path(self.given.scores).read_text(encoding="utf-8")
        fact = ScoresKept(rulings=len(rescoring.rulings_of(self.work)), scores=scores)
        self.work.append(SCORES, len(self.work.read(SCORES)), [fact], stamp(self.clock), self.person)
        self.err.write(f"scores kept as they are after {fact.rulings} rulings\n")

    def _score(self) -> None:
        """Score the systems that are named, now and after every ruling to come."""
        known = [item.stem for item in self._annotating().list.items()]
        self._rescore(rescoring.answers_in(self.given.score, known))

    def _rescore(self, answers: Mapping[str, str]) -> None:
        if self.reader is None:
            raise ValueError("reference answers are made with --domain and --database: say both")
        items = list(rescoring.items_of(self.standings(), _days(self.corpus), self.reader, self.err))
        count = len(rescoring.rulings_of(self.work))
        rescoring.rescore(self.work, answers, items, count, stamp(self.clock), self.person, self.err)

    def _follow_rulings(self) -> bool:
        """Score every system again after new rulings; return whether there was any."""
        if self.reader is None or not rescoring.waiting(self.work, len(rescoring.rulings_of(self.work))):
            return False
        self._rescore(rescoring.answers_of(self.work))
        return True

    def standings(self) -> dict[str, UtteranceAnnotations]:
        """The standing of every utterance, with what follows from an X."""
        return self._annotating().standings()

    def _show(self) -> None:
        desk = self._annotating()
        found = self.standings()
        items = {item.take: item for item in desk.list.items()}
        shown = [found[take] for take in items if take in found]
        wanted = self.given.show
        if wanted == "agreement":
            days = _days(self.corpus)
            sessions = {take: item.session for take, item in items.items()}
            made = agreement_report.agreements(found, sessions, days, self.reader, self.given.seed)
            self._lines(table_of(made))
        elif wanted == "queue":
            self._lines(line for one in shown if one.waits is Waits.RULING for line in sheet_text.case(one))
        elif wanted == "rulings":
            self._rulings()
        elif wanted == "scores":
            self._follow_rulings()
            self._lines(rescoring.told(self.work, rescoring.rulings_of(self.work)))
        elif wanted == "effort":
            self._lines(effort(shown))
        elif wanted == "reasons":
            self._lines(reasons(shown))
        elif wanted == "csv":
            self.out.write(interchange.as_csv(shown))
        elif wanted == "json":
            self.out.write(interchange.as_json(shown))
        else:
            self._lines(sheet_text.counts({one.take: one for one in shown}, len(items)))

    def _rulings(self) -> None:
        for number, (by, ruling) in enumerate(rescoring.rulings_of(self.work), start=1):
            self._lines(
                [f"{number}. {ruling.utterance}, {by}: {sheet_text.summary(ruling.annotation)}", f"   {ruling.reason}"]
            )
        for event in rescoring.kept(self.work):
            whose = f"scores of {event.system}" if event.system else "scores"
            self._lines([f"{whose} after {event.rulings} rulings: {event.scores}"])

    def _release(self) -> int:
        desk = self._annotating()
        takes = {item.take: item.stem for item in desk.list.items()}
        made = released(self.standings(), takes, _days(self.corpus), self.reader)
        self.err.write(told(made))
        options = DeriveOptions(self.given.directory, self.given.out)
        return derive_command(options, self.out, self.err, annotated=partial(laid_over, made=made))

    def _lines(self, lines: Iterable[str]) -> None:
        self.out.write("".join(f"{inert(line, newlines='space')}\n" for line in lines))

    def _desk(self) -> None:
        if not self.given.person:
            raise ValueError("name the annotator: --person NAME")
        desk = self._annotating()
        first = desk.list.first()
        on_a_terminal()
        with (
            playing(self.given.loudspeaker, work_path(self.corpus.root)) as (player, notice),
            ReferencesApart(self.reader) as desk.apart,
        ):
            settle()
            AnnotationApp(desk, player, first, notice=notice, theme=theme_for(os.environ, self.given.theme)).run()
        self.err.write("".join(f"{line}\n" for line in effort(list(self.standings().values()))))
        if self._follow_rulings():
            self._lines(rescoring.told(self.work, rescoring.rulings_of(self.work)))


def adopt(work: Work, reader: SentenceReader, clock: Clock, by: str) -> None:
    """Put the principles on record that are obeyed from now on. Raises PrinciplesError for another content under a version that
    is known: annotations could not tell the two apart."""
    before = [fact.event for fact in work.read(PRINCIPLES)]
    known = [event for event in before if isinstance(event, PrinciplesAdopted)]
    chosen = reader.principles
    for event in known:
        if (event.name, event.version) == (chosen.name, chosen.version) and event.digest != chosen.digest:
            raise PrinciplesError(
                f"{chosen.name} was edited and its version is still {chosen.version}; give it a new one"
            )
    if known and (known[-1].name, known[-1].digest) == (chosen.name, chosen.digest):
        return
    content = msgspec.json.encode(chosen).decode()
    fact = PrinciplesAdopted(name=chosen.name, version=chosen.version, digest=chosen.digest, content=content)
    work.append(PRINCIPLES, len(before), [fact], stamp(clock), by)


def _lot(seed: int, session: str) -> bytes:
    return hashlib.sha256(f"{seed}/{session}".encode()).digest()


def told(made: Released) -> str:
    """Return a summary of released and unreleased annotations."""
    waiting = "".join(
        f"; {count} {'are' if what == Waits.ANNOTATOR else 'wait for'} {what}"
        for what, count in sorted(made.held_back.items())
    )
    return f"{made.utterances} utterances have an annotation in force{waiting}\n"


def effort(found: Sequence[UtteranceAnnotations]) -> list[str]:
    """Minutes an utterance, of everybody and all together."""
    sums: dict[str, list[int]] = {}
    for one in found:
        for held in one.held.values():
            sums.setdefault(f"{held.by}, annotating", []).append(held.worked)
            if held.checked is not None:
                sums.setdefault(f"{held.checked.by}, checking", []).append(held.checking)
        for ruling in one.rulings:
            sums.setdefault(f"{ruling.signed.by}, ruling", []).append(ruling.worked)
    total = sum(sum(worked) for worked in sums.values()) / SECOND / 60
    each = f", {total / len(found):.2f} each" if found else ""
    lines = [f"{len(found)} utterances worked on for {total:.1f} minutes{each}"]
    for who, worked in sorted(sums.items()):
        minutes = sum(worked) / SECOND / 60
        lines.append(f"{who}: {len(worked)} utterances, {minutes:.1f} minutes, {minutes / len(worked):.2f} each")
    return lines


def reasons(found: Sequence[UtteranceAnnotations]) -> list[str]:
    """The share that can be evaluated, and why the others are excluded."""
    final = [one for one in found if one.final is not None]
    gone = [one for one in final if one.evaluation == "X"]
    sums: dict[str, int] = {}
    for one in gone:
        said = one.final
        assert said is not None
        why = DEPENDS if one.dependent else " / ".join(filter(None, (said.reason, said.detail)))
        sums[why] = sums.get(why, 0) + 1
    share = 100 * (len(final) - len(gone)) / len(final) if final else 0.0
    lines = [f"{len(final) - len(gone)} of {len(final)} in force can be evaluated ({share:.1f} %)"]
    return lines + [f"{count:6}  {why}" for why, count in sorted(sums.items(), key=lambda one: -one[1])]


def _days(corpus: Corpus) -> dict[str, str]:
    """The date that each utterance was asked under, by its take."""
    found: dict[str, str] = {}
    for log in corpus.logs:
        day = header(corpus, log, "Today")
        found |= {take: day for _, take in corpus.takes(log)}
    return found


def header(corpus: Corpus, log: str, key: str) -> str:
    """An entry of a log's header, which is not parsed for that."""
    begun = f"[{key}:] ".encode()
    lines = corpus.read(log).split(b"\n\n", 1)[0].split(b"\n")
    return next((line[len(begun) :].decode("utf-8", "replace") for line in lines if line.startswith(begun)), "")
