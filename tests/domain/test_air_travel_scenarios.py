"""The scenario bank: what each scenario promises is derived from the database, and no text puts words into mouths."""

import re

import pytest

from domain.database.solution_set import MEANINGFUL, solution_query
from domain.sandbox.sandbox import Sandbox
from scenarios.air_travel.places import CITIES
from session.study.settings import Scenario
from session.values.answers import Table
from session.values.vocabulary import ScenarioKind
from study.rightness import Rightness, judge
from tests.domain.scenario_bank import BINDINGS, SHIPPED, bank, bindings, files

QUOTED = re.compile(r"[\"“”„«»‘`]|(?<!\w)'|'(?!\w)")
REQUESTS = re.compile(
    r"(?:^|[.:;!]\s+)(?:show|list|give|tell me|display|print|what|which|who|when|where|why|how|is|are|do|does|can|could|"
    r"would|may i|i want|i need|i would|i'd|please|find|get me)\b",
    re.IGNORECASE,
)


def solutions(scenario: Scenario, sandbox: Sandbox) -> Table:
    return sandbox.run(solution_query(scenario, bindings(scenario)))


def findings(text: str) -> list[str]:
    """What a text for subjects must not hold: questions, quoted speech, requests as one would make them."""
    plain = " ".join(text.split())
    found = ["a question"] if "?" in plain else []
    found += ["quoted words"] if QUOTED.search(plain) else []
    return found + [f"a request: {match.group()}" for match in REQUESTS.finditer(plain)]


def test_the_bank_has_what_a_collection_needs() -> None:
    scenarios = bank()
    kinds = [scenario.kind for scenario in scenarios]
    assert [scenario.id for scenario in scenarios if scenario.common] == ["interviews"]
    assert kinds.count(ScenarioKind.PRACTICE) == 1
    assert kinds.count(ScenarioKind.TRIP) >= 5
    assert kinds.count(ScenarioKind.PROBLEM) >= 4
    assert len([scenario for scenario in scenarios if not scenario.common and scenario.kind != "practice"]) >= 9
    assert {scenario.difficulty for scenario in scenarios} == {1, 2, 3, 4, 5}
    assert [path.stem for path in files()] == [scenario.id for scenario in scenarios]


def test_harder_scenarios_are_expected_to_take_more_queries() -> None:
    expected: dict[int, list[int]] = {}
    for scenario in bank():
        expected.setdefault(scenario.difficulty, []).append(scenario.expected_queries)
    means = [sum(expected[level]) / len(expected[level]) for level in sorted(expected)]
    assert means == sorted(means)


def test_the_common_scenario_has_exactly_its_three_placeholders_and_none_is_bound() -> None:
    common = next(scenario for scenario in bank() if scenario.common)
    assert common.placeholders == {"A": "", "B": "", "C": ""}
    assert set(re.findall(r"\{(\w+)\}", common.text)) == {"A", "B", "C"}
    assert common.unbound({"A": "Boston", "C": "Denver"}) == ["B"]
    with pytest.raises(ValueError, match="nothing is bound to B"):
        solution_query(common, {"A": "Boston", "C": "Denver"})
    assert "{" not in common.bound(BINDINGS)


@pytest.mark.parametrize("scenario", bank(), ids=lambda scenario: scenario.id)
def test_each_solution_set_is_in_the_database_and_small(scenario: Scenario, sandbox: Sandbox) -> None:
    found = solutions(scenario, sandbox)
    assert 1 <= len(found.rows) <= MEANINGFUL
    assert not found.more
    assert scenario.solution is not None
    assert scenario.solution.explanation
    promised = set(re.findall(r"SELECT DISTINCT '([^']+)'", scenario.solution.sql))
    if promised:
        assert found.columns[0] == "part"
        assert {row[0] for row in found.rows} == promised


@pytest.mark.parametrize(
    "wrong",
    [{"A": "Boston", "B": "Denver", "C": "Miami"}, {"A": "NEW YORK", "B": "Long Beach", "C": "toronto"}],
    ids=str,
)
def test_the_common_scenario_can_be_solved_with_other_cities(wrong: dict[str, str], sandbox: Sandbox) -> None:
    common = next(scenario for scenario in bank() if scenario.common)
    found = sandbox.run(solution_query(common, wrong))
    assert len({row[0] for row in found.rows}) == 5


def test_a_weekend_there_with_one_airline_and_back_with_another_is_no_solution(sandbox: Sandbox) -> None:
    rows = solutions(next(scenario for scenario in bank() if scenario.id == "weekend"), sandbox)
    airline, out_way, back = rows.rows[0]
    other = next(row for row in rows.rows if row[0] != airline)
    assert judge(f"{airline} {out_way}, back with {airline} {back}", rows) is Rightness.RIGHT
    assert judge(f"{airline} {out_way}, back with {other[0]} {other[2]}", rows) is not Rightness.RIGHT


@pytest.mark.parametrize("scenario", [*bank(), *bank("personnel")], ids=lambda scenario: scenario.id)
def test_no_scenario_puts_words_into_the_subjects_mouth(scenario: Scenario) -> None:
    assert findings(scenario.text) == []
    assert findings(scenario.title) == []


@pytest.mark.parametrize(
    ("domain", "named"), [("air_travel", [city.name.title() for city in CITIES]), ("personnel", [])]
)
def test_what_subjects_read_holds_no_example_request_and_all_cities(domain: str, named: list[str]) -> None:
    text = (SHIPPED / domain / "subject_overview.md").read_text(encoding="utf-8")
    assert findings(re.sub(r"^[#|].*$|^\d\. ", "", text, flags=re.MULTILINE)) == []
    assert all(name in " ".join(text.split()) for name in named)
    assert "wizard" not in text.lower()
    assert "{" not in text


@pytest.mark.parametrize(
    "text",
    [
        "You want to go home. Which flights are there",
        "Is there a flight?",
        'Say "flights to Boston" to begin.',
        "You are in Denver. Show me flights to Boston.",
        "Say ‘flights’ to begin.",
        "What flights leave before noon",
    ],
)
def test_the_lint_finds_what_it_is_for(text: str) -> None:
    assert findings(text)
