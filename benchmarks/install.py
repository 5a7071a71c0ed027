"""Benchmark of an installation without extras into a fresh environment: disk and time.

Budget of the design: under 200 MB and under a minute. The wheel is built first, so what is measured is what a user
installs. Time is that of the package installer alone, without its cache unless --cache is given; size is what it added
to the empty environment, in MB of 1,000,000 bytes.

    python -m benchmarks.install [--wheel FILE] [--venv DIR] [--constraints FILE] [--cache]
"""

import argparse
import subprocess
import sys
import tempfile
import time
import venv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MOST_MB = 200
MOST_SECONDS = 60


@dataclass(frozen=True)
class Cost:
    """Cost of one installation."""

    seconds: float
    megabytes: float
    largest: tuple[tuple[str, float], ...]

    def within_budget(self) -> bool:
        return self.seconds < MOST_SECONDS and self.megabytes < MOST_MB


def build_wheel(into: Path) -> Path:
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(into), str(ROOT)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    [wheel] = into.glob("*.whl")
    return wheel


def megabytes(folder: Path) -> float:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def sizes(environment: Path) -> dict[str, float]:
    """MB by what is in the environment's site-packages."""
    [packages] = environment.glob("lib/python*/site-packages")
    return {path.name: megabytes(path) for path in packages.iterdir() if path.is_dir() and path.name != "pip"}


def install(wheel: Path, environment: Path, constraints: Path | None, cache: bool) -> Cost:
    """Installs `wheel` into a new environment and says what that took.

    Raises subprocess.CalledProcessError when the installer fails.
    """
    venv.create(environment, with_pip=True)
    before = megabytes(environment)
    options = ["--quiet", "--disable-pip-version-check", *([] if cache else ["--no-cache-dir"])]
    options += ["--constraint", str(constraints)] if constraints else []
    began = time.perf_counter()
    subprocess.run([environment / "bin" / "python", "-m", "pip", "install", *options, wheel], check=True)
    seconds = time.perf_counter() - began
    largest = sorted(sizes(environment).items(), key=lambda item: -item[1])[:5]
    return Cost(seconds, megabytes(environment) - before, tuple(largest))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--wheel", type=Path, help="an already built wheel")
    parser.add_argument("--venv", type=Path, help="where to make the environment, which is then kept")
    parser.add_argument("--constraints", type=Path, help="versions to hold to")
    parser.add_argument("--cache", action="store_true", help="let the installer use what it fetched before")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        wheel = args.wheel or build_wheel(Path(scratch))
        cost = install(wheel, args.venv or Path(scratch, "venv"), args.constraints, args.cache)
        print(f"wheel     {wheel.stat().st_size / 1e6:6.1f} MB")
    print(f"installed {cost.megabytes:6.1f} MB   (budget {MOST_MB})")
    print(f"in        {cost.seconds:6.1f} s    (budget {MOST_SECONDS})")
    print("largest   " + ", ".join(f"{name} {size:.0f} MB" for name, size in cost.largest))
    return 0 if cost.within_budget() else 1


if __name__ == "__main__":
    sys.exit(main())
