"""Requests about two databases that nobody has described, of which half were sealed until the learner had been mended."""

import hashlib
import io
import json
from collections import Counter
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from benchmarks.english import Runner, judge
from domain.english.engine import Engine
from domain.learn.learn import learn_command
from tests.domain.strangers.databases import build

HERE = Path(__file__).parent
SEALED = {
    "lending": "b8ea755379fceab43a4a64c25760989f994bd4f97431503c0ef8031256f19ea1",
    "maintenance": "d4b83cd8eaf14af048139bf52451230858c295e57be674fcc35aec14e349350d",
}
Verdicts = Callable[[str], Counter[str]]


@pytest.fixture(scope="module", params=sorted(SEALED))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def verdicts(name: str, tmp_path_factory: pytest.TempPathFactory) -> Verdicts:
    """How the requests of a half fare with what was learnt, nothing edited."""
    folder = tmp_path_factory.mktemp(name)
    url = build(name, folder / "rows.sqlite")
    output = io.StringIO()
    assert learn_command(url, str(folder / "learnt"), output, output) == 0, output.getvalue()
    engine = Engine(folder / "learnt", url, date(2025, 6, 1))

    def counted(half: str) -> Counter[str]:
        runner = Runner(str(folder / "rows.sqlite"), None)
        found: Counter[str] = Counter()
        for line in (HERE / f"{name}_{half}.jsonl").read_text().splitlines():
            request = json.loads(line)
            readings = engine.ask(request["question"]).readings
            found[judge(runner, request["sql"], readings[0].sql if readings else None)] += 1
        runner.close()
        return found

    return counted


def test_the_requests_are_the_sealed_ones(name: str) -> None:
    assert hashlib.sha256((HERE / f"{name}_sealed.jsonl").read_bytes()).hexdigest() == SEALED[name]


def test_what_is_learnt_answers_nearly_all_that_was_read(verdicts: Verdicts) -> None:
    found = verdicts("open")
    assert found["right"] >= 29
    assert found["wrong"] == 0


def test_what_is_learnt_answers_most_of_what_was_sealed(verdicts: Verdicts) -> None:
    found = verdicts("sealed")
    assert found["right"] >= 26
    assert found["wrong"] <= 1
