"""What a first run of the tests settles is left out of a later one, and nothing else."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests import ROOT

FILES = {
    "test_plain.py": """
        import subprocess, sys
        from concurrent.futures import ProcessPoolExecutor
        import shutil
        import pytest
        from hypothesis import given, strategies as st
        from session.audio.devices import DeviceError, list_devices
        from tests import THOROUGH
        def test_settled(): assert 1
        @pytest.mark.parametrize("a", ["x[1]", "y z"])
        def test_settled_with(a): assert a
        def test_skipped(): pytest.skip("not here")
        @pytest.mark.skipif(not THOROUGH, reason="seconds")
        def test_marked(): assert 1
        def test_thorough(): assert THOROUGH or True
        def test_program(): shutil.which("sox")
        def test_process(): subprocess.run([sys.executable, "-c", ""], check=True)
        def test_pool():
            with ProcessPoolExecutor(1) as pool: assert pool.submit(abs, -1).result() == 1
        def test_sound():
            try: list_devices()
            except DeviceError: pass
        @given(st.integers())
        def test_drawn(n): assert n == n
        @pytest.mark.xfail(strict=True)
        def test_fails(): assert 0
    """,
    "test_fixture.py": """
        import shutil
        import pytest
        @pytest.fixture(scope="module")
        def program(): return shutil.which("sox")
        def test_first(program): assert 1
        def test_second(program): assert 1
        def test_without(): assert 1
    """,
    "test_skipping.py": """
        import pytest
        from tests import THOROUGH
        @pytest.fixture
        def slow():
            if not THOROUGH: pytest.skip("seconds")
        def test_slow(slow): assert 1
        def test_settled(): assert 1
    """,
}


def run(folder: Path, *options: str, **more: str) -> list[str]:
    """The tests that a run of pytest passes, by their names."""
    command = [sys.executable, "-m", "pytest", "-p", "tests.settled", "-p", "no:cacheprovider", "-c", "none.ini"]
    (folder / "none.ini").write_text("[pytest]\n")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "CURTAIN_"))}
    done = subprocess.run(
        [*command, "-rp", *options], cwd=folder, env=environment | {"PYTHONPATH": str(ROOT)} | more,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return sorted(line.removeprefix("PASSED ") for line in done.stdout.splitlines() if line.startswith("PASSED "))


def test_only_what_passes_and_asks_for_nothing_is_left_out_of_a_later_run(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text("\n".join(line[8:] for line in text.splitlines()))
    settled = tmp_path / "settled"
    passed = run(tmp_path, "-n", "2", CURTAIN_SETTLED=str(settled))
    assert settled.read_text().splitlines() == [
        "test_plain.py::test_settled",
        "test_plain.py::test_settled_with[x[1]]",
        "test_plain.py::test_settled_with[y z]",
        "test_skipping.py::test_settled",
    ]
    later = run(tmp_path, CURTAIN_LEAVE_OUT=str(settled), CURTAIN_PROFILES="every")
    assert {*later} == {*passed} - {*settled.read_text().splitlines()} | {
        "test_plain.py::test_marked",
        "test_skipping.py::test_slow",
    }


def test_no_constant_of_a_module_asks_how_thorough_to_be() -> None:
    """There nothing notices that it was asked, and the tests that use it would be left out."""
    asking = re.compile(
        r"^[A-Z][A-Z_]* = (?!pytest\.mark\.skipif).*\bTHOROUGH\b", re.MULTILINE
    )  # a skipped test is left over
    assert [
        path.name for path in sorted((ROOT / "tests").rglob("*.py")) if asking.search(path.read_text("utf-8"))
    ] == []
    assert asking.search("PAIRS = 700 if THOROUGH else 140")
