"""Options of the command line, each run twice, without and with it: what is printed or written has to differ.

What cannot be run here (desks, hubs, sound cards, many processes) names the test that follows it, which has to be there; an
option that no test follows yet stands in `options_elsewhere.UNSEEN`, which may only shrink.
"""

import hashlib
import os
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import click
import msgspec
from click.testing import CliRunner

import curtain
from evaluation.example import FOLDER as EXAMPLE
from tests import ROOT
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.sessions import Script
from tests.corpus.studies import fill, made_study
from tests.scratch import scratch_folder


@dataclass(frozen=True)
class Shown:
    """A call, and the words of the option that change what it prints, or what it leaves in the folder."""

    place: str
    call: tuple[str, ...]
    more: tuple[str, ...]
    typed: str = ""


@dataclass(frozen=True)
class Followed:
    """The test, as FILE::NAME below tests, that sees the effect at this place."""

    place: str
    test: str


EFFECTS: dict[str, Shown | Followed] = {}


def shown(options: str, place: str, call: str, *more: str, typed: str = "") -> None:
    """Register one option, or several of one command, each with its value in `more`."""
    command = call.split()[0]
    for option, words in zip(options.split(), more or ("",), strict=True):
        values = tuple(word.replace("~", " ") for word in words.split())
        EFFECTS[f"{command} {option}"] = Shown(
            place, tuple(word.replace("~", " ") for word in call.split()), (option, *values), typed
        )


def followed(command: str, options: str, place: str, test: str) -> None:
    for option in options.split():
        EFFECTS[f"{command} {option}"] = Followed(place, test)


def every_option() -> Iterator[str]:
    """All options of all commands, as `command --option`; of a group's, as `group command --option`."""
    return _options(curtain.main, ())


def _options(group: click.Group, above: tuple[str, ...]) -> Iterator[str]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command, path = group.get_command(context, name), (*above, name)
        for parameter in command.params if command else ():
            if isinstance(parameter, click.Option):
                yield " ".join((*path, next(word for word in parameter.opts if word.startswith("--"))))
        if isinstance(command, click.Group):
            yield from _options(command, path)


NEAR = "((1.0) (1.00005))"
SYSTEMS: dict[str, tuple[Callable[[int], str], tuple[str, ...]]] = {
    "references": (lambda number: f"(({number}))", ("((100000))", "(((1)) OR ((2)))", "((TRUE))", "((1.0))")),
    "first": (lambda number: f"(({number + (number % 3 == 0)}))", ("((100001))", "((1))", "((True))", NEAR)),
    "second": (lambda number: f"(({number + (number % 5 < 3)}))", ("((100001))", "((1))", "((True))", NEAR)),
}
"""Answers to forty requests: the first four hang on how answers are compared, the others on the system alone."""


def pilot(script: Script) -> Script:
    opened = msgspec.structs.replace(script.opened, pilot=True)
    script.facts[0] = msgspec.structs.replace(script.facts[0], event=opened)
    return script


@cache
def _room() -> Path:
    """What the calls work on; each gets a copy."""
    room = scratch_folder("options")
    corpus_of(room / "corpus", *(session_of("bbn", f"8k{number}", number=number) for number in range(1, 5)))
    made_study(room / "study")
    fill(room / "study", session_of("bbn", "8k1"))
    fill(room / "study", pilot(session_of("bbn", "8k2", number=2)))
    with sqlite3.connect(room / "town.sqlite") as link:
        link.executescript("CREATE TABLE t (a INTEGER, b TEXT); INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 'z');")
    (room / "rows.csv").write_text("b,a\nx,1\na,2\n")
    (room / "rows.json").write_text('[["x", 1]]')
    (room / "rows.txt").write_text("b,a\nx,1\n")
    for name, (answers, others) in SYSTEMS.items():
        told = (
            f"{number:03}011sx {others[number] if number < len(others) else answers(number)}" for number in range(40)
        )
        (room / f"{name}.cas").write_text("\n".join((";; rules: 1992", *told, "")))
    (room / "query.sql").write_text("SELECT b, a FROM t")
    shutil.copytree(EXAMPLE, room / "example", ignore=shutil.ignore_patterns("__pycache__", "*.py"))
    return room


def seen(call: tuple[str, ...], typed: str = "") -> tuple[int, str, dict[str, str]]:
    """What a call prints, its end, and the files that it leaves."""
    with tempfile.TemporaryDirectory() as scratch:
        room = Path(scratch) / "room"
        shutil.copytree(_room(), room)
        before = Path.cwd()
        os.chdir(room)
        try:
            result = CliRunner().invoke(curtain.main, [*call], input=typed or None)
        finally:
            os.chdir(before)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        made = {
            path.relative_to(room).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(room.rglob("*"))
            if path.is_file() and not path.name.endswith(("exports.log", ".sqlite-shm", ".sqlite-wal"))
        }
        return result.exit_code, result.output.replace(str(room), "ROOM"), made


