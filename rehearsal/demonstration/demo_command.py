"""`curtain demo`: a small corpus that has been through everything, made from a seed: collected, transcribed, annotated, judged,
split, scored, and written in every format.

It is there to be read: by anyone who wants to see what comes out of Curtain, and by anyone who writes a program for it. All
speech is synthetic and all people are scripted; the sessions are rehearsals by their own statement, so that no reader takes
them for data.
"""

import hashlib
import io
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TextIO

from msgspec import structs

from annotator.annotate_command import AnnotateOptions, annotate_command
from annotator.judge_command import JudgeOptions, judge_command
from corpus.annotation.submitted import AllFinished, Finished
from corpus.commands.export import ExportRequest, export_command
from corpus.commands.holdout import HoldoutOptions, holdout_command
from corpus.commands.merge import MergeOptions, merge_command
from corpus.dataset.reader import Corpus
from corpus.export.madcow import export
from corpus.export.session_files import ExportOptions
from corpus.export.study_source import stated_in
from corpus.formats.errors import FormatFault, message_of
from corpus.formats.manifest import Provenance
from corpus.io.staging import Refused
from corpus.packages.formats import ExportFormat
from corpus.packages.package_writer import Judges
from corpus.release.exports_log import LOG
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from domain.database.build import DatabaseError, open_database
from domain.query_backend import Backend, English, backends
from evaluation.commands.score import ScoreOptions, score_command
from evaluation.scoring.sent_answers import right_answers
from rehearsal.demonstration import staged_annotation
from rehearsal.demonstration.description import METADATA, readme
from rehearsal.demonstration.speakers import SITES, DemonstrationSpeaker, speakers
from rehearsal.demonstration.staged_annotation import ANNOTATORS, CAREFUL, HASTY, Tasks
from rehearsal.demonstration.staged_source import FIRST_DAY, StagedSource
from rehearsal.demonstration.voices import synthesiser
from rehearsal.speaking_subject import RATE
from rehearsal.waiting import StuckError
from session.annotation.store import WORK_FILE
from session.study.create import appearing, new
from session.study.folder import Study, load
from session.study.toml_reader import StudyError
from study.exported_solutions import verdicts_of

FOLDER, FORMATS = "formats", (*ExportFormat,)
"""The folder of the packages, and their formats."""


class DemonstrationFailed(Exception):
    """A step that did not end well; the text says which, and what it said."""


def demo_command(directory: str, seed: int, out: TextIO, err: TextIO) -> int:
    """Make the demonstration corpus in a new folder, whose path goes to `out`; 2 where it could not be made, and then nothing is
    left of it."""
    target = Path(directory)
    faults = (DemonstrationFailed, StudyError, DatabaseError, Refused, FormatFault, StuckError, OSError)
    try:
        with appearing(target) as draft, tempfile.TemporaryDirectory(prefix="curtain-demo-") as workshop:
            Demonstration(draft, Path(workshop), seed, err).make()
    except faults as error:
        err.write(f"the demonstration could not be made: {message_of(error)}\n")
        return 2
    out.write(f"{directory}\n")
    return 0


