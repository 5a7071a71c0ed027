"""Five dialogues judged by three raters, combined, held against the Comparator and told in one report."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotator import judge_command, opening
from annotator.app import JudgingApp
from annotator.judging.combined import CombinedDialogue, CombinedTurn, error_cost
from annotator.judging.rating import Rating, assign
from annotator.judging.rubric import SHIPPED, RubricFault, load_rubric
from annotator.rules import NotNow
from corpus import open_corpus
from corpus.annotation.submitted_answers import annotations
from corpus.commands.derive import DeriveOptions, derive_command
from corpus.commands.export import ExportRequest, export_command
from desk.recording_player import Player
from session.annotation.judgement_facts import TurnJudged
from session.annotation.store import Work, work_path
from session.audio.fake import FileLoudspeaker
from tests.annotator.judging_world import RUBRIC, Hall
from tests.desk.regions import painted

RATERS = ("anna", "bea", "cleo")


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    found = Hall(tmp_path)
    yield found
    found.work.close()


def said(response: str, verdict: str = "", request: str = "new", noticed: str = "", lost: int = 0) -> TurnJudged:
    return TurnJudged(
        utterance="", number=0, request=request, response=response, verdict=verdict, noticed=noticed, lost=lost
    )


def judge(desk: Rating, stem: str, wrong: bool, solution: str) -> None:
    """Judge a whole dialogue: every answer right, or the first one wrong."""
    desk.open(stem)
    for n, turn in enumerate(desk.dialogue.turns):
        desk.at = n
        desk._clock.wait(60)  # type: ignore[attr-defined]
        kind = turn.responses[-1] if turn.responses else "not understood"
        if kind == "answer" and wrong:
            desk.judge(said(kind, "incorrect", noticed="no", lost=2))
            wrong = False
        elif kind == "answer":
            desk.judge(said(kind, "correct"))
        else:
            desk.judge(said(kind, "appropriate" if kind in ("directive", "diagnostic") else ""))
    desk.finish("yes", solution)


def test_five_dialogues_are_judged_by_three_raters_and_told_in_one_report(hall: Hall, tmp_path: Path) -> None:
    status, printed, _ = hall.run(raters=",".join(RATERS), each=3)
    assert (status, len(printed.splitlines())) == (0, 18)
    stems = hall.rater("anna").dialogues()
    for rater in RATERS:
        for n, stem in enumerate(stems[:5]):
            judge(
                hall.rater(rater),
                stem,
                wrong=n == 0 or (n == 1 and rater == "cleo"),
                solution="wrong" if n == 0 else "right",
            )

    agreement = hall.run(show="agreement")[1]
    rows = {line.split()[0]: line.split() for line in agreement.splitlines() if line}
    assert rows["response"][2] == "1.000"
    assert "all but one agree, verdict: 1.000" in agreement
    assert "with only 5 of them none can be trusted" in agreement
    assert 0.9 < float(rows["verdict"][2]) < 1
    scores = hall.run(show="scores")[1]
    assert "answer: incorrect: 1 of " in scores  # two of three hold the second one to be right
    assert "solution right: 4 of 5" in scores
    assert "a wrong answer costs 3.000 turns" in scores  # one alone has no interval
    assert "0 of 1 were noticed before the next request" in scores
    assert "anna: 5 dialogues, " in scores
    assert "cleo: right" in hall.run(show="scores", combine="dawid-skene")[1]

    dora = hall.rater("dora", ruling=True)
    assert dora.dialogues() == [stems[1]]
    dora.open(stems[1])
    assert {rater: one.verdict for rater, one in dora.others().items()} == {
        "anna": "correct", "bea": "correct", "cleo": "incorrect",
    }  # fmt: skip
    dora.judge(said("answer", "incorrect", noticed="yes"))
    assert "answer: incorrect: 2 of " in hall.run(show="scores", combine="adjudication")[1]
    assert hall.rater("anna", ruling=True).dialogues() == []
    with pytest.raises(NotNow, match="not yours"):
        hall.rater("anna", ruling=True).open(stems[1])

    check_dialogues(hall.root, tmp_path / "dialogues", stems)
    folder = hall.root / "spon" / "8k1" / "1"
    first = stems[0][:-3].replace("00", "01", 1) + stems[0][-3:]
    (folder / f"{first}.ref").write_text('((101 "XA" 120.5)\n (102 "XB | pipe" NIL)\n (103 "[Result:] 9" 90.0))\n')
    new = tmp_path / "new"
    options, quiet = DeriveOptions(str(hall.root), str(new)), io.StringIO()
    assert derive_command(options, quiet, quiet, lambda one: annotations(one, {})) == 0, quiet.getvalue()
    hall.root = new
    report = hall.run(show="report")[1]
    assert f"conflict at {first}: the Comparator says correct, raters say incorrect; right by the principles" in report
    assert "correct, incorrect: 1" in report
    assert "times are censored" in report
    assert "unsolved 33 % (6 to 79)" in report
    assert any(line.startswith("system ") for line in report.splitlines())
    told = [json.loads(line) for line in hall.run(show="json")[1].splitlines()]
    assert [one["solution"] for one in told] == ["wrong", "right", "right", "right", "right", ""]
    assert told[0]["solved_s"] is None
    check_work_list(hall, first)


def check_dialogues(corpus: Path, target: Path, stems: list[str]) -> None:
    """Exported dialogues say what each rater said, by number, and what was ruled; nobody else's tells it otherwise."""
    request, quiet = ExportRequest(str(corpus), str(target), "dialogues"), io.StringIO()
    assert export_command(request, quiet, quiet) == 0, quiet.getvalue()
    text = (target / "dialogues.jsonl").read_text("utf-8")
    assert [name for name in (*RATERS, "dora") if name in text] == []
    told = {one["id"]: one for one in map(json.loads, text.splitlines())}
    answered = next(turn for turn in told[stems[1]]["turns"] if turn.get("judgements"))["judgements"]
    assert {one["rater"]: one["verdict"] for one in answered} == {
        "rater 1": "correct", "rater 2": "correct", "rater 3": "incorrect", "ruling": "incorrect",
    }  # fmt: skip
    assert [one["solution"] for one in told[stems[0]]["judgements"]] == ["wrong"] * 3
    assert "judgements" not in told[stems[5]]
    assert [len(one.judgements) for one in open_corpus(corpus).dialogues] == [3, 3, 3, 3, 3, 0]


