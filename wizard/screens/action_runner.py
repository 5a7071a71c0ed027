"""Runs the actions: asks for what each one needs in a small window, then tells the console."""

from collections.abc import Callable
from functools import partial

from textual.screen import Screen

from desk.cell_wrap import wrapped
from desk.dialogs import AskText, Choose, ListEntry, ReadLines, ReadRows, yes_or_no
from session.rules.assigned_scenarios import departure, left_to_do, next_line
from session.state.fold import Attempt
from session.study.settings import Scenario
from session.values.clock import Stamp
from session.values.sanitize import inert
from session.values.vocabulary import Language, Outcome, ScenarioKind
from wizard.core.completion.slots import unknown_values, values_for
from wizard.core.console import Console
from wizard.core.console_actions import ACTIONS, DEVIATIONS, ENDINGS, OWN_TEXT, SCOPES, ready
from wizard.core.fillable_text import Blanks
from wizard.core.guidance import forbidden, practice_due
from wizard.core.hub_info import unconfirmed
from wizard.core.query_readings import in_order, line, marks
from wizard.core.recognised_words import line as hypothesis_line
from wizard.core.session_progress import invalidable, progress, run_line, verdict
from wizard.core.stage_hands import hands
from wizard.core.subject_mirror import replied
from wizard.core.turn_times import COLUMNS
from wizard.screens.address_code import AddressCode
from wizard.screens.console_keys import FUNCTION_KEYS, named
from wizard.screens.entry_lines import letter, reply_line, scenario_line, take_line
from wizard.screens.fill_blanks import FillBlanks
from wizard.screens.session_check_screen import ClosingLight

ABILITY_WIDTH = 86
REJECTED = "rejected"
AGAIN = "again"
COMMONEST = next((name, label) for _, name, label in DEVIATIONS if name == "procedure")
"""What a wizard sees herself do or leave out; the others are told her, or interrupt her anyway."""


