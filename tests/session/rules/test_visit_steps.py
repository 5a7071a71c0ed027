"""A visit goes from station to station in its order, and nothing that could tell comes before its time."""

from typing import Any

import msgspec
import pytest

from session import commands as c
from session import events as e
from session.rules.decide import RequestRefused, decide
from session.rules.visit_steps import current_step, debriefing, deceived, practised
from session.state.fold import SessionState, evolve
from session.study.settings import Operators, Profile
from session.values.clock import SECOND, Stamp
from session.values.vocabulary import Operator, Outcome, RecordingControl, Role, Step
from session.visibility import for_subject
from tests.session.examples import FORM
from tests.together.pipe import opened

AT = Stamp("s", 0, 0)
EVERYTHING = tuple(Step)
TEXT = "Thank you.\n\n{wizard} A person listened.\n\nAsk us."


class Visit:
    """A session to which commands are given; `facts` is what came of them."""

    def __init__(self, consent: bool = True, **profile: Any) -> None:
        first = opened(**({"steps": EVERYTHING} | profile))
        forms = {
            str(step): msgspec.structs.replace(FORM, id=str(step)) for step in ("satisfaction", "belief", "comments")
        }
        protocol = msgspec.structs.replace(
            first.protocol,
            profile=msgspec.structs.replace(first.protocol.profile, consent=consent),
            instructions="Speak.",
            consent_text="Agree?",
            debriefing=TEXT,
            questionnaires=forms,
        )
        self.state, self.facts, self.now = SessionState(), list[e.Fact](), 0
        self.tell(msgspec.structs.replace(first, protocol=protocol))

    def tell(self, *facts: e.Fact) -> None:
        for fact in facts:
            self.facts.append(fact)
            at = Stamp("hub", self.now, self.now)
            self.state = evolve(self.state, e.Recorded("bbn-1", len(self.facts), at, "hub", "", fact))

    def do(self, command: c.AnyCommand, role: Role = Role.WIZARD) -> str:
        """The reason of a refusal, else empty."""
        decided = decide(self.state, command, role, Stamp("hub", self.now, self.now))
        if isinstance(decided, RequestRefused):
            return decided.reason
        self.tell(*decided)
        return ""

    def report(self, fact: e.Fact) -> None:
        assert self.do(c.Report(id=f"r{len(self.facts)}", event=fact), Role.SUBJECT) == ""  # type: ignore[arg-type]

    def start(self, scenario: str = "trip") -> str:
        return self.do(c.StartScenario(id="s", scenario=scenario, bindings={"A": "Boston"}))

    def end(self) -> str:
        return self.do(c.EndSession(id="x", reason="done"))

    @property
    def step(self) -> Step | None:
        return current_step(self.state)

    def open(self) -> None:
        self.report(consent())
        self.report(e.InstructionsRead(at=AT))
        self.report(e.MicrophoneChecked(at=AT, peak_db=-12.0, passed=True))

    def answer(self, form: str) -> None:
        self.report(answered(form))


def answered(form: str) -> e.QuestionnaireAnswered:
    return e.QuestionnaireAnswered(at=AT, form=form, answers={"easy": "yes"})


def consent(**scopes: bool) -> e.ConsentGiven:
    return e.ConsentGiven(at=AT, version="1", sha256="", scopes={"record": True, **scopes})


