"""Who may change, submit, reopen and check a transcription."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator import rules as deciding
from annotator import transcription_status, user_names
from annotator.rules import NotNow
from session.annotation.events import Pass, TranscriptionBegun, WorkFact
from session.annotation.transcript import Transcript, evolve, fold
from session.events import Recorded
from session.values.clock import Stamp
from tests.annotator.desk import FIRST, SRO, TEXT, Lab, entry, rules


def test_a_second_person_checks_and_may_correct(lab: Lab) -> None:
    lab.at().submit("show me flights from boston")
    second = lab.at(name="ben")
    second.check("show me the flights from boston")
    assert lab.text(SRO) == "show me the flights from boston\n"
    work = entry(lab, SRO).work
    assert work is not None
    assert (work.transcriber, work.checker) == ("anna", "ben")
    assert not rules(lab, FIRST)


@pytest.mark.parametrize(
    "name",
    [
        "anna", "Anna", " ANNA ", "an na", "Anna.", "ａｎｎａ", "anna\N{COMBINING GRAPHEME JOINER}", "Ánná", "ᴀɴɴᴀ",
        "\N{LATIN SMALL LETTER ALPHA}nna",
    ],
)  # fmt: skip
def test_nobody_checks_their_own_work(lab: Lab, name: str) -> None:
    lab.at().submit(TEXT)
    with pytest.raises(NotNow, match="second person"):
        lab.at(name=name).check(TEXT)
    with pytest.raises(NotNow, match="second person"):
        lab.at(name=name).revise("other words")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("coco", "сосо"),
        ("TOM", "ТОМ"),
        ("KATE", "ΚΑΤΕ"),
        ("Bill", "Bi1l"),
        ("Łukasz", "lukasz"),
        ("Kaʻiulani", "Ka'iulani"),
        ("Kaʻiulani", "Kaiulani"),
        ("Kaʼiulani", "Ka\ua78ciulani"),
        ("anna\u01c3", "Anna"),
    ],
)
def test_names_that_look_alike_are_one_persons(one: str, other: str) -> None:
    assert one != other
    assert user_names.same(one, other)


@pytest.mark.parametrize("name", ["ʻ", "ʼ ʼ", "\ua78c"])
def test_an_apostrophe_alone_is_no_name(name: str) -> None:
    with pytest.raises(ValueError, match="say who transcribes"):
        user_names.named(name)


@pytest.mark.parametrize("name", ["\N{LISU LETTER A}nna", "Anna \N{CYRILLIC CAPITAL LETTER BE}."])
def test_a_name_of_several_alphabets_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="several alphabets"):
        user_names.named(name)


@pytest.mark.parametrize("name", ["Анна Б.", "たなか 田中", "김민수", "Zoë 2", "Kaʻiulani Leʻa", "Мар'яна", "Марʼяна"])
def test_a_name_of_one_is_not(name: str) -> None:
    assert user_names.named(name) == name


def test_who_is_new_is_told_who_works_here(lab: Lab) -> None:
    assert lab.person().newcomer() == ""
    first = lab.at()
    lab.clock.wait(1)
    first.submit(TEXT)
    assert "so far: anna. If" in lab.person("ana").newcomer()
    assert lab.person("ANNA").newcomer() == ""


def test_who_only_revised_what_another_submitted_does_not_check_it_either(lab: Lab) -> None:
    lab.at(name="ben").revise("show me flights")
    lab.at(name="anna").submit("show me flights from boston")
    with pytest.raises(NotNow, match="second person"):
        lab.at(name="ben").check("show me flights from boston")
    lab.at(name="eve").check("show me flights from boston")


def test_who_sends_on_what_was_reopened_without_a_change_makes_it_nobody_else_s_work(lab: Lab) -> None:
    lab.at().submit(TEXT)
    between = lab.at(name="ben")
    between.reopen("a slip of the key")
    assert "reopened by ben: a slip" in transcription_status.far(between.opened.item)
    between.revise("show me")
    between.submit(TEXT)
    with pytest.raises(NotNow, match="own work"):
        lab.at().check(TEXT)
    lab.at(name="ben").check(TEXT)
    work = entry(lab, SRO).work
    assert work is not None
    assert (work.transcriber, work.checker) == ("anna", "ben")


def test_who_changes_what_was_reopened_makes_it_theirs_and_the_first_maker_may_check_it(lab: Lab) -> None:
    lab.at().submit(TEXT)
    other = lab.at(name="ben")
    other.reopen("a door slams")
    other.submit(f"{TEXT} [door_slam]")
    with pytest.raises(NotNow, match="own work"):
        lab.at(name="ben").check(f"{TEXT} [door_slam]")
    lab.at().check(f"{TEXT} [door_slam]")


def test_what_was_never_submitted_cannot_be_checked(lab: Lab) -> None:
    with pytest.raises(NotNow, match="not submitted"):
        lab.at().check(TEXT)


def test_what_is_checked_stays_until_it_is_reopened_and_then_until_it_is_submitted_again(lab: Lab) -> None:
    lab.at().submit(TEXT)
    lab.at(name="ben").check(TEXT)
    desk = lab.at(name="ben")
    with pytest.raises(NotNow, match="Reopen"):
        desk.revise("show me")
    with pytest.raises(NotNow, match="why"):
        desk.reopen(" ")
    desk.reopen("a door slams")
    desk.revise(f"{TEXT} [door_slam]")
    assert lab.text(SRO) == f"{TEXT}\n"
    desk.submit(f"{TEXT} [door_slam]")
    assert lab.text(SRO) == f"{TEXT} [door_slam]\n"
    lab.at(name="anna").check(f"{TEXT} [door_slam]")


def test_two_people_at_once_are_told_and_nothing_is_lost(lab: Lab) -> None:
    first, second = lab.at(), lab.at(name="ben")
    first.revise("show me the flights")
    with pytest.raises(NotNow, match="Another person"):
        second.revise("show me a flight")
    assert lab.at(name="ben").opened.text == "show me the flights"


# --- the fold -----------------------------------------------------------------------------------------------------------

TEXTS = st.sampled_from(["show me", "flights", "(( show", "show {{ me }}", "~~", ""])
DEEDS = st.lists(
    st.tuples(
        st.sampled_from(["anna", "ben"]), st.sampled_from(["revise", "submit", "check", "reopen", "mark"]), TEXTS
    ),
    max_size=12,
)


def _deed(now: Transcript, person: str, deed: str, text: str, seq: int) -> list[WorkFact]:
    match deed:
        case "revise":
            return deciding.revise(now, person, text, Pass.WORDS, 1)
        case "submit":
            return deciding.submit(now, person, 1, True)
        case "check":
            return deciding.check(now, person, 1, True)
        case "reopen":
            return deciding.reopen(now, "why")
        case _:
            return deciding.mark(now, person, f"s{seq}", 0, seq, 100, 1)


@given(DEEDS)
def test_any_sequence_of_deeds_folds_to_the_last_text_and_keeps_makers_and_checkers_apart(
    deeds: list[tuple[str, str, str]],
) -> None:
    begun = TranscriptionBegun(utterance=FIRST, take="T", text="", rate=16_000)
    facts = [Recorded("s", 1, Stamp("d", 1, 1), "anna", "", begun)]  # type: ignore[arg-type]
    now, expected, worked = evolve(Transcript(), facts[0]), "", 0
    for person, deed, text in deeds:
        try:
            made = _deed(now, person, deed, text, now.events)
        except NotNow:
            continue
        for fact in made:
            facts.append(Recorded("s", len(facts) + 1, Stamp("d", 1, 1), person, "", fact))  # type: ignore[arg-type]
            now = evolve(now, facts[-1])
            worked += deed != "reopen"
        expected = text if deed == "revise" else expected
        assert now.text == expected
    assert fold(facts) == now
    assert now.worked == worked
    if now.version is not None:
        assert not [problem for problem in deciding.problems(now.version.text) if not problem.advice]
        assert now.version.checked is None or now.version.checked.by not in (
            now.version.submitted.by,
            *now.version.makers,
        )
