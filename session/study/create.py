"""Makes a study folder from what ships: whole or not at all, never over something that exists."""

import datetime
import fcntl
import json
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TextIO

import msgspec

from session.study import metadata_questions
from session.study.folder import PROFILES, Study, load, load_profile
from session.study.free_ids import Free, free_beside
from session.study.screen_words import ENGLISH_TAG, languages
from session.study.shipped_texts import MESSAGES, SCENARIOS, TEMPLATE, in_language
from session.study.study_domains import ABILITY, INSTRUCTIONS, OTHERS, own_date
from session.study.study_file import SITE
from session.study.toml_reader import StudyError, nearest
from session.values.vocabulary import Operator, RecordingControl

PAPER = "subject_overview*.md"
KNOWN = "## What the system knows about\n"
"""The part of a domain's overview that every subject reads; the rest of it is handed out on paper. In another language there is
only that part, `subject_overview.LANGUAGE.md`."""

_SHEET_TITLE = re.compile(r'(?m)^title = ".*"\n')
_SHEET_TEXT = re.compile(r'(?ms)^text = """\n.*?"""\n')


class _Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Title and text of a scenario as a subject reads them."""

    title: str
    text: str


def new(
    folder: Path, domain: str = "air_travel", profile: str = "BBN-89", site: str = "lab", language: str = "en",
    database: str = "", others: Sequence[str] = (), databases: Mapping[str, str] | None = None,
) -> Study:  # fmt: skip
    """A study of that domain, profile and site at `folder`; raises StudyError, also when there is something already.

    `domain` is one that ships or the folder of one, such as `curtain learn` writes, over the `database` at a SQLAlchemy URL;
    `others` are further ones, which levels of a factor may name, over `databases` by their names.
    """
    return _new(folder, (domain, *others), profile, site, language, database, databases or {})[0]


def _new(
    folder: Path, domains: Sequence[str], profile: str, site: str, language: str, database: str,
    databases: Mapping[str, str],
) -> tuple[Study, Free]:  # fmt: skip
    source = _source(domains[0], database)
    further = {Path(name).resolve().name: name for name in domains[1:]}
    if unknown := next((name for name in databases if name not in further), ""):
        raise StudyError(f"--database {unknown}=: no further --domain is called {unknown}; {nearest(unknown, further)}")
    others = [_source(one, databases.get(Path(one).resolve().name, ""), further=True) for one in domains[1:]]
    if twice := [name for name, count in Counter(one.resolve().name for one in (source, *others)).items() if count > 1]:
        raise StudyError(f"--domain: {twice[0]} is named twice; a study has each domain once")
    if language not in languages():
        raise StudyError(f"no words ship in {language!r}; {nearest(language, languages())}; others go into words.toml")
    if not SITE.fullmatch(site):
        raise StudyError(f"site {site!r} has 2 to 8 lower-case letters or digits and begins with a letter")
    recording = load_profile(profile, PROFILES, folder / "study.toml").recording
    with _alone_beside(folder), appearing(folder) as draft:
        free = free_beside(folder, site)
        ignored = shutil.ignore_patterns("__pycache__", "*.pyc", ".*", "scenarios", "scenarios.*.toml", PAPER)
        shutil.copytree(source, draft / "domain", ignore=ignored)
        _copy_scenarios(source, draft / "scenarios", language)
        _copy(sorted(in_language(MESSAGES, language).glob("*.toml")), draft / "canned_messages")
        _copy([PROFILES / f"{profile}.toml"], draft / "profiles")
        texts = in_language(TEMPLATE, language)
        _copy([texts / "debriefing.txt"], draft)
        _write(draft / "consent.txt", _template(texts, "consent", recording))
        _copy(sorted((texts / "questionnaires").glob("*.toml")), draft / "questionnaires")
        _write(draft / "instructions.txt", _instructions(source, recording, profile, language))
        _write(draft / "ability.txt", _ability(source))
        for other in others:
            _copy_other(other, draft / OTHERS / other.resolve().name, recording, profile, language)
        _write(
            draft / "study.toml",
            _settings(site, profile, source.resolve().name, _today(source), language, free, _from_here(database))
            + "".join(
                f"\n[{OTHERS}.{name}]\ndatabase = {_quoted(_from_here(url))}\n" for name, url in databases.items()
            ),
        )
        load(draft)
    return load(folder), free


def _copy_other(source: Path, target: Path, recording: RecordingControl, profile: str, language: str) -> None:
    """A further domain with its scenarios, and with what its subjects and its wizards read."""
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc", ".*", "scenarios.*.toml", PAPER)
    shutil.copytree(source, target, ignore=ignored)
    _copy_scenarios(source, target / "scenarios", language)
    _write(target / INSTRUCTIONS, _instructions(source, recording, profile, language))
    _write(target / ABILITY, _ability(source))


@contextmanager
def _alone_beside(folder: Path) -> Iterator[None]:
    """Nobody else makes a study in the same place meanwhile, and takes what is free there; where the disk knows locks."""
    with ExitStack() as stack:
        with suppress(OSError):
            place = os.open(folder.absolute().parent, os.O_RDONLY | os.O_DIRECTORY)
            stack.callback(os.close, place)
            fcntl.flock(place, fcntl.LOCK_EX)
        yield


@contextmanager
def appearing(folder: Path) -> Iterator[Path]:
    """A draft that becomes `folder` when the block ends well and leaves nothing behind otherwise."""
    if folder.exists() or folder.is_symlink():
        raise StudyError(f"{folder} exists already; choose another name, nothing is overwritten")
    if not folder.parent.is_dir():
        raise StudyError(f"{folder} cannot be made: {folder.parent} is not a directory; make it first")
    try:
        draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise StudyError(f"{folder} cannot be made: {error.strerror}") from error
    try:
        yield draft
        draft.chmod(0o755 & ~_umask())
        draft.rename(folder)
    except OSError as error:
        raise StudyError(f"{folder} cannot be made: {error.strerror}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def _copy(sources: list[Path], folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for source in sources:
        shutil.copyfile(source, folder / source.name)


def _copy_scenarios(domain: Path, folder: Path, language: str) -> None:
    """A domain's scenarios, with title and text in the language where the domain has them, in `scenarios.LANGUAGE.toml`."""
    _copy(sorted((domain / "scenarios").glob("*.toml")), folder)
    translated = domain / f"scenarios.{language}.toml"
    if not translated.is_file():
        return
    for name, said in msgspec.toml.decode(translated.read_bytes(), type=dict[str, _Sheet]).items():
        path = folder / f"{name}.toml"
        title, text = f"title = {json.dumps(said.title, ensure_ascii=False)}\n", f'text = """\n{said.text}"""\n'
        whole = _SHEET_TITLE.sub(lambda _: title, path.read_text(encoding="utf-8"), count=1)  # noqa: B023
        _write(path, _SHEET_TEXT.sub(lambda _: text, whole, count=1))  # noqa: B023


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _template(texts: Path, name: str, recording: RecordingControl | None, profile: str = "") -> str:
    """A text for the subjects of a profile, or for people whose utterances begin and end in this way: the first that there is of
    the profile's own, one for these people, and the general one."""
    own = (texts / f"{name}_{kind}.txt" for kind in (profile, recording) if kind)
    found = next(filter(Path.is_file, own), texts / f"{name}.txt")
    return found.read_text(encoding="utf-8")


