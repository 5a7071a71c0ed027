"""The annotation desk as its user meets it: by keys alone, at a terminal's size; and what the command hands to it."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotator import annotate_command, opening
from annotator.app import AnnotationApp
from annotator.rules import NotNow
from desk.recording_player import Player
from session.annotation.annotation_facts import Annotation
from session.annotation.store import Work
from session.audio.fake import FileLoudspeaker
from tests.annotator.annotation_world import FIRST, FLIGHTS, SECOND, THIRD, Bench, annotated, wh
from tests.desk.regions import painted


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    found = Bench(tmp_path)
    yield found
    found.close()


def keys(text: str) -> list[str]:
    return ["space" if char == " " else char for char in text]


def app_of(bench: Bench, name: str, first: str = FIRST) -> AnnotationApp:
    player = Player(FileLoudspeaker)
    player.open()
    return AnnotationApp(bench.person(name), player, first)


async def test_an_utterance_is_classed_put_into_words_and_submitted_by_keys_alone(bench: Bench) -> None:
    app = app_of(bench, "anna")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "▶ Q1  show me flights from boston to denver please" in painted(app)
        assert "flight id  airline" in painted(app)
        await pilot.press("a", "w", *keys(f"{FLIGHTS} in the morni"), "tab", "enter")
        await pilot.pause()
        assert "= flights from Boston to Denver leaving morning  rests on 2.4.4.morning" in painted(app)
        assert "3 rows: flight_id" in painted(app)
        await pilot.press("t")
        await pilot.pause()
        assert "trunc-utt: leads to X" in painted(app) or "arithmetic: leads to X" in painted(app)
        await pilot.press("escape", "p", *"early", "enter")
        await pilot.pause()
        assert "2.4.4.early_morning" in painted(app)
        await pilot.press("escape", "escape", "y")
        await pilot.pause()
        assert "2.11" in painted(app)
        await pilot.press("u", "escape", "d", "escape", "u", "ctrl+s")
        await pilot.pause()
        assert f"{FIRST} is submitted" in painted(app)
        assert f"{SECOND} Q2" in painted(app)
        await pilot.press("x", "h", "a", "ctrl+s")
        await pilot.pause()
        assert f"{SECOND} is submitted" in painted(app)
    held = bench.person("bea").standings()["8k8A1"].held["anna"]
    assert (held.annotation.evaluation, held.annotation.cited) == ("A", ("2.4.4.morning",))
    assert held.annotation.readings[0].sentence == f"{FLIGHTS} in the morning"
    second = bench.person("bea").standings()["8k8A2"].held["anna"].annotation
    assert (second.reason, second.detail) == ("outside", "domain")


async def test_who_objects_writes_what_should_be_and_who_rules_writes_what_holds(bench: Bench) -> None:
    annotated(bench.person("anna"), FIRST, wh(FLIGHTS))
    app = app_of(bench, "bea")
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        assert "made by anna, to be checked" in painted(app)
        await pilot.press("a", "o", "w", "ctrl+u", *"gibberish", "ctrl+s")
        await pilot.pause()
        assert "no meaning is known of" in painted(app)  # what is asked for has to be sound, too
        await pilot.press("w", "ctrl+u", *keys(f"{FLIGHTS} at night"), "pagedown")
        await pilot.pause()
        assert "is not submitted yet" in painted(app)
        await pilot.press("ctrl+s", *"more", "enter", *"so", "enter")
        await pilot.pause()
        assert "It waits for a ruling now" in painted(app)
        assert bench.person("bea").list.first() == SECOND
    app = app_of(bench, "cleo")
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("f6", "enter")
        await pilot.pause()
        assert "evidence: so" in painted(app)
        await pilot.press("enter")
        await pilot.pause()
        assert "wanted by bea: Class A" in painted(app)
        assert "2.4.4.night; 1. flights from boston to denver at night" in painted(app)
        await pilot.press("w", "x", "a", "a", "ctrl+s", *"right", "enter")
        await pilot.pause()
        assert "in force: ruling 1 by cleo, right" in painted(app)
        assert "because: vague, too many readings" in painted(app)
    one = bench.person("dora").standings()["8k8A1"]
    assert (one.waits, one.rulings[0].reason, one.rulings[0].signed.by) == ("in force", "right", "cleo")
    assert one.final is not None
    assert one.final.tags == ("wh-question", "hopelessly-vague")


async def test_what_is_gone_to_stands_on_the_screen_and_another_reason_takes_the_tag_of_the_first(bench: Bench) -> None:
    app = app_of(bench, "anna")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("ctrl+l", "down", "down", "enter")
        await pilot.pause()
        assert f"{THIRD} Q3" in painted(app)
        assert "▶ Q3" in painted(app)
        await pilot.press("slash", *FIRST, "enter", "x", "i", "x", "c", "a")
        await pilot.pause()
        assert "▶ Q1" in painted(app)
        assert app.annotating._desk.annotation == Annotation("A", "0")


async def test_keys_that_follow_a_sentence_never_go_into_it_and_none_is_lost(bench: Bench) -> None:
    app = app_of(bench, "anna")
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        app.annotating.action_write()
        assert app.focused is app.annotating.editor  # before another key can come
        await pilot.press(*keys(FLIGHTS), "pagedown")
        await pilot.pause()
        assert (app.annotating._desk.hand.item.stem, app.annotating.editor.text) == (SECOND, "")
        await pilot.press("pageup", "a", "w", "end", *keys(" in the morning"), "ctrl+s", "d", "escape")
        await pilot.pause()
        assert (app.annotating._desk.hand.item.stem, app.annotating._desk.annotation.evaluation) == (SECOND, "D")
    held = bench.person("bea").standings()["8k8A1"].held["anna"]
    assert (held.state, held.annotation.readings[0].sentence) == ("submitted", f"{FLIGHTS} in the morning")


class Held:
    """Reference answers that are made when the test says so."""

    def __init__(self, refusal: str) -> None:
        self._refusal, self.made = refusal, asyncio.Event()

    async def refusal(self, _: Annotation, __: str) -> str:
        await self.made.wait()
        return self._refusal


@pytest.mark.parametrize("refusal", ["", "too many rows"])
async def test_the_next_utterance_is_worked_on_while_reference_answers_are_made(bench: Bench, refusal: str) -> None:
    app = app_of(bench, "anna")
    apart = Held(refusal)
    app.annotating._desk.apart = apart  # type: ignore[assignment]
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("a", "w", *keys(FLIGHTS))
        bench.clock.wait(5)
        await pilot.press("ctrl+s", "x", "h", "a")
        await pilot.pause()
        desk = app.annotating._desk
        assert (desk.hand.item.stem, desk.annotation.reason) == (SECOND, "outside")
        await pilot.press("pageup")
        await pilot.pause()
        assert "Its reference answers are being made" in painted(app)
        await pilot.press("x", "h", "a", "pagedown")
        apart.made.set()
        await app.annotating.finished()
        await pilot.pause()
        told = f"{FIRST} is not submitted: too many rows" if refusal else f"{FIRST} is submitted"
        assert told in painted(app)
    held = bench.person("bea").standings()["8k8A1"].held["anna"]
    assert (held.state, held.annotation.evaluation) == ("begun" if refusal else "submitted", "A")
    assert held.worked >= 5 * 10**9


async def test_leaving_waits_for_the_reference_answers_of_what_was_submitted(bench: Bench) -> None:
    app = app_of(bench, "anna")
    apart = Held("")
    app.annotating._desk.apart = apart  # type: ignore[assignment]
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("a", "w", *keys(FLIGHTS), "ctrl+s")
        asyncio.get_running_loop().call_soon(apart.made.set)
        await app.action_quit()
    assert bench.person("bea").standings()["8k8A1"].held["anna"].done


async def test_a_sound_that_cannot_be_read_leaves_no_other_one_to_be_played(bench: Bench) -> None:
    player = Player(FileLoudspeaker)
    player.open()
    app = AnnotationApp(bench.person("anna"), player, FIRST)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f3")
        assert player.playing
        next(bench.root.rglob(f"{SECOND[:-2]}s?.wav")).write_bytes(b"")
        await pilot.press("pagedown")
        await pilot.pause()
        assert "It cannot be heard" in painted(app)
        await pilot.press("f3")
        await pilot.pause()
        assert "There is no sound" in painted(app)
        assert not player.playing


def test_the_call_names_person_store_theme_and_loudspeaker(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shown: list[Any] = []

    class Shown:
        def __init__(self, desk: Any, player: Player, first: str, *, notice: str, theme: str) -> None:
            shown.extend((desk.person, first, theme))

        def run(self) -> None:
            pass

    class Asked(FileLoudspeaker):
        def __init__(self, device: object) -> None:
            super().__init__()
            shown.append(device)

    monkeypatch.setattr(annotate_command, "AnnotationApp", Shown)
    monkeypatch.setattr(annotate_command, "on_a_terminal", lambda: None)
    monkeypatch.setattr(opening, "SoundDeviceLoudspeaker", Asked)
    place = f"sqlite:///{tmp_path / 'elsewhere.sqlite'}"
    call = {"person": "anna", "loudspeaker": "2", "theme": "light", "work": place}
    status, _, err = bench.run(**call, principles="papers")
    assert (status, shown) == (0, [2, "anna", FIRST, "light"]), err
    work = Work(place)
    (adopted,) = work.read("annotation-principles")
    assert adopted.event.name == "papers"  # type: ignore[union-attr]
    work.close()
    assert bench.run(domain="", person="anna")[0] == 2
    with pytest.raises(NotNow, match="Open an utterance first"):
        _ = bench.person("anna").hand