def check_work_list(hall: Hall, wrong: str) -> None:
    work = hall.run(show="worklist", only="wrong answer")[1].splitlines()
    assert work[0].startswith("kind,utterance,said,shown,judged")
    assert work[1].startswith(f"wrong answer,{wrong},show me flights from boston to denver please,")
    some, every = (hall.run(show="worklist", search=words)[1].splitlines() for words in ("hotels", ""))
    assert len(some) < len(every)


def test_what_cannot_be_is_refused_and_nobody_sees_another_s_judgement(hall: Hall) -> None:
    anna = hall.rater("anna")
    anna.open(anna.first())
    for judged, why in (
        (said("answer"), "cannot be said"),
        (said("not understood", "correct"), "cannot be said"),
        (said("directive", "correct"), "cannot be said"),
        (said("answer", "correct", request="unevaluable"), "cannot be said"),
        (said("answer", "incorrect"), "noticed before"),
        (said("answer", "correct", lost=2), "Only an error"),
    ):
        with pytest.raises(NotNow, match=why):
            anna.judge(judged)
    anna.judge(said("answer", "correct"))
    anna.judge(said("answer", "partially correct", noticed="yes"))
    anna.undo()
    assert anna.judged.turns[1].verdict == "correct"
    anna.undo()
    assert anna.judged.turns == {}
    with pytest.raises(NotNow, match="nothing to take back"):
        anna.undo()
    anna.judge(said("answer", "correct"))
    with pytest.raises(NotNow, match="not judged yet"):
        anna.finish("yes", "right")
    bea = hall.rater("bea")
    bea.open(anna.dialogue.stem)
    assert (bea.judged.turns, bea.others()) == ({}, {})
    assert "0 dialogues" in hall.run(show="scores")[1]  # what nobody has finished counts nowhere


def test_raters_are_assigned_evenly_and_pairs_too() -> None:
    pairs = assign([f"d{n}" for n in range(12)], ["a", "b", "c", "d"], 2, seed=7)
    assert {rater: sum(one == rater for _, one in pairs) for rater in "abcd"} == dict.fromkeys("abcd", 6)
    groups = {d: tuple(r for one, r in pairs if one == d) for d, _ in pairs}
    assert sorted(list(groups.values()).count(group) for group in {*groups.values()}) == [2] * 6
    with pytest.raises(ValueError, match="name as many"):
        assign(["d"], ["a"], 2, 1)


def test_the_cost_of_an_error_is_that_of_the_paper() -> None:
    """MADCOW 1992, note 4: 90 % of the errors noticed before the next query, a weight of 1.25."""
    turns = [_error("yes", 0)] * 18 + [_error("no", 2), _error("no", 3)]
    dialogues = [CombinedDialogue(str(n), "yes", "right", (turn,), 5.0, 3) for n, turn in enumerate(turns)]
    cost = error_cost(dialogues, RUBRIC, 1, rounds=200)
    assert (cost.errors, cost.noticed, cost.weight.value) == (20, 18, 1.25)
    assert cost.weight.low is not None
    assert cost.weight.low >= 1


def _error(noticed: str, lost: int) -> CombinedTurn:
    return CombinedTurn("d", 1, "u", "new", "answer", "incorrect", noticed, lost, 1.0, 3)