def test_each_station_comes_in_its_order_and_the_visit_ends_by_itself() -> None:
    visit = Visit()
    been = [visit.step]
    visit.report(consent())
    been.append(visit.step)
    visit.report(e.InstructionsRead(at=AT))
    been.append(visit.step)
    visit.report(e.MicrophoneChecked(at=AT, peak_db=-12.0, passed=True))
    assert visit.step is None
    assert "requires a practice scenario before" in visit.start()
    assert visit.start("try") == ""
    assert "A scenario is going on" in visit.start()
    assert visit.do(c.EndScenario(id="p", outcome=Outcome.ENDED)) == ""
    assert visit.start() == ""
    assert visit.end() == "End the scenario first."
    assert visit.do(c.EndScenario(id="e", outcome=Outcome.ENDED)) == ""
    assert visit.end() == ""
    after: list[e.Fact] = [
        answered("satisfaction"),
        answered("belief"),
        e.DebriefingRead(at=AT, sha256=""),
        answered("comments"),
        e.ConsentConfirmed(at=AT, version="1", sha256="", scopes={"record": True}),
    ]
    for fact in after:
        assert not visit.state.ended
        been.append(visit.step)
        visit.report(fact)
    assert visit.state.ended
    assert been == [step for step in Step if step not in (Step.PRACTICE, Step.SCENARIOS)]


def test_no_scenario_starts_before_the_steps_before_it_are_done_nor_after_the_scenarios_are_over() -> None:
    visit = Visit()
    assert visit.start() == "The participant has not consented yet."
    visit.report(consent())
    assert visit.start() == "The participant is still at this step: instructions."
    visit.report(e.InstructionsRead(at=AT))
    assert visit.start() == "The participant is still at this step: microphone check."
    visit.report(e.MicrophoneChecked(at=AT, peak_db=-60.0, passed=False))
    visit.end()
    assert visit.start() == "The scenarios of this visit are over."


def test_nothing_of_the_steps_at_the_end_reaches_the_subject_before_they_begin() -> None:
    visit = Visit()
    first = for_subject(visit.facts[0], visit.state.opened.protocol.profile)  # type: ignore[union-attr]
    known = repr(first).lower()
    assert "listened" not in known
    assert "debriefing=''" in known
    assert "belief" not in known
    assert "satisfaction" not in known
    visit.open()
    visit.end()
    visit.answer("satisfaction")
    assert "listened" not in repr(visit.facts).replace(repr(visit.facts[0]), "")
    visit.answer("belief")
    assert visit.facts[-1] == e.StepBegun(step=Step.DEBRIEFING, text="Thank you.\n\nA person listened.\n\nAsk us.")


@pytest.mark.parametrize(
    ("deception", "operator", "message"), [(True, Operator.HUMAN, True), (True, Operator.CORRECTED, True),
    (True, Operator.MACHINE, False), (False, Operator.HUMAN, False)],
)  # fmt: skip
def test_the_wizard_is_unveiled_only_where_there_was_one_and_the_subject_was_deceived(
    deception: bool, operator: Operator, message: bool
) -> None:
    mix = Operators(recognition=operator, understanding=operator, database=operator, response=operator)
    profile = Profile(name="x", deception=deception, operators=mix)
    protocol = msgspec.structs.replace(opened().protocol, profile=profile, debriefing=TEXT)
    assert deceived(profile) is message
    assert ("A person listened." in debriefing(protocol, people_acted=False)) is message
    assert "A person listened." in debriefing(protocol, people_acted=True)
    assert debriefing(protocol, people_acted=False).startswith("Thank you.")
    assert "{wizard}" not in debriefing(protocol, people_acted=False)


def test_a_form_sent_twice_leads_on_once() -> None:
    visit = Visit()
    visit.open()
    visit.end()
    visit.answer("satisfaction")
    visit.answer("satisfaction")
    begun = [fact.step for fact in visit.facts if isinstance(fact, e.StepBegun)]
    assert begun == [Step.SATISFACTION, Step.BELIEF]


def test_ending_once_more_ends_at_once() -> None:
    visit = Visit()
    visit.open()
    visit.end()
    assert not visit.state.ended
    visit.end()
    assert visit.state.ended


def test_a_visit_without_steps_after_its_scenarios_ends_as_ever() -> None:
    visit = Visit(steps=(Step.CONSENT, Step.SCENARIOS))
    visit.report(consent())
    assert visit.step is None
    visit.end()
    assert visit.state.ended