@cache
def plain(call: tuple[str, ...], typed: str) -> tuple[int, str, dict[str, str]]:
    """What a call does, which has to be the same twice."""
    first = seen(call, typed)
    assert seen(call, typed) == first, "the same call does the same"
    return first


def unsigned(text: str) -> str:
    """What is printed without the line that says how it was computed: a changed signature is no effect."""
    return re.sub(r"(?m)^ *(CAS|WER)\|.*\n?", "", text)


def exists(test: str) -> bool:
    """Whether the test that an option names is there."""
    path, _, name = test.partition("::")
    file = ROOT / "tests" / path
    return file.is_file() and f"def {name}(" in file.read_text("utf-8")


def table(unseen: set[str]) -> str:
    """The table of options, in Markdown."""
    places = {name: effect.place for name, effect in EFFECTS.items()} | dict.fromkeys(unseen, "no test looks there yet")
    rows = (f"| `{name}` | {place} |" for name, place in sorted(places.items()))
    return "\n".join(("| option | effect |", "| --- | --- |", *rows)) + "\n"


VERDICT = "the verdict and its reasons"
shown("--max", VERDICT, "compare ((1)) ((1~2))", "((1))")
shown("--tolerance", VERDICT, "compare ((1.0)) ((1.05))", "0.1")
shown("--integers", VERDICT, "compare ((100000)) ((100001))", "tolerant")
shown("--near", VERDICT, "compare ((1.0)) ((1.0)(1.00005))", "apart")
shown("--alternatives", VERDICT, "compare (((1))OR((2))) ((1))", "all")
shown("--lenient", VERDICT, "compare ((TRUE)) ((True))", "")
shown("--rules", "the verdict, and the rules in its signature", 'compare (("x~")) (("x"))', "1989")
shown("--json", "the verdict as JSON", "compare ((1)) ((2))", "")
TABLES = "the tables and the signature below them"
SCORE = "score example/references.cas lookup=example/lookup.cas cautious=example/cautious.cas"
shown("--rules", "the tables, or the reason for none", SCORE, "1989")
SCORE += " --rules 1989"
shown(
    "--index --before --variants --tolerance --weight --json --page --max",
    TABLES,
    SCORE,
    "example/index.tsv",
    "example/printed.cas",
    "example/perturbed",
    "0.5",
    "1",
    "",
    "page.html",
    "example/references.cas",
)
OF_TWO = "score references.cas first=first.cas second=second.cas"
shown("--integers --near --alternatives --lenient --seed", TABLES, OF_TWO, "tolerant", "apart", "all", "", "7")
CAS = "the printed answer, or the reason for none"
shown("--from", CAS, "cas rows.txt", "csv")
shown("--no-header --types --keep-order", CAS, "cas rows.csv", "", "ss", "")
shown("--rules", CAS, "cas - --from cas", "1989", typed="((TRUE))")
shown("--database", CAS, "cas query.sql", "sqlite:///town.sqlite")
LUCK = "luck town.sqlite SELECT~a~FROM~t~WHERE~a>1 SELECT~a~FROM~t~WHERE~b<>'x'"
shown("--variants --seed --json --keep", "the verdicts, and the copies that are kept", LUCK, "2", "9", "", "kept")
shown("--name", "the names of the answers that are kept", f"{LUCK} --keep kept", "lookup")
shown("--headers --strict --json", "the findings, their sum and the exit status", "verify corpus", "", "", "")
shown("--seen", "the lines of the dialogue", "show corpus/spon/8k1/1/8k1001sx.log", "")
shown("--json", "the figures as JSON", "stats corpus", "")
shown("--out", "the page's name", "report corpus", "page.html")
shown("--json --check", "the list of sessions", "sessions study", "", "")
followed(
    "sessions",
    "--links",
    "a line for each desk that connected, disconnected or was rejected",
    "corpus/commands/test_session_links.py::test_who_came_late_to_a_session_is_read_from_its_study_and_from_no_corpus",
)
shown("--diff", "the keys in which two protocols differ", "sessions study", "bbn-20261121-1 bbn-20261121-2")
shown("--as --all --session", "the files of the new folder", "export study new", "riff", "", "bbn-20261121-1")
shown(
    "--seed --assignments --release --pool",
    "the sets and the corpora made of them",
    "holdout corpus",
    "7",
    "sets.json",
    "release",
    "pool",
)
shown(
    "--dry-run --sound-only --named",
    "the erased data, the masks, and the printed list",
    "withdraw corpus 8k1",
    "",
    "",
    "denver",
)
shown("--domain --profile --site --language", "the files of the new study", "new made", "personnel", "MIT", "bbn", "es")