class Demonstration:
    """The corpus as it is made: `folder` is what is kept, `workshop` what is not."""

    def __init__(self, folder: Path, workshop: Path, seed: int, err: TextIO) -> None:
        self.folder, self.workshop, self.seed, self.err = folder, workshop, seed, err
        self.synthesiser = synthesiser()

    def make(self) -> None:
        """Everything, step by step."""
        studies = [self._study(site) for site in SITES]
        domain = studies[0].domain_folder
        self._tell("building the database")
        database = open_database(domain, self.workshop / "database")
        people = speakers(self.seed, {study.site: _ids(study) for study in studies})
        today = studies[0].settings.today
        english = English(domain, database.url, today)
        backend = backends(domain, database.url, database.version, today, english=english)()
        for study in studies:
            self._tell(f"playing the sessions at {study.site}")
            self._collect(study, [person for person in people if person.site == study.site], backend)
        merged = self.workshop / "merged"
        self._call("merge", merge_command, MergeOptions([str(self.workshop / site) for site in SITES], str(merged)))
        self._tell("annotating and judging")
        self._annotate(Tasks(merged, domain, database.url, tuple(people)))
        corpus = self.folder / "corpus"
        self._judge(corpus)
        self._split(corpus)
        self._score(corpus)
        left_out = self._packages(corpus, Path(database.url.removeprefix("sqlite:///")))
        self._close(corpus, left_out)

    # --- the steps --------------------------------------------------------------------------------------------------------

    def _study(self, site: str) -> Study:
        folder = self.workshop / f"study-{site}"
        new(folder, site=site)
        with (folder / "study.toml").open("a", encoding="utf-8") as file:
            file.write(METADATA)
        return load(folder)

    def _collect(self, study: Study, people: list[DemonstrationSpeaker], backend: Backend) -> None:
        source = StagedSource(study, people, backend, self.synthesiser)
        options = ExportOptions(finished=AllFinished(_transcribed(source)), metadata=stated_in(study))
        export(source, self.workshop / study.site, options)

    def _annotate(self, tasks: Tasks) -> None:
        call = AnnotateOptions(str(tasks.corpus), domain=str(tasks.domain), database=tasks.database)
        self._call("annotate", annotate_command, structs.replace(call, double=0.3, seed=self.seed))
        staged_annotation.annotate(tasks)
        self._kept("agreement.txt", annotate_command, structs.replace(call, show="agreement"))
        corpus = str(self.folder / "corpus")
        self._call("annotate", annotate_command, structs.replace(call, out=corpus))
        shutil.copyfile(self.workshop / WORK_FILE, self.folder / WORK_FILE)

    def _judge(self, corpus: Path) -> None:
        raters = ",".join(ANNOTATORS)
        self._call("judge", judge_command, JudgeOptions(str(corpus), raters=raters, each=3, seed=self.seed))
        staged_annotation.judge(corpus)
        self._kept("judgements.txt", judge_command, JudgeOptions(str(corpus), show="report"))

    def _split(self, corpus: Path) -> None:
        release, pool = str(self.folder / "release"), str(self.folder / "pool")
        drawing = HoldoutOptions(seed=str(self.seed), release=release, pool=pool)
        self._kept("sets.txt", holdout_command, str(corpus), drawing)

    def _score(self, corpus: Path) -> None:
        """Score three systems, two of them made up."""
        folder = self.folder / "systems"
        folder.mkdir()
        made = staged_annotation.systems(Corpus(corpus))
        for name, answers in made.items():
            text = "".join(f"{stem} {answer}\n" for stem, answer in answers.items())
            (folder / f"{name}.cas").write_text(text, encoding="utf-8")
        hypotheses = tuple(f"{name}={folder / name}.cas" for name in made)
        options = ScoreOptions(references=str(corpus), hypotheses=hypotheses)
        self._kept("scores.txt", score_command, options, fine=(0, 1))

    def _packages(self, corpus: Path, database: Path) -> dict[str, str]:
        """Write the corpus in every format; why one could not be written, by its name."""
        self._tell("writing every format")
        (self.folder / FOLDER).mkdir()
        left_out: dict[str, str] = {}
        judges = Judges(lambda found: verdicts_of(found, lambda domain, version: database), right_answers)
        for form in FORMATS:
            named = str(database) if form in (ExportFormat.TEXT2SQL, ExportFormat.CSV) else ""
            request = ExportRequest(str(corpus), str(self.folder / FOLDER / form), form, whole=True, database=named)
            try:
                self._call(f"export --as {form}", partial(export_command, judges=judges), request)
            except DemonstrationFailed as error:
                if form is not ExportFormat.PARQUET:
                    raise
                left_out[form] = str(error)
        return left_out

    def _close(self, corpus: Path, left_out: dict[str, str]) -> None:
        """Verify, say what it is, and store no file twice."""
        found = verify(corpus)
        if errors := [finding for finding in found.findings if finding.severity is Severity.ERROR]:
            raise DemonstrationFailed(f"{errors[0].path}: {errors[0].message}")
        for log in self.folder.glob(f"*{LOG}"):
            log.unlink()  # it tells what was made of which folder on this machine
        text = readme(Corpus(corpus), self.seed, self.synthesiser, left_out)
        (self.folder / "README.md").write_text(text, encoding="utf-8")
        link_same(self.folder)

    # --- how they are called ----------------------------------------------------------------------------------------------

    def _call(self, what: str, command: Callable[..., int], *given: object, fine: Iterable[int] = (0,)) -> str:
        """Return the output of a Curtain command; raises DemonstrationFailed if it did not end well."""
        out, err = io.StringIO(), io.StringIO()
        status = command(*given, out, err)
        if status not in fine:
            raise DemonstrationFailed(f"{what}: {err.getvalue().strip()}")
        return out.getvalue()

    def _kept(self, name: str, command: Callable[..., int], *given: object, fine: Iterable[int] = (0,)) -> None:
        """Keep what a command printed, without the name of this folder."""
        text = self._call(name, command, *given, fine=fine).replace(f"{self.folder}/", "")
        (self.folder / name).write_text(text, encoding="utf-8")

    def _tell(self, what: str) -> None:
        self.err.write(f"{what} …\n")
        self.err.flush()


def _ids(study: Study) -> list[str]:
    taken = set[str]()
    for _ in range(SITES[study.site]):
        taken.add(study.next_speaker(lambda block: block.next_after(taken)))
    return sorted(taken)


def _transcribed(source: StagedSource) -> dict[str, Finished]:
    """Every utterance as one person has transcribed and another checked it."""
    when = f"{FIRST_DAY:%Y-%m}-20T09:00:00Z"
    work = Provenance(CAREFUL, when, HASTY, when, 20.0)
    return {take: Finished(said, (), RATE, work) for take, said in source.said.items()}


def link_same(folder: Path) -> None:
    """Store sound that is in several packages once, where the disk can. Within one package no file is another's link: anyone
    who verifies a corpus takes that for a fault."""
    seen: dict[str, tuple[Path, set[Path]]] = {}
    for path in sorted(folder.rglob("*.wav")):
        part = path.relative_to(folder).parts
        package = Path(*part[: 2 if part[0] == FOLDER else 1])
        first, packages = seen.setdefault(hashlib.sha256(path.read_bytes()).hexdigest(), (path, set()))
        if first is not path and package not in packages:
            spare = path.with_name(f".{path.name}.link")
            with suppress(OSError):
                os.link(first, spare)
                spare.replace(path)
        packages.add(package)