def _instructions(domain: Path, recording: RecordingControl, profile: str, language: str) -> str:
    general = _template(in_language(TEMPLATE, language), "instructions", recording, profile)
    return _with_knowledge(general, domain, language)


def _ability(domain: Path) -> str:
    """Return the system's ability as wizards read it, in English."""
    return _with_knowledge(_template(TEMPLATE, "ability", None), domain)


def _with_knowledge(general: str, domain: Path, language: str = ENGLISH_TAG) -> str:
    """A general text, and below it what the system of a domain knows about, in English where the language has no such text."""
    translated, overview = domain / f"subject_overview.{language}.md", domain / "subject_overview.md"
    if translated.exists():
        return f"{general}\n{_plain(translated.read_text(encoding='utf-8'))}"
    _, heading, special = overview.read_text(encoding="utf-8").partition(KNOWN) if overview.exists() else ("", "", "")
    return f"{general}\n{_plain(heading + special)}" if heading else general


def _plain(markdown: str) -> str:
    """An overview as the subject's screen shows texts: titles in capitals, a paragraph for each row of a table."""
    lines = list[str]()
    for line in markdown.splitlines():
        if set(line) == set("| -"):
            lines.pop()  # what stood above the rule is the table's head
        elif line.startswith("|"):
            first, *others = [cell.strip() for cell in line.strip("|").split("|")]
            lines += ["", f"{first[:1].upper()}{first[1:]}: {', '.join(others)}."]
        else:
            lines.append(re.sub("^#+ (.*)$", lambda title: title[1].upper(), line))
    return re.sub("\n{3,}", "\n\n", "\n".join(lines)) + "\n"