def test_practice_goes_on_until_the_criterion_is_met() -> None:
    visit = Visit(steps=(Step.PRACTICE, Step.SCENARIOS), consent=False, practice_criterion=2)
    assert visit.start("try") == ""
    visit.do(c.EndScenario(id="e", outcome=Outcome.ENDED))
    assert visit.start() == "Practice first: 0 of 2 utterances were answered."
    assert visit.start("try") == ""
    for name in ("t1", "t2", "t3"):
        visit.report(e.UtteranceTyped(at=AT, take=name, text="hello"))
    visit.tell(e.CannedSent(reply="a", take="t1", text="Yes"), e.CannedSent(reply="b", take="t2", text="Yes"))
    assert practised(visit.state) == 2
    visit.do(c.EndScenario(id="e", outcome=Outcome.ENDED))
    assert visit.start() == ""


def test_a_typist_needs_no_microphone() -> None:
    visit = Visit(steps=(Step.MICROPHONE_CHECK, Step.SCENARIOS), consent=False, recording=RecordingControl.TYPED)
    assert visit.step is None


def test_who_withdraws_ends_the_scenario_is_told_how_the_study_works_and_asked_nothing_more() -> None:
    visit = Visit()
    visit.open()
    visit.start()
    visit.report(e.WithdrawalRequested(at=AT, erase=False))
    assert visit.state.run is None
    assert visit.start() == "The participant has stopped taking part; end the session."
    visit.end()
    assert visit.step is Step.DEBRIEFING
    visit.report(e.DebriefingRead(at=AT, sha256=""))
    assert visit.state.ended
    assert visit.state.consent == consent()


def test_who_agrees_to_no_recording_is_asked_nothing_and_told_how_the_study_works() -> None:
    visit = Visit()
    visit.report(e.ConsentGiven(at=AT, version="1", sha256="", scopes={"record": False}))
    visit.end()
    assert [fact.step for fact in visit.facts if isinstance(fact, e.StepBegun)] == [Step.DEBRIEFING]
    visit.report(e.DebriefingRead(at=AT, sha256=""))
    assert visit.state.ended


def test_who_wants_everything_erased_agrees_to_nothing_any_more() -> None:
    visit = Visit()
    visit.open()
    visit.report(e.WithdrawalRequested(at=AT, erase=True))
    assert visit.state.consent is not None
    assert set(visit.state.consent.scopes.values()) == {False}


def test_what_is_confirmed_after_the_debriefing_is_what_counts() -> None:
    visit = Visit(steps=(Step.CONSENT, Step.SCENARIOS, Step.DEBRIEFING, Step.CONFIRM_CONSENT))
    visit.report(consent(publish_audio=True))
    visit.end()
    visit.report(e.DebriefingRead(at=AT, sha256=""))
    visit.report(e.ConsentConfirmed(at=AT, version="1", sha256="", scopes={"record": True, "publish_audio": False}))
    assert visit.state.consent is not None
    assert visit.state.consent.scopes["publish_audio"] is False
    assert visit.state.ended


def test_a_pause_stops_the_hour_of_the_session() -> None:
    visit = Visit(steps=(Step.SCENARIOS,), consent=False, session_limit_s=3600.0)
    visit.do(c.PauseSession(id="p", reason="tea"))
    visit.now = 1800 * SECOND
    visit.do(c.ResumeSession(id="q"))
    visit.now = 4000 * SECOND
    assert visit.start() == ""
    visit.do(c.EndScenario(id="e", outcome=Outcome.ENDED))
    visit.now = 5400 * SECOND
    assert visit.start() == "The session's 60 minutes are over."


def test_at_most_six_scenarios_are_offered() -> None:
    visit = Visit(steps=(Step.SCENARIOS,), consent=False, max_scenarios=6)
    for _ in range(6):
        assert visit.start() == ""
        visit.do(c.EndScenario(id="e", outcome=Outcome.ENDED))
    assert "allows 6 scenarios" in visit.start()