class ActionMenu:
    """`mute` turns the sound off or on, `sound` says whether there is any to turn off."""

    def __init__(
        self,
        screen: Screen[None],
        console: Console,
        mute: Callable[[], None],
        sound: Callable[[], bool],
        ask_back: Callable[[], None],
        propose: Callable[[], None],
    ) -> None:
        self._screen, self._console = screen, console
        self._sound = sound
        self._runs: dict[str, Callable[[], None]] = {
            "note": lambda: self._text("Private note", console.note),
            "wrong": self._wrong,
            "deviation": self._deviation,
            "utterances": self._utterances,
            "times": self._times,
            "progress": self._progress,
            "text": lambda: self._text("Reply in your own words", lambda text: console.send_text(text, OWN_TEXT)),
            "back": lambda: self._back(ask_back),
            "readings": self._readings,
            "hypotheses": self._hypotheses,
            "propose": propose,
            "start": self._start,
            "attended": console.switch_attended,
            "end": self._end,
            "invalid": self._invalid,
            "record": console.switch_recording,
            "pause": self._pause,
            "call": console.admit,
            "hands": self._hands,
            "mute": mute,
            "identify": lambda: self._text("Who sits at this console?", console.identify),
            "light": self._light,
            "ability": self._ability,
            "address": self._address,
            "close": self._close,
            **{name: lambda scope=scope: console.mark_scope(scope) for name, scope in SCOPES.items()},  # type: ignore[misc]
        }

    def may_run(self, name: str) -> bool:
        """Return whether the action of that name is on offer now."""
        return any(action.name == name and ready(self._console, action, sound=self._sound()) for action in ACTIONS)

    def run(self, name: str) -> None:
        """Do the action of that name."""
        if self.may_run(name):
            self._runs[name]()

    def menu(self) -> None:
        """Return all actions that are on offer, each with its letter."""
        words = self._console.words
        offered = [action for action in ACTIONS if ready(self._console, action, sound=self._sound())]
        choices = [ListEntry(action.letter, action.name, words.of(action.does)) for action in offered]
        keys = {
            key: binding for key, binding in FUNCTION_KEYS.items() if self._screen.check_action(*named(binding.action))
        }
        choices += [ListEntry(key, binding.action, words.of(binding.description)) for key, binding in keys.items()]

        def chosen(name: str) -> None:
            if name in (binding.action for binding in keys.values()):
                self._screen.call_later(self._screen.run_action, name)
            else:
                self.run(name)

        self._choose(words["console_ask.more"], choices, chosen)

    # --- how things are asked -----------------------------------------------------------------------------------------

    def _choose(self, title: str, choices: list[ListEntry], then: Callable[[str], None], at: int = 0) -> None:
        words = self._console.words
        named = [choice._replace(label=words.of(choice.label)) for choice in choices]
        self._screen.app.push_screen(Choose(words.of(title), named, at), lambda value: then(value) if value else None)

    def _text(self, title: str, then: Callable[[str], None], *, optional: bool = False) -> None:
        def given(text: str | None) -> None:
            if text is not None:
                then(text)

        self._screen.app.push_screen(AskText(self._console.words.of(title), optional=optional), given)

    def _back(self, by_canned_message: Callable[[], None]) -> None:
        """The question as a text of one's own where the profile allows that, otherwise in the blank of a canned message."""
        if not self._console.profile.free_text:
            by_canned_message()
            return
        ask = AskText(self._console.words.of("Ask back (Enter sends)"), text=self._console.asked_in_english)
        self._screen.app.push_screen(ask, lambda text: self._console.send_text(text, OWN_TEXT) if text else None)

    # --- the actions that ask -----------------------------------------------------------------------------------------

    def _wrong(self) -> None:
        found = replied(self._console.state)

        def reason(name: str) -> None:
            self._text("Why was this reply wrong?", lambda text: self._console.mark_wrong(name, text))

        choices = [
            ListEntry(letter(n), reply.reply, reply_line(reply, self._console.words)) for n, reply in enumerate(found)
        ]
        self._choose("Which reply was wrong? The newest is first.", choices, reason)

    def _deviation(self) -> None:
        """Note one at once, as of its commonest kind; the key again gives the one just noted another kind, and a note."""
        console = self._console
        if (noted := console.noted_deviation) is None:
            kind, label = COMMONEST
            console.deviate(kind, forbidden(console) or console.words.of(label))
            return

        def described(kind: str) -> None:
            if kind == AGAIN:
                console.deviate(noted.reason, noted.text)
                return
            what = console.words.of(next(label for _, name, label in DEVIATIONS if name == kind))
            text = noted.text if kind == noted.reason else what
            self._text(
                "What happened? (Enter alone keeps the text)",
                lambda own: console.deviate(kind, own or text, noted),
                optional=True,
            )

        choices = [ListEntry(letter, name, label) for letter, name, label in DEVIATIONS]
        choices.append(ListEntry("d", AGAIN, "One more like the last"))
        at = next((n for n, choice in enumerate(choices) if choice.value == noted.reason), 0)
        self._choose("Departure from the protocol", choices, described, at)

    def _hands(self) -> None:
        console = self._console
        offered = hands(console.state, console.role, console.take.take if console.take else "")

        def chosen(place: str) -> None:
            hand = offered[int(place)]
            if hand.what in ("take", "give"):
                self._text("Why?", lambda reason: console.change_hands(hand, reason))
            else:
                console.change_hands(hand)

        choices = [ListEntry(letter(n), str(n), inert(hand.label, newlines="space")) for n, hand in enumerate(offered)]
        self._choose("Stages that machines operate", choices, chosen)

    def _utterances(self) -> None:
        state, take = self._console.state, self._console.take
        live = [live_take for live_take in state.takes.values() if not live_take.discarded][::-1]
        at = next((n for n, live_take in enumerate(live) if take and live_take.take == take.take), 0)
        words = self._console.words
        choices = [
            ListEntry(letter(n), live_take.take, take_line(state, live_take, words)) for n, live_take in enumerate(live)
        ]
        self._choose("Utterances, the newest first", choices, self._console.pick, at)

    def _readings(self) -> None:
        """Return all readings in their order; the one that is taken is asked at once, as the same words."""
        attempt = self._console.attempt
        if attempt is None:
            return

        def taken(place: str) -> None:
            if attempt.language is Language.PROPOSAL and int(place) > 0:  # beside it stands what our own grammar read
                self._console.ask(attempt.text, Language.ENGLISH, choice=int(place) - 1)
            else:
                self._console.ask(attempt.text, attempt.language, attempt.origin, int(place))

        order, took, words = in_order(attempt), attempt.choice, self._console.words
        labels = [(line(one, place == took, words), "$warning" if one.doubt else "") for place, one in order.items()]
        choices = [ListEntry(letter(n), str(place), *labels[n]) for n, place in enumerate(order)]
        marked = "".join(f" {mark[0].upper()}{mark[1:]}." for mark in marks(attempt, words))
        title = words["console_text.readings_title"].format(text=attempt.text, marks=marked)
        self._choose(title, choices, taken, [*order].index(took) if took in order else -1)

    def send_partial(self, attempt: Attempt, send: Callable[[], None]) -> None:
        """Say what a partial reading leaves out or adds before it goes out; Enter by habit sends nothing."""

        def answered(yes: str | None) -> None:
            if yes and (now := self._console.attempt) is not None and now.attempt == attempt.attempt:
                send()

        words = self._console.words
        title = words["console_text.partial"].format(marks="; ".join(marks(attempt, words)))
        ask = yes_or_no(title, words["console_text.send_partial"], words["console_text.correct_partial"])
        self._screen.app.push_screen(ask, answered)

    def _hypotheses(self) -> None:
        """List all hypotheses in their order; the one that is taken is the draft, and nothing is sent yet. Or reject them all."""
        found, draft = self._console.hypotheses, self._console.draft
        at = found.index(draft) if draft in found else 0
        choices = [ListEntry(letter(n), str(n), hypothesis_line(reply)) for n, reply in enumerate(found)]
        choices.append(ListEntry("0", REJECTED, "none of these: the machine's words are rejected"))

        def chosen(place: str) -> None:
            if place == REJECTED:
                self._console.reject_words()
            else:
                self._console.choose(int(place))

        self._choose("What may have been said; ? marks uncertain words", choices, chosen, at)

    def _times(self) -> None:
        words = self._console.words
        columns = [words[f"console_times.{column}"] for column in COLUMNS]
        title = words.of("Seconds after each utterance")
        self._screen.app.push_screen(ReadRows(title, columns, self._console.times.rows))

    def _progress(self) -> None:
        console = self._console
        began = console.state.began
        so_far = console.hub_ns() - began.mono if began else 0
        # With the wall clock moved on, too: what began after a restart of the hub bears the name of another clock.
        now = Stamp(began.clock if began else "", console.hub_ns(), began.wall + so_far if began else 0)
        found = console.hub_info.solutions
        lines = progress(console.state, now, lambda place: console.words.of(verdict(console.state, found, place)))
        self._screen.app.push_screen(ReadLines(console.words.of("Progress of the session"), lines))

    def _start(self) -> None:
        scenarios = {scenario.id: scenario for scenario in self._console.scenarios}
        done = {run.scenario for run in self._console.state.runs}
        practice = practice_due(self._console)
        left = left_to_do(self._console.state)[:1] if practice is None else [practice.id]
        words = self._console.words

        def offered(name: str) -> str:
            shown = scenario_line(scenarios[name], name in done, words)
            return words["console_text.assigned"].format(scenario=shown) if name in left and not practice else shown

        # why: the same letter for the same scenario, all session long
        choices = [ListEntry(letter(n), name, offered(name)) for n, name in enumerate(scenarios)]
        at = next((n for n, name in enumerate(scenarios) if name in left), 0)
        self._choose(
            next_line(self._console.state, words) or "Start a scenario",
            choices,
            lambda name: self._why(scenarios[name]),
            at,
        )

    def _why(self, scenario: Scenario) -> None:
        """Start it; where the design assigns another, a reason makes it a deviation."""
        words = self._console.words
        aside = "" if scenario.kind is ScenarioKind.PRACTICE else departure(self._console.state, scenario.id, words)
        if aside:
            aside = f"{aside[0].upper()}{aside[1:]}"
            title = words["console_text.why_another"].format(title=scenario.title, departure=aside)
            self._text(title, lambda why: self._bind(scenario, why))
        else:
            self._bind(scenario)

    def _bind(self, scenario: Scenario, reason: str = "") -> None:
        if not scenario.placeholders:
            self._console.start_scenario(scenario.id, reason=reason)
            return

        self._fill(scenario, Blanks.of_scenario(scenario), reason)

    def _fill(self, scenario: Scenario, gaps: Blanks, reason: str) -> None:
        """Bind placeholders; what is not a value of the domain is started only when asked for twice."""

        def bound(filled: Blanks | None) -> None:
            if filled is None:
                return
            bindings = dict(filled.bindings)
            unknown = unknown_values(self._console, bindings)
            if not unknown:
                self._console.start_scenario(scenario.id, bindings, reason)
                return
            words = self._console.words
            title = words["console_text.unknown_value"].format(value=unknown[0])
            ask = yes_or_no(title, words["console_text.start_anyway"], words["console_text.correct_value"])
            self._screen.app.push_screen(
                ask,
                lambda yes: (
                    self._console.start_scenario(scenario.id, bindings, reason)
                    if yes
                    else self._fill(scenario, filled, reason)
                ),
            )

        title = self._console.words["console_text.start_title"].format(title=scenario.title)
        fill = FillBlanks(title, gaps, partial(values_for, self._console))
        self._screen.app.push_screen(fill, bound)

    def _end(self) -> None:
        outcomes: dict[str, Outcome] = {str(outcome): outcome for _, outcome, _ in ENDINGS}

        def why(outcome: str) -> None:
            ended = outcomes[outcome]
            invalid = ended is Outcome.INVALIDATED
            title = "Why is it invalid?" if invalid else "Reason (Enter to skip)"
            self._text(title, lambda text: self._ended(ended, text), optional=not invalid)

        choices = [ListEntry(letter, str(outcome), label) for letter, outcome, label in ENDINGS]
        self._choose("End the scenario as …", choices, why)

    def _ended(self, outcome: Outcome, reason: str) -> None:
        self._console.end_scenario(outcome, reason)

    def _invalid(self) -> None:
        """A scenario that is over; the one that goes on is ended as invalid."""
        state = self._console.state

        def why(place: str) -> None:
            self._text("Why is it invalid?", lambda text: self._console.invalidate(int(place), text))

        places = invalidable(state)
        choices = [ListEntry(letter(n), str(place), run_line(state, place)) for n, place in enumerate(places)]
        self._choose("Which scenario is invalid? The newest is first.", choices, why)

    def _pause(self) -> None:
        if self._console.state.paused:
            self._console.pause("")
        else:
            self._text("Pause: reason (Enter to skip)", self._console.pause, optional=True)

    def _ability(self) -> None:
        opened = self._console.state.opened
        lines = wrapped(inert(opened.protocol.ability if opened else "", newlines="keep").strip(), ABILITY_WIDTH)
        self._screen.app.push_screen(ReadLines(self._console.words["console_text.ability_title"], lines))

    def _address(self) -> None:
        self._screen.app.push_screen(AddressCode(self._console.invitation))

    def _light(self) -> None:
        self._screen.app.push_screen(ClosingLight(self._console))

    def _close(self) -> None:
        words, missing = self._console.words, unconfirmed(self._console.state)
        told = words[f"console_leave.{'one_missing' if missing == 1 else 'missing'}"].format(count=missing)
        title = f"{words['console_text.end_session_question']}{f' {told}' if missing else ''}"
        ask = yes_or_no(title, words["console_leave.end_yes"], words["console_leave.end_no"])
        self._screen.app.push_screen(ask, lambda yes: self._console.end_session() if yes else None)