async def test_a_dialogue_is_judged_by_keys_alone_and_only_as_far_as_it_has_come(hall: Hall) -> None:
    player = Player(FileLoudspeaker)
    player.open()
    desk = hall.rater("anna")
    app = JudgingApp(desk, player, desk.first())
    async with app.run_test(size=(90, 30)) as pilot:
        await pilot.pause()
        assert "▶ Q1  show me flights from boston to denver please" in painted(app)
        assert "what hotels are there" not in painted(app)
        await pilot.press("ctrl+s")
        await pilot.pause()
        assert "Q1, Q2" in painted(app)  # what is not judged yet
        await pilot.press("n", "a", "i", "n", "2", "ctrl+z", "n", "a", "i", "n", "2")
        await pilot.pause()
        assert "▶ Q2  what hotels are there" in painted(app)
        await pilot.press("n")
        await pilot.pause()
        assert "Diagnostic message" in painted(app)
        await pilot.press("enter", "a")
        for _ in desk.dialogue.turns[2:]:
            await pilot.press("enter", "r", "n")
        await pilot.pause()
        assert "Did the participant finish?" in painted(app)
        await pilot.press("y", "w")
        await pilot.pause()
        assert "is finished" in painted(app)
    judged = hall.rater("anna").states()[desk.dialogue.stem]
    assert (judged.done, judged.turns[1].verdict, judged.turns[1].lost) == (True, "incorrect", 2)
    assert judged.turns[2].verdict == "appropriate"
    assert judged.scenario is not None
    assert judged.scenario.solution == "wrong"


def test_the_call_names_rubric_person_store_theme_and_loudspeaker(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shown: list[Any] = []

    class Shown:
        def __init__(self, desk: Rating, player: Player, first: str, *, notice: str, theme: str) -> None:
            shown.extend((desk.person, desk.rubric.version, desk.ruling, theme))

        def run(self) -> None:
            pass

    class Asked(FileLoudspeaker):
        def __init__(self, device: object) -> None:
            super().__init__()
            shown.append(device)

    monkeypatch.setattr(judge_command, "JudgingApp", Shown)
    monkeypatch.setattr(judge_command, "on_a_terminal", lambda: None)
    monkeypatch.setattr(opening, "SoundDeviceLoudspeaker", Asked)
    own = tmp_path / "own.toml"
    own.write_text(SHIPPED.read_text().replace('"1992+1"', '"1992+2"').replace('"can\'t tell"', '"maybe"'))
    place = f"sqlite:///{tmp_path / 'elsewhere.sqlite'}"
    call = {"person": "anna", "loudspeaker": "3", "theme": "light", "work": place}
    assert hall.run(**call, rubric=str(own))[0] == 0
    assert shown == [3, "anna", "1992+2", False, "light"]
    assert "maybe" not in hall.run(show="instructions")[1]
    own.write_text(own.read_text().replace('"maybe"', '"perhaps"'))
    assert "give it a new one" in hall.run(**call, rubric=str(own))[2]
    assert "no dialogue is there for anna" in hall.run(**call, adjudicate=True)[2]
    own.write_text('version = "1"\n')
    with pytest.raises(RubricFault, match=r"own\.toml"):
        load_rubric(own)
    assert "two of these names" in hall.run(raters="anna,Anna,bea")[2]
    assert hall.run()[0] == 2


async def test_developers_go_through_failed_turns_and_judge_nothing(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[JudgingApp] = []
    monkeypatch.setattr(JudgingApp, "run", lambda app: opened.append(app))
    monkeypatch.setattr(judge_command, "on_a_terminal", lambda: None)
    monkeypatch.setattr(opening, "SoundDeviceLoudspeaker", lambda _: FileLoudspeaker())
    stems = hall.rater("anna").dialogues()
    for stem in stems[:2]:
        judge(hall.rater("anna"), stem, wrong=True, solution="wrong")
    assert "not a kind of failure" in hall.run(browse=True, only="bad")[2]
    assert "no turn has failed" in hall.run(browse=True, search="no such words")[2]
    assert hall.run(browse=True, only="wrong answer")[0] == 0
    work = Work(work_path(hall.root))
    app = opened[0]
    desk = app.judging._desk
    desk._work = work
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        assert "anna: new; answer: incorrect; noticed: no, 2 turns lost" in painted(app)
        await pilot.press("n", "a", "c")
        await pilot.pause()
        assert "nothing is judged" in painted(app)
        await pilot.press("pagedown", "pagedown")
        await pilot.pause()
        assert "There is none behind it" in painted(app) or "answer: incorrect" in painted(app)
    work.close()
    hall.run(raters="anna,zoe", each=1)
    assert "left to judge" in hall.run(browse=True, person="zoe")[2]
