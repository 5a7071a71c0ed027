"""The parts of what a page is to show, from the subject's core alone: the same phases, words and turns as on the terminal.

A part is plain data; the page renders it and decides nothing. Foreign text is made inert here, as a terminal's screen does.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, assert_never

from desk.subject_view import Shown, replies, reply_lines, shown, turn, words_in
from desk.turn_stack import ShownTurn, heading, heading_below
from session.state.fold import SessionState, Take
from session.study.screen_words import Words, consent_sentences
from session.study.settings import Profile, Questionnaire
from session.values.answers import digest
from session.values.paragraphs import reflowed
from session.values.sanitize import inert
from session.values.vocabulary import RecordingControl, Step
from subject.browser import page_texts
from subject.browser.answer_table import table_parts
from subject.browser.heard_levels import is_recorded
from subject.browser.page_messages import encode_part
from subject.core import texts
from subject.core.microphone_trial import MicrophoneTrial
from subject.core.reply_speech import pause_ms
from subject.core.terminal import Phase, Terminal
from subject.core.unheard_speech import goes_unrecorded
from subject.core.visit_stations import AT_WORK

Part = dict[str, Any] | None
Facts = tuple[object, ...]
SCREEN = "screen"


def parts(terminal: Terminal, trial: MicrophoneTrial, *, unheard: bool = False) -> Iterator[tuple[str, Part]]:
    """Every part by name, as `View.frames` sends it."""
    for name, _, make in View(terminal, trial).drafts(unheard):
        yield name, make()


class View:
    """The view of one page. A part is laid out again only when what it is made of is another: an hour has sixty answers."""

    def __init__(self, terminal: Terminal, trial: MicrophoneTrial, *, finger: bool = False) -> None:
        self._terminal, self._trial, self._finger = terminal, trial, finger
        self._turns: dict[str, tuple[Facts, ShownTurn]] = {}
        self._made: dict[str, tuple[Facts, str]] = {}

    def frames(self, *, unheard: bool = False, warning: str = "") -> dict[str, str]:
        """The frame of every part by name, the screen that brings them together last; nothing before the session is known.

        `unheard` has it say that somebody talks who is not being recorded, `warning` what is wrong with the sound of a take.
        """
        return {name: self._frame(name, facts, make) for name, facts, make in self.drafts(unheard, warning)}

    def _frame(self, name: str, facts: Facts, make: Callable[[], Part]) -> str:
        before, frame = self._made.get(name, (None, ""))
        if before != facts:
            frame = encode_part(name, make())
            self._made[name] = facts, frame
        return frame

    def drafts(self, unheard: bool, warning: str = "") -> Iterator[tuple[str, Facts, Callable[[], Part]]]:
        """Every part by name, with what it is made of, and what makes it."""
        terminal, trial, state = self._terminal, self._trial, self._terminal.state
        if state.opened is None:
            return
        opened, profile = state.opened, state.opened.protocol.profile
        yield "settings", (opened,), partial(_settings, profile, words_in(state), self._finger)
        yield "instructions", (opened,), lambda: {"text": _reflowed(opened.protocol.instructions)}
        yield "task", (state.run,), partial(_task, state)
        place = station(terminal, trial)
        yield "station", (place,), lambda: place
        found = [self._turn(state, label, item) for label, item in shown(state)]
        turns = [made for _, made in found]
        for at, (facts, each) in enumerate(found):
            above = _task_line(state, heading(turns, at))
            yield f"turn:{each.key}", (*facts, above), partial(_turn, state, each, above, profile.context_return)
        begun = state.runs[-1].title if state.runs else ""
        order = {"order": [each.key for each in turns], "begun": _task_line(state, heading_below(turns, begun))}
        screen = _screen(terminal, unheard, warning, self._finger) | order
        yield SCREEN, (screen,), lambda: screen

    def _turn(self, state: SessionState, label: str, item: Shown) -> tuple[Facts, ShownTurn]:
        name = item.take if isinstance(item, Take) else item.reply
        facts = label, item, *replies(state, item), state.run is None, len(state.runs)
        if name not in self._turns or self._turns[name][0] != facts:
            self._turns[name] = facts, turn(state, label, item)
        return self._turns[name]


def _settings(profile: Profile, words: Words, finger: bool) -> dict[str, Any]:
    return {
        "pre_roll_ms": profile.pre_roll_ms,
        "tail_ms": profile.tail_ms,
        "longest_s": profile.longest_take_s,
        "rate": profile.microphones[0].rate if profile.microphones else 16_000,
        "hold": profile.recording is RecordingControl.HOLD,
        "typed": profile.recording is RecordingControl.TYPED,
        "speaks": profile.speaks,
        "pause_ms": pause_ms(profile),
        "button": page_texts.button_words(words, profile, finger=finger),
        "labels": page_texts.labels(words),
        "lang": words.language,
        "dir": page_texts.direction(words),
    }


def _task(state: SessionState) -> Part:
    run = state.run
    return {"title": inert(run.title, newlines="space"), "text": _reflowed(run.text)} if run is not None else None


def _task_line(state: SessionState, task: str) -> str:
    """The heading above the turns of a task; empty if none is to stand."""
    return f"{words_in(state)['task.title']}: {inert(task, newlines='space')}" if task else ""


def _screen(terminal: Terminal, unheard: bool, warning: str, finger: bool) -> dict[str, Any]:
    state, understood = terminal.state, terminal.understood
    running = state.run is not None and terminal.phase in AT_WORK
    words = words_in(state)
    over = terminal.phase is Phase.ENDED  # there is no button any more
    operated = terminal.operated and terminal.phase is Phase.READY
    note = "" if over else words["talk.operated"] if operated else texts.note(terminal)
    if terminal.profile is not None and (unheard or (terminal.phase is Phase.SPEAKING and terminal.may_talk)):
        note = page_texts.with_instruction(
            words["talk.unheard"] if unheard else note, words, terminal.profile, finger=finger
        )
    message = page_texts.for_page(words, texts.message(terminal, linked=True))
    return {
        "phase": terminal.phase.value,
        "headline": texts.headline(terminal),
        "message": inert(message or (words["talk.unheard"] if unheard else warning), newlines="space"),
        "button": texts.button(terminal).value,
        "note": note,
        "unheard": unheard,
        "warning": warning,
        "levels": goes_unrecorded(terminal) or is_recorded(terminal) or terminal.visit.step is Step.MICROPHONE_CHECK,
        "may_talk": terminal.may_talk,
        "may_talk_next": not terminal.operated and not terminal.typed,
        "may_type": terminal.typed and running,
        "microphone": terminal.microphone_wanted and not terminal.typed and terminal.phase is not Phase.CONSENT,
        "may_be_recorded": terminal.may_be_recorded,
        "attempt": terminal.calls_answered,
        "listening": terminal.listening,
        "ended_by_itself": terminal.ended_by_itself,
        "may_solve": state.run is not None,
        "may_undo": state.run is not None and terminal.last_take is not None,
        "may_withdraw": not state.ended and state.withdrawn is None,
        "heard": inert(texts.heard(terminal, understood), newlines="space"),
        "heard_take": understood.take if understood else "",
    }


def _turn(state: SessionState, found: ShownTurn, task_line: str, may_return: bool) -> dict[str, Any]:
    lines = [inert(line, newlines="show") for line in found.answer]
    return {
        "heading": task_line,
        "label": found.label,
        "question": inert(found.question, newlines="space"),
        "lines": lines,
        "blocks": [
            {"first": reply.first, "parts": table_parts(lines[reply.first : reply.first + reply.lines])}
            for reply in reply_lines(state, found.key)
        ]
        or ([{"first": 0, "parts": [{"text": lines}]}] if lines else []),
        "waiting": found.waiting,
        "may_return": may_return and found.key in state.takes,
    }


def station(terminal: Terminal, trial: MicrophoneTrial) -> Part:
    """Return what the station that the subject is at has to show; None if the session's own screen is shown."""
    opened, begun = terminal.state.opened, terminal.state.step
    if opened is None:
        return None
    step, protocol, words = terminal.visit.step, opened.protocol, words_in(terminal.state)
    match step:
        case Step.CONSENT:
            asked = protocol.consent_text
            return _consent(words, step, asked, frozenset(), typed=terminal.typed) | {"sha256": digest(asked)}
        case Step.CONFIRM_CONSENT:
            before = terminal.state.consent.scopes if terminal.state.consent else {}
            ticked = frozenset(scope for scope, given in before.items() if given)
            asked = f"{words['consent.confirm'].strip()}\n\n{terminal.visit.text}"
            return _consent(words, step, asked, ticked, typed=terminal.typed)
        case Step.INSTRUCTIONS:
            return {"kind": "text", "step": step, "text": _reflowed(protocol.instructions)}
        case Step.DEBRIEFING:
            return {"kind": "text", "step": step, "text": _reflowed(terminal.visit.text)}
        case Step.MICROPHONE_CHECK:
            opening = not terminal.listening and not terminal.message
            return {
                "kind": "microphone",
                "step": step,
                "text": _reflowed(words["check.text"]),
                "verdict": words["check.opening"]
                if opening
                else page_texts.on_page(words, trial.verdict(listening=terminal.listening)),
                "choose": words["check.choose"],
            }
        case Step.SATISFACTION | Step.BELIEF | Step.COMMENTS:
            return _form(step, begun.form) if begun is not None and begun.form is not None else None
        case Step.PRACTICE | Step.SCENARIOS | None:
            return None
        case _:
            assert_never(step)


def _consent(words: Words, step: Step, text: str, ticked: frozenset[str], *, typed: bool) -> dict[str, Any]:
    scopes = [
        {"id": name, "text": sentence, "ticked": name in ticked}
        for name, sentence in consent_sentences(words, typed=typed).items()
    ]
    return {
        "kind": "consent", "step": step, "text": _reflowed(text), "scopes": scopes, "warning": words["page.not_recorded"],
    }  # fmt: skip


def _form(step: Step, form: Questionnaire) -> dict[str, Any]:
    items = [
        {
            "id": item.id,
            "text": inert(item.text, newlines="space"),
            "choices": [{"value": choice, "text": inert(choice, newlines="space")} for choice in item.choices],
            "optional": item.optional,
        }
        for item in form.item
    ]
    return {
        "kind": "form",
        "step": step,
        "title": inert(form.title, newlines="space"),
        "introduction": _reflowed(form.introduction),
        "items": items,
    }


def _reflowed(text: str) -> str:
    return inert(reflowed(text), newlines="keep")