def _source(domain: str, database: str, *, further: bool = False) -> Path:
    """The folder of a domain that ships, or of one's own, the study's first one or a `further` one; raises StudyError."""
    domains = {path.parent.name: path.parent for path in SCENARIOS.glob("*/scenarios") if any(path.glob("*.toml"))}
    if domain in domains:
        if database:
            raise StudyError(f"--database: {domain} builds its own database; leave it out")
        return domains[domain]
    own = Path(domain)
    if not (own / "domain.toml").is_file():
        raise StudyError(
            f"no domain {domain!r} ships with scenarios; {nearest(domain, domains)}, or a folder that `curtain learn` wrote"
        )
    if not any(own.glob("scenarios/*.toml")):
        raise StudyError(f"{own / 'scenarios'} has no scenario; write one, with one for practice beside it")
    if bool(database) == (own / "generator.py").is_file():
        url = f"{own.resolve().name}=URL" if further else "URL"
        builds = (
            "builds its own database; leave --database out"
            if database
            else f"needs its database: give --database {url}"
        )
        raise StudyError(f"{own} {builds}")
    return own


def _from_here(database: str) -> str:
    """The URL of a database with the whole path of its file: in a study's settings a path counts from the study."""
    scheme, there, path = database.partition(":///")
    return f"{scheme}:///{Path(path).absolute()}" if there and path and scheme.startswith("sqlite") else database


def _today(domain: Path) -> str:
    """The date on which the domain's database is set, or this day."""
    return own_date(domain) or datetime.datetime.now(datetime.UTC).date().isoformat()


def _quoted(text: str) -> str:
    """A text as a string of TOML."""
    return json.dumps(text, ensure_ascii=False)


def databases_by_domain(given: Iterable[str]) -> tuple[str, dict[str, str]]:
    """Return the URL of the first domain's database, and those of further domains, each given as `NAME=URL`; raises StudyError.

    >>> databases_by_domain(["sqlite:///a.sqlite", "shops=sqlite:///b.sqlite"])
    ('sqlite:///a.sqlite', {'shops': 'sqlite:///b.sqlite'})
    """
    own, others = list[str](), dict[str, str]()
    for one in given:
        name, equals, url = one.partition("=")
        if not equals or ":" in name:
            own.append(one)
        elif others.setdefault(name, url) != url:
            raise StudyError(f"--database {name}= is given twice; a domain has one database")
    if len(own) > 1:
        raise StudyError("--database is given twice for the first domain; that of a further one is --database NAME=URL")
    return "".join(own), others


def _settings(site: str, profile: str, domain: str, today: str, language: str, free: Free, database: str) -> str:
    values = {"SITE": site, "PROFILE": profile, "DOMAIN": domain, "TODAY": today, "LANGUAGE": language}
    values["DATABASE"] = _quoted(database)[1:-1]
    values |= {"FIRST": free.speakers.first, "LAST": free.speakers.last, "SESSION": str(free.first_session)}
    template = (TEMPLATE / "study.toml").read_text(encoding="utf-8")
    return re.sub("@([A-Z]+)@", lambda found: values[found[1]], template)


def new_command(
    folder: str,
    domain: str,
    profile: str,
    site: str,
    out: TextIO,
    err: TextIO,
    language: str = "en",
    answers: TextIO | None = None,
    databases: Sequence[str] = (),
    others: Sequence[str] = (),
) -> int:
    """`curtain new`: 0 and the folder's name on `out`, or 2 and what stood in the way on `err`. With `answers`, the lines of who
    sits at a terminal, the metadata are asked for when the study is there."""
    try:
        study, free = _new(Path(folder), (domain, *others), profile, site, language, *databases_by_domain(databases))
        if answers is not None:
            metadata_questions.write(study.folder / "study.toml", metadata_questions.asked(answers, err))
            load(study.folder)
    except StudyError as error:
        err.write(f"{error}\n")
        return 2
    out.write(f"{study.folder}\n")
    if free.beside:
        named = ", ".join(path.name for path in free.beside)
        err.write(
            f"Beside {named}, and to be merged with it: speakers {free.speakers.first} to {free.speakers.last}, sessions of a "
            f"day from {free.first_session}.\n"
        )
    operators = study.profile.operators
    desk = "hub" if all(operator is Operator.MACHINE for operator in msgspec.structs.astuple(operators)) else "wizard"
    err.write(
        f"Next: look at {study.folder / 'study.toml'}, then `curtain doctor {folder}` and `curtain {desk} {folder}`.\n"
    )
    return 0
