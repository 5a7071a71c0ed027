"""The tables of the 1993 paper come out of fixtures with their counts, exactly as printed."""

import pytest

from corpus.analysis.paper_tables import (
    ScenarioCounts,
    age_bands,
    ages,
    aligned,
    by_class,
    collected,
    people,
    person_shares,
    speakers,
)
from corpus.report.tables import shown

COLLECTED = {
    "ATT": (57, 200, 2100),
    "BBN": (62, 307, 2277),
    "CMU": (47, 214, 2219),
    "MIT": (182, 625, 4910),
    "SRI": (90, 148, 2478),
}
TRAINING = {
    "ATT": (457, 497, 295),
    "BBN": (858, 357, 312),
    "CMU": (562, 340, 594),
    "MIT": (663, 680, 414),
    "SRI": (676, 618, 184),
}
TEST = {
    "ATT": (7, 1, 6, 22, 200),
    "BBN": (7, 3, 4, 28, 201),
    "CMU": (4, 4, 0, 12, 200),
    "MIT": (10, 3, 7, 37, 201),
    "SRI": (9, 5, 4, 19, 200),
}
TEST_CLASSES = {
    "ATT": (48, 41, 111),
    "BBN": (97, 27, 77),
    "CMU": (76, 66, 58),
    "MIT": (100, 67, 34),
    "SRI": (106, 46, 48),
}


def units(site: str, number: int, scenarios: int, classes: list[str], males: int = 0) -> list[ScenarioCounts]:
    """Scenarios dealt out to so many speakers, utterances dealt out to the scenarios."""
    shares: list[list[str]] = [classes[place::scenarios] for place in range(scenarios)]
    return [
        ScenarioCounts(
            site, f"{site}{place % number}", "m" if place % number < males else "f", None, f"s{place}", tuple(share)
        )
        for place, share in enumerate(shares)
    ]


def kinds(a: int, d: int, x: int) -> list[str]:
    """As many of each class; a D1 counts as D."""
    return ["A"] * a + ["D"] * (d - 1) + ["D1"] + ["X"] * x


def test_table_1_what_each_site_collected() -> None:
    found = collected(unit for site, (n, s, u) in COLLECTED.items() for unit in units(site, n, s, [""] * u))
    assert {row.site: (row.speakers, row.scenarios, row.utterances) for row in found} == COLLECTED | {
        "total": (438, 1494, 13984)
    }


def test_table_2_annotated_training_data_by_class() -> None:
    found = by_class(unit for site, counts in TRAINING.items() for unit in units(site, 5, 40, kinds(*counts)))
    assert [(row.site, row.total, f"{row.share:.1f}") for row in found] == [
        ("ATT", 1249, "16.6"), ("BBN", 1527, "20.3"), ("CMU", 1496, "19.9"), ("MIT", 1757, "23.4"), ("SRI", 1478, "19.7"),
        ("total", 7507, "100.0"),
    ]  # fmt: skip
    assert [" ".join(f"{share:.1f}" for share in row.percentages) for row in found] == [
        "36.6 39.8 23.6", "56.2 23.4 20.4", "37.6 22.7 39.7", "37.7 38.7 23.6", "45.7 41.8 12.4", "42.8 33.2 24.0",
    ]  # fmt: skip
    assert (found[-1].a, found[-1].d, found[-1].x) == (3216, 2492, 1799)


def test_utterances_that_nobody_classified_yet_are_in_no_share() -> None:
    found = by_class(units("BBN", 5, 40, [*kinds(858, 357, 312), *[""] * 750]))
    assert (found[0].total, found[0].share) == (1527, 100.0)


def test_table_3_the_speakers_of_the_test() -> None:
    found = people(unit for site, (n, m, _, s, u) in TEST.items() for unit in units(site, n, s, [""] * u, m))
    assert {row.site: (row.speakers, row.male, row.female, row.scenarios, row.utterances) for row in found} == TEST | {
        "total": (37, 16, 21, 118, 1002)
    }
    assert not any(row.other for row in found)


