"""What a newcomer installs: the wheel's contents, the lock file, and how .ci/setup behaves where something is lacking."""

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement

from tests import PACKAGES, ROOT

TOOLS = ("awk", "bash", "cat", "cksum", "dirname", "env", "flock", "head", "id", "mkdir", "rm", "uname")


@pytest.fixture(scope="module")
def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Names of the files in a freshly built wheel."""
    [built] = WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("wheel")), versions=["standard"])
    with zipfile.ZipFile(built) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def locked() -> list[tuple[Requirement, list[str]]]:
    """Each requirement of the lock file with its hashes; one package may stand there once per range of Pythons."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    blocks = [block for block in re.split(r"(?m)^(?=[a-z0-9])", text) if not block.startswith("#")]
    return [
        (Requirement(block.partition("\\")[0]), re.findall(r"--hash=sha256:[0-9a-f]{64}\b", block)) for block in blocks
    ]


def test_the_wheel_holds_the_whole_program_and_nothing_beside_it(wheel: set[str]) -> None:
    tops = {name.partition("/")[0] for name in wheel if ".dist-info/" not in name}
    assert tops == {"curtain.py", *PACKAGES}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_file_of_a_package_is_left_out_of_the_wheel(package: str, wheel: set[str]) -> None:
    there = [path for path in (ROOT / package).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert {path.relative_to(ROOT).as_posix() for path in there} == {n for n in wheel if n.startswith(package + "/")}


@pytest.mark.parametrize("package", ["scenarios", "canned_messages"])
def test_what_ships_as_data_is_in_the_wheel(package: str, wheel: set[str]) -> None:
    assert any(name.startswith(package + "/") and name.endswith(".toml") for name in wheel)


def test_the_wheel_carries_its_licence_and_its_command(wheel: set[str]) -> None:
    named = {name.partition(".dist-info/")[2] for name in wheel}
    assert {"licenses/LICENSE", "entry_points.txt"} <= named


def test_every_locked_package_has_its_hashes(locked: list[tuple[Requirement, list[str]]]) -> None:
    assert len(locked) > 30
    assert [requirement.name for requirement, hashes in locked if not hashes] == []


def test_every_requirement_is_locked_at_a_version_it_allows(
    pyproject: dict[str, Any], locked: list[tuple[Requirement, list[str]]]
) -> None:
    project = pyproject["project"]
    lines = [*project["dependencies"], *pyproject["dependency-groups"]["dev"], *pyproject["build-system"]["requires"]]
    for wanted in map(Requirement, lines):
        versions = [str(there.specifier).removeprefix("==") for there, _ in locked if there.name == wanted.name]
        assert versions, f"{wanted.name} is not in requirements.lock: make lock"
        assert all(wanted.specifier.contains(version) for version in versions), wanted


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-docs.lock"])
def test_the_lock_file_names_no_address(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert re.findall(r"(?m)://|^--?[a-z]|\bfile:| @ ", text) == []


def test_the_changelog_tells_of_this_version(pyproject: dict[str, Any]) -> None:
    assert f"## {pyproject['project']['version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


class Machine:
    """A copy of the bootstrap with a PATH of its own: only the named tools, and whatever Python a test puts there."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self.checkout = folder / "a check out"
        self.bin.mkdir()
        for tool in filter(shutil.which, TOOLS):
            (self.bin / tool).symlink_to(str(shutil.which(tool)))
        shutil.copytree(ROOT / ".ci", self.checkout / ".ci")
        for name in ("requirements.lock", "pyproject.toml"):
            shutil.copy(ROOT / name, self.checkout)

    def has(self, name: str, script: str) -> None:
        (self.bin / name).unlink(missing_ok=True)  # or it would be written through the link to the real tool
        (self.bin / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (self.bin / name).chmod(0o755)

    def setup(self, **env: str) -> subprocess.CompletedProcess[str]:
        command = [str(self.bin / "bash"), ".ci/setup"]
        path = {"PATH": str(self.bin), **env}
        return subprocess.run(command, cwd=self.checkout, env=path, capture_output=True, text=True, check=False)


OLD = 'case "$*" in --version) echo Python 3.9.2;; *) exit 1;; esac'


def without_venv(prefix: str) -> str:
    """A Python installed under `prefix` that lacks ensurepip."""
    return f"""case "$*" in
    *ensurepip*) exit 1;; *base_prefix*) echo {prefix};; *) exec {shlex.quote(sys.executable)} "$@";; esac"""


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_python_too_old_is_named_and_nothing_is_made(machine: Machine) -> None:
    machine.has("python3", OLD)
    done = machine.setup()
    assert done.returncode == 2
    assert "needs Python 3.11 or newer; found: Python 3.9.2" in done.stderr
    assert not (machine.checkout / ".venv").exists()


def test_no_python_at_all_is_said(machine: Machine) -> None:
    done = machine.setup()
    assert (done.returncode, "found: no python3" in done.stderr) == (2, True)


def test_without_ensurepip_the_line_to_type_is_printed(machine: Machine) -> None:
    machine.has("python3", without_venv("/usr"))
    machine.has("apt-get", "exit 1")
    machine.has("sudo", "exit 1")
    done = machine.setup(CURTAIN_NO_SYSTEM="1")
    package = f"python3.{sys.version_info.minor}-venv"
    assert done.returncode == 2
    assert re.search(rf"^    .*apt-get install -y {re.escape(package)} libportaudio2'?$", done.stderr, re.MULTILINE)


def test_ensurepip_is_installed_where_that_is_permitted(machine: Machine, tmp_path: Path) -> None:
    machine.has("python3", without_venv("/usr"))
    machine.has("id", "echo 0")
    machine.has("apt-get", f'echo "$@" >>{shlex.quote(str(tmp_path))}/asked; exit 1')
    done = machine.setup()
    asked = (tmp_path / "asked").read_text(encoding="utf-8").splitlines()
    assert [line.split()[-1] for line in asked] == [f"python3.{sys.version_info.minor}-venv", "-qq"]
    assert done.returncode == 2


def test_a_python_of_one_s_own_without_ensurepip_is_not_debian_s_business(machine: Machine) -> None:
    machine.has("python3", without_venv("/opt/python"))
    machine.has("apt-get", "exit 0")
    done = machine.setup(CURTAIN_NO_SYSTEM="1")
    assert done.returncode == 2
    assert "make PYTHON=" in done.stderr
    assert "apt-get" not in done.stderr


def test_a_second_python_is_found_when_the_first_cannot_make_environments(machine: Machine) -> None:
    machine.has("python3", without_venv("/usr"))
    machine.has("python3.12", 'case "$*" in -m\\ venv*) echo "made with 3.12"; exit 1;; *) exit 0;; esac')
    done = machine.setup()
    assert (done.returncode, done.stdout) == (1, "made with 3.12\n")
