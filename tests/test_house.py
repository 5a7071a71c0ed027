"""The architecture, held by tests: layers, places of heavy imports, sizes, names, and the front door against the docs.

Import-linter holds the layers between packages; what it cannot see (the single module curtain.py, imports inside
functions, the people's parts that may use Textual) is read off the syntax trees here.
"""

import ast
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from tests import PACKAGES, PEOPLE, ROOT

COMMANDS = {
    "judge",
    "testset", "design", "roster", "invite", "freeze", "solutions", "backup", "pack",
    "train", "demo",
    "new", "hub", "wizard", "subject", "doctor", "rehearse", "sessions", "replay", "export", "verify", "transcribe", "annotate",
    "holdout", "merge", "withdraw", "report", "stats", "ask", "learn", "principles", "cas", "compare", "answers", "score",
    "luck", "rename", "encrypt", "correct", "recognise", "operate", "revoke", "centre", "deliver", "receive", "release",
    "volume", "history", "bug", "import", "show", "wer", "templates", "domain",
}  # fmt: skip
HEAVY = {
    "textual", "rich", "sqlalchemy", "numpy", "soundfile", "sounddevice", "websockets", "sqlglot", "cryptography",
    "msgspec", "psycopg", "asyncio", "sqlite3", *(set(PACKAGES) - {"cli"}),
}  # fmt: skip
QUESTIONS = re.compile(r"(?:What|Who|Whom|Whose|Where|Which|How|Whether|When|The same)\b")


@cache
def sources() -> tuple[Path, ...]:
    """Every Python file of the program, relative to the root; the front door first."""
    found = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    return tuple(path.relative_to(ROOT) for path in [ROOT / "curtain.py", *found])


@cache
def all_python() -> tuple[Path, ...]:
    beside = [path for folder in ("tests", "benchmarks") for path in sorted((ROOT / folder).rglob("*.py"))]
    return (*sources(), *(path.relative_to(ROOT) for path in beside))


@dataclass(frozen=True)
class Module:
    """What the rules ask of one file, read off its syntax tree once."""

    lines: int
    docstring: str | None
    """`None` for an empty file."""
    imports: frozenset[str]
    """Top-level names of the packages imported, at the head or inside a function."""
    head: frozenset[str]
    """The same, at the head only."""
    tests: tuple[str, ...]
    """Modules of tests that are imported."""
    long: tuple[str, ...]
    questions: tuple[str, ...]
    """Public definitions whose docstring begins with a question."""
    classes: frozenset[str]
    sleeps: tuple[str, ...]


@cache
def module(path: Path) -> Module:
    text = (ROOT / path).read_text(encoding="utf-8")
    tree = ast.parse(text, filename=str(path))
    by_kind: dict[type[ast.AST], list[Any]] = {}
    for node in ast.walk(tree):
        by_kind.setdefault(type(node), []).append(node)
    functions = [*by_kind.get(ast.FunctionDef, ()), *by_kind.get(ast.AsyncFunctionDef, ())]
    classes, called = by_kind.get(ast.ClassDef, []), by_kind.get(ast.Call, [])
    public = [node for node in (*functions, *classes) if not node.name.startswith("_")]
    calls = [(node, dotted(node.func)) for node in called]
    brought = [
        name
        for node in (*by_kind.get(ast.Import, ()), *by_kind.get(ast.ImportFrom, ()), *called)
        for name in imported(node)
    ]
    docstring = ast.get_docstring(tree) or ""
    return Module(
        lines=text.count("\n"),
        docstring=docstring if tree.body else None,
        imports=frozenset(name.partition(".")[0] for name in brought),
        head=frozenset(name.partition(".")[0] for node in tree.body for name in imported(node)),
        tests=tuple(name for name in brought if re.match(r"tests\b.*\btest_", name)),
        long=tuple(f"{node.name}:{node.lineno}" for node in functions if (node.end_lineno or 0) - node.lineno >= 60),
        questions=(
            *(f"{path}:{node.lineno}" for node in public if QUESTIONS.match(ast.get_docstring(node) or "")),
            *([str(path)] if QUESTIONS.match(docstring) else []),
        ),
        classes=frozenset(node.name for node in classes),
        sleeps=tuple(
            f"{path}:{node.lineno}"
            for node, name in calls
            if name in {"time.sleep", "asyncio.sleep", "sleep"} and ast.unparse(node.args[0]) != "0"
        ),
    )


def dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def imported(node: ast.AST) -> list[str]:
    """The modules, and names of modules, that a node imports."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [f"{node.module}.{alias.name}" for alias in node.names]
    if isinstance(node, ast.Call) and dotted(node.func).endswith("import_module"):
        return [str(argument.value) for argument in node.args if isinstance(argument, ast.Constant)]
    return []


def importers(package: str) -> set[str]:
    return {path.as_posix() for path in sources() if package in module(path).imports}


def may_use_textual(path: str) -> bool:
    first, *rest = PurePosixPath(path).parts
    shown = bool(rest) and rest[0] in {"app.py", "screens", "widgets"}
    return first == "desk" or (first in {*PEOPLE, "rehearsal"} and shown)


def test_the_import_contracts_of_pyproject_hold() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-cache", "--no-logo"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_textual_stays_in_the_desk_and_in_the_people_s_apps_screens_and_widgets() -> None:
    users = importers("textual")
    assert {path for path in users if not may_use_textual(path)} == set()
    assert {PurePosixPath(path).parts[0] for path in users} >= {"desk", "subject", "wizard"}


@pytest.mark.parametrize(
    ("package", "places"),
    [
        ("websockets", {"session/transport/websocket.py", "session/transport/living_socket.py"}),
        ("sounddevice", {"session/audio/devices.py"}),
    ],
)
def test_the_network_and_the_sound_card_have_one_place_each(package: str, places: set[str]) -> None:
    assert importers(package) == places


def test_sounddevice_is_imported_only_when_a_device_is_opened() -> None:
    assert "sounddevice" not in module(Path("session/audio/devices.py")).head


def test_sqlalchemy_is_the_business_of_store_domain_and_generators() -> None:
    strangers = {path for path in importers("sqlalchemy") if not path.startswith("session/store/")}
    assert {PurePosixPath(path).parts[0] for path in strangers} <= {"domain", "scenarios", "server"}


def test_the_command_imports_nothing_but_click_until_a_subcommand_is_called() -> None:
    top = module(Path("curtain.py")).head
    assert top - set(sys.stdlib_module_names) <= {"click"}


def test_help_loads_nothing_heavy() -> None:
    program = (
        "import sys, curtain\n"
        "try: curtain.main(['--help'])\n"
        "except SystemExit as end: assert not end.code, end.code\n"
        "print('LOADED', *sorted({name.partition('.')[0] for name in sys.modules}))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    shown, _, loaded = done.stdout.partition("LOADED")
    assert "rehearse" in shown
    assert HEAVY & set(loaded.split()) == set()


def test_a_module_is_one_idea_of_readable_size() -> None:
    assert {str(path): module(path).lines for path in all_python() if module(path).lines > 400} == {}
    assert {str(path): module(path).long for path in all_python() if module(path).long} == {}


MOST_MODULES = 25
SMALL = 30
"""A module of fewer lines joins its neighbour, unless it is one of these: what several layers share, or a place kept open."""
SEAMS = {
    "cli/shared_options.py": "options that commands of several modules have in common",
    "desk/worded.py": "which words a widget shows; every part of a screen asks it",
    "corpus/analysis/consent_check.py": "what consent lets a corpus show, between the logs and every figure",
    "corpus/description/description_files.py": "all descriptions together, which package and release ask for alike",
    "corpus/formats/metadata_file.py": "one module per file format",
    "corpus/formats/log/channels.py": "read by the verifier and by packages",
    "corpus/packages/utterance_facts.py": "what is beside each sound, in every format alike",
    "desk/keys/key_labels.py": "how keys are called, in footers, help and documents",
    "domain/database/solution_set.py": "the query of a scenario's solutions, for doctor and the generators' tests",
    "server/steady_work.py": "what keeps the lobby and all else beside the sessions going, whatever a round of it meets",
    "session/collection/sample_ranges.py": "algebra of sample ranges, with properties of its own",
    "session/events/base.py": "the class under every event",
    "session/hub/attached_desk.py": "a desk as a session knows it, between the actor and the connections",
    "session/protocol/frame_upcasting.py": "old versions of the wire",
    "session/values/paragraphs.py": "texts of people in the width of a screen, a page and paper alike",
    "session/study/extras.py": "which optional packages are installed",
    "subject/capture/input.py": "a microphone as the session wants it, before anything is opened",
    "subject/capture/level.py": "a level without numpy, so that screens can paint before it is loaded",
    "subject/spool/spool_folder.py": "where spools lie, for the desk, doctor and withdrawal",
    "wizard/widgets/qr_code.py": "the one place of its library",
    "wizard/core/ports.py": "what the console needs from outside",
}


def test_a_folder_holds_no_more_modules_than_one_can_overlook() -> None:
    modules = [path for path in all_python() if path.name != "__init__.py"]
    sizes = {
        str(folder): sum(path.parent == folder for path in modules) for folder in {path.parent for path in modules}
    }
    assert {folder: size for folder, size in sizes.items() if size > MOST_MODULES} == {}


BESIDE_THE_PACKAGES = {"together", "effects", "domain/clinic", "domain/strangers"}
"""Folders of tests that mirror no package: both desks at once, settings to their ends, databases of other fields."""


def test_folders_of_tests_mirror_the_packages() -> None:
    packages = {path.parent for path in sources()}
    folders = {path.relative_to("tests").parent for path in all_python() if path.parts[0] == "tests"}
    beside = {path.as_posix() for path in folders - packages if path.parts and path.parts[0] != "benchmarks"}
    assert beside == BESIDE_THE_PACKAGES


def test_a_small_module_is_a_seam_with_a_reason() -> None:
    small = {path.as_posix() for path in sources() if path.name != "__init__.py" and module(path).lines < SMALL}
    assert small == set(SEAMS)


OF_EACH = {"command", "app", "desk", "ports", "generator"}
"""Parts that several packages have alike: a station's command, app, desk and ports, the generator of a domain's data."""
AFTER_ITS_SUBJECT = re.compile(r"cli/\w+|corpus/verify/rules/\w+|\w+/commands/\w+")
"""Folders that call modules after what they serve: a package in `cli`, the subject of rules, the command."""


def test_a_module_s_name_stands_once() -> None:
    """Whoever searches for a name finds one file, but for parts that several packages have alike."""
    own = [path.with_suffix("") for path in sources() if path.stem not in {"__init__", *OF_EACH}]
    stems = [path.stem for path in own if not AFTER_ITS_SUBJECT.fullmatch(path.as_posix())]
    assert {stem for stem in stems if stems.count(stem) > 1} == set()


def test_a_class_s_name_stands_once() -> None:
    classes = Counter(name for path in sources() for name in module(path).classes)
    assert {name for name, count in classes.items() if count > 1} == set()


def test_a_module_says_why_it_exists() -> None:
    docstrings = {str(path): module(path).docstring for path in sources()}
    assert [path for path, text in docstrings.items() if text is not None and len(text) <= 20] == []


def test_no_docstring_begins_with_a_question() -> None:
    """A docstring begins with what the thing is or does: "Draw the held-out speakers …", "Return …"."""
    assert [place for path in sources() for place in module(path).questions] == []


def test_nothing_is_called_utils_or_manager() -> None:
    classes = {name for path in sources() for name in module(path).classes}
    stems = {part for path in sources() for part in path.with_suffix("").parts}
    vague = re.compile(r"(?i)(^|_)(utils?|helpers?|misc|common)$|manager$")
    assert {name for name in classes | stems if vague.search(name)} == set()


def test_nothing_names_a_package_registry_or_a_folder_of_somebody_s_machine() -> None:
    hosts = [".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("deb", "debian", "org"))]
    places = re.compile("|".join([*map(re.escape, hosts), r"(?<![\w./-])/(work|root)\b"]))
    folders = [ROOT / name for name in (*PACKAGES, "tests", "benchmarks", "docs", ".ci")]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    beside = [path for path in ROOT.iterdir() if path.is_file() and path.name != ".git"]
    texts = {str(path): path.read_bytes().decode("utf-8", "ignore") for path in files + beside}
    assert {name: found[0] for name, text in texts.items() if (found := places.search(text))} == {}


PROGRAMS = {"tests/together/acting.py", "tests/together/world.py"}
"""Not tests but programs that a test starts and kills; waiting for one another is all that they can do."""


def test_no_test_imports_another_test() -> None:
    """Helpers lie in modules of their own: whoever changes a test changes no other."""
    assert {str(path): module(path).tests for path in all_python() if module(path).tests} == {}


def test_no_test_sleeps() -> None:
    tests = [path for path in all_python() if path.parts[0] == "tests" and path.as_posix() not in PROGRAMS]
    assert [place for path in tests for place in module(path).sleeps] == []


def test_the_front_door_has_exactly_the_commands_of_the_design() -> None:
    assert set(commands()) == COMMANDS


def test_every_command_is_in_the_docs_and_every_command_in_the_docs_exists() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
    mentioned = set(re.findall(r"(?m)(?:`|^ *(?:\$ )?)(?:\.venv/bin/)?curtain ([a-z][a-z-]*)\b", text))
    assert mentioned == set(commands())


def test_the_page_of_commands_lists_them_all_in_the_groups_of_help() -> None:
    import curtain

    page = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    groups = dict(section.split("\n", 1) for section in page.split("\n## ")[1:])
    listed = {title: re.findall(r"(?m)^\| `curtain (\w+)", text) for title, text in groups.items()}
    once = {
        title: list(dict.fromkeys(names)) for title, names in listed.items()
    }  # `domain` has a row for each of its own
    assert list(once.items()) == [(title, list(names)) for title, (_, names) in curtain.GROUPS.items()]


def test_what_is_typed_in_a_clone_by_the_documents_meets_nothing_that_lies_there() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in pages)
    typed = re.findall(r"(?m)^ *curtain (?:export \S+|new|verify|transcribe|report|stats) ([\w-]+)", text)
    assert {"my-study", "my-corpus"} <= set(typed)
    made = ("study.toml", "manifest.json")  # what somebody made who typed it is no part of the project
    own = [name for name in typed if not any((ROOT / name / file).is_file() for file in made)]
    assert [name for name in own if (ROOT / name).exists()] == []


def test_every_page_of_the_documentation_is_in_the_site_s_navigation_once() -> None:
    listed = re.findall(r"(?m)^ *- (?:[^:]+: )?([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in ROOT.glob("docs/**/*.md")]
    assert sorted(listed) == sorted(pages)


def test_the_first_page_of_the_documentation_leads_to_every_guide_and_reference() -> None:
    linked = re.findall(r"\]\(([\w/-]+\.md)\)", (ROOT / "docs" / "index.md").read_text(encoding="utf-8"))
    folders = ("tutorials", "how-to", "reference", "explanation", "development")
    pages = [
        path.relative_to(ROOT / "docs").as_posix()
        for folder in folders
        for path in (ROOT / "docs" / folder).glob("*.md")
    ]
    assert sorted(set(pages) - set(linked)) == []


def test_every_link_of_the_documentation_leads_to_a_file() -> None:
    broken = []
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if not link.startswith("http") and not (page.parent / link).exists():
                broken.append(f"{page.relative_to(ROOT)}: {link}")
    assert broken == []


def commands() -> list[str]:
    import click

    import curtain

    names: list[str] = curtain.main.list_commands(click.Context(curtain.main))
    return names


def test_help_lists_every_command_of_each_module_in_one_group() -> None:
    import click

    import curtain

    grouped = [name for _, names in curtain.GROUPS.values() for name in names]
    assert len(grouped) == len(set(grouped))
    for module in {module for module, _ in curtain.GROUPS.values()}:
        defined = {
            name.rstrip("_")
            for name, value in vars(import_module(module)).items()
            if isinstance(value, click.Command) and not name.startswith("_")  # of a group's own
        }
        assert defined == {name for name in grouped if curtain.MODULES[name] == module}