def test_table_4_the_test_by_class() -> None:
    found = by_class(unit for site, counts in TEST_CLASSES.items() for unit in units(site, 5, 12, kinds(*counts)))
    assert {row.site: (row.a, row.d, row.x) for row in found} == TEST_CLASSES | {"total": (427, 247, 328)}
    assert " ".join(f"{share:.1f}" for share in found[-1].percentages) == "42.6 24.7 32.7"
    assert found[-1].total == 1002


def aged(site: str, *years: int | None, sex: str = "f") -> list[ScenarioCounts]:
    return [ScenarioCounts(site, f"{site}{place}", sex, year, "s", ("",)) for place, year in enumerate(years)]


def test_ages_are_those_of_the_reports_of_two_sites() -> None:
    cmu, att = ages([*aged("CMU", 18, 19, 21, 24, 38, None), *aged("ATT", 29, 41, 55, 60, 77)])[:2][::-1]
    assert (cmu.site, cmu.known, cmu.youngest, cmu.oldest, cmu.mean) == ("CMU", 5, 18, 38, 24.0)
    assert (att.youngest, att.oldest, att.median) == (29, 77, 55)
    assert shown(att.median) == "55.0"
    assert ages(aged("SRI", None)) == []


def test_speakers_are_counted_by_decade_of_age_and_each_once() -> None:
    found = age_bands([*aged("CMU", 18, 19, 21, 38, None), *aged("ATT", 29, 41), *aged("ATT", 29, 41)])
    assert [(row.age, row.speakers, row.scenarios, row.utterances) for row in found] == [
        ("10 to 19", 2, 2, 2), ("20 to 29", 2, 3, 3), ("30 to 39", 1, 1, 1), ("40 to 49", 1, 2, 2), ("not stated", 1, 1, 1),
    ]  # fmt: skip
    assert age_bands(aged("SRI", None)) == []


def test_shares_are_those_of_the_reports_of_two_sites() -> None:
    """AT&T: 82 % women of 57 (47 of them come to that); CMU: 214 scenarios of 47 speakers, six at most."""
    att = units("ATT", 57, 200, [""] * 2100, males=10)
    uneven = [6] * 5 + [5] * 16 + [4] * 26
    cmu = [
        ScenarioCounts("CMU", f"c{who}", "", None, f"s{k}", ("",))
        for who, count in enumerate(uneven)
        for k in range(count)
    ]
    first, second, whole = person_shares([*att, *cmu])
    assert (f"{first.women:.0f}", first.most_scenarios, f"{first.mean_scenarios:.1f}") == ("82", 4, "3.5")
    assert (second.women, second.most_scenarios, f"{second.mean_scenarios:.1f}") == (None, 6, "4.6")
    assert (whole.site, whole.women, whole.most_scenarios) == ("total", first.women, 6)
    assert person_shares([])[0].mean_scenarios == 0


def test_what_was_released_in_1992_adds_up_to_what_the_paper_says() -> None:
    """Almost 14,000 utterances, annotations for almost 10,000: 7,500 of training and three tests of 2,300 in all."""
    collected_in_all = collected(unit for site, (n, s, u) in COLLECTED.items() for unit in units(site, n, s, [""] * u))[
        -1
    ]
    training = by_class(unit for site, counts in TRAINING.items() for unit in units(site, 5, 40, kinds(*counts)))[-1]
    assert (round(collected_in_all.utterances, -3), round(training.total, -2), round(training.total + 2300, -2)) == (
        14000,
        7500,
        9800,
    )
    evaluable = 100 * (training.a + training.d) / training.total
    assert f"{evaluable:.1f}" == "76.0"


def test_a_speaker_of_several_scenarios_counts_once() -> None:
    (row,) = speakers([ScenarioCounts("BBN", "8k8", "f", 31, f"s{n}", ("A", "X")) for n in range(3)], {"8k8": 90.0})
    assert (row.scenarios, row.utterances, row.minutes) == (3, 6, 1.5)


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([("bbn", "5"), ("cmu", "12")], "site   n\nbbn    5\ncmu   12\n"),
        ([("bbn", "–"), ("c", "1.2")], "site    n\nbbn     –\nc     1.2\n"),
    ],
)
def test_tables_line_up(rows: list[tuple[str, ...]], text: str) -> None:
    assert aligned(("site", "n"), rows) == text
