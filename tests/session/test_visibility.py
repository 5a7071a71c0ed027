"""The curtain: for any stream and any hidden facts or commands, what reaches the subject is the same bytes at the same times."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from session import commands as c
from session import events as e
from session.rules.decide import answer_text
from session.study.settings import Profile, Speaker
from session.values.answers import digest
from session.values.clock import Stamp
from session.values.hypotheses import Hypothesis
from session.values.vocabulary import (
    Echo,
    Language,
    Operator,
    OperatorTrouble,
    Outcome,
    ResponseClass,
    Role,
    Scope,
    Stage,
)
from session.visibility import _BEFORE_THE_CURTAIN, _BEHIND_THE_CURTAIN, access, for_machine, for_subject, project
from tests import THOROUGH
from tests.session.examples import at, opening, recorded
from tests.session.play import ROWS, Play, to_subject
from tests.session.strategies import BY_TYPE, FACTS, STAMPS, envelopes, facts

STREAMS = st.lists(envelopes(), max_size=20)
PROFILES = st.sampled_from([Profile(name="test", echo=echo) for echo in Echo])
SECRET = "the wizard is a human called Ida"


def wire(stream: list[e.Recorded], profile: Profile) -> bytes:
    """Every byte that goes down to the subject."""
    return b"\n".join(msgspec.json.encode(fact) for fact in to_subject(stream, profile))


def hidden(profile: Profile) -> st.SearchStrategy[e.Recorded]:
    return envelopes().filter(lambda fact: for_subject(fact.event, profile) is None)


# --- facts ------------------------------------------------------------------------------------------------------------------


@given(stream=STREAMS, profile=PROFILES, data=st.data())
@settings(max_examples=150 if THOROUGH else 50)
def test_hidden_facts_may_come_and_go_and_not_a_byte_changes(
    stream: list[e.Recorded], profile: Profile, data: st.DataObject
) -> None:
    other: list[e.Recorded] = []
    for fact in stream:
        other += data.draw(st.lists(hidden(profile), max_size=2))
        if for_subject(fact.event, profile) is not None or data.draw(st.booleans()):
            other.append(msgspec.structs.replace(fact, seq=len(other) + 1))
    assert wire(other, profile) == wire(stream, profile)


@given(stream=STREAMS, profile=PROFILES)
def test_links_number_their_own_frames_without_a_gap(stream: list[e.Recorded], profile: Profile) -> None:
    shown = to_subject(stream, profile)
    assert [fact.seq for fact in shown] == list(range(1, len(shown) + 1))


@given(fact=envelopes(), profile=PROFILES, by=st.sampled_from([role for role in Role if role is not Role.SUBJECT]))
def test_who_caused_a_fact_and_by_which_command_stays_hidden(fact: e.Recorded, profile: Profile, by: Role) -> None:
    mine = msgspec.structs.replace(fact, by="hub", cause="")
    theirs = msgspec.structs.replace(fact, by=by, cause="01SECRETCOMMAND")
    assert wire([mine], profile) == wire([theirs], profile)


@given(fact=envelopes(), profile=PROFILES)
def test_the_subject_knows_its_own_commands_again(fact: e.Recorded, profile: Profile) -> None:
    own = msgspec.structs.replace(fact, by=Role.SUBJECT, cause="C7")
    for shown in to_subject([own], profile):
        assert (shown.by, shown.cause) == (Role.SUBJECT, "C7")


@given(stream=STREAMS, profile=PROFILES, role=st.sampled_from([role for role in Role if access(role).console]))
def test_every_console_sees_everything(stream: list[e.Recorded], profile: Profile, role: Role) -> None:
    for number, fact in enumerate(stream, start=1):
        assert project(fact, role, profile, number) == msgspec.structs.replace(fact, seq=number)


MACHINES = (Role.RECOGNISER, Role.INTERPRETER, Role.RESPONDER)
NOT_FOR_MACHINES = (
    e.NoteWritten, e.QuestionnaireAnswered, e.WizardIdentified, e.SpeakerCorrected, e.DeviationNoted, e.DeviationTakenBack,
    e.SpeakerWithdrawn,
)  # fmt: skip


@given(fact=facts(*NOT_FOR_MACHINES), role=st.sampled_from(MACHINES), profile=PROFILES)
def test_a_machine_learns_nothing_that_concerns_people(fact: e.Fact, role: Role, profile: Profile) -> None:
    assert for_machine(fact, role, profile) is None


@pytest.mark.parametrize("role", MACHINES)
def test_a_machine_knows_its_speaker_by_id_alone(role: Role) -> None:
    seen = for_machine(opening(), role, Profile(name="test"))
    assert isinstance(seen, e.SessionOpened)
    assert seen.speaker == Speaker(id=opening().speaker.id)


@pytest.mark.parametrize("rows", [True, False])
def test_an_interpreter_sees_rows_only_where_the_profile_says_so(rows: bool) -> None:
    profile = Profile(name="test", rows_to_interpreter=rows)
    found = e.QueryReturned(attempt="A", sql="SELECT 1", table=ROWS, took=1, database_version="1")
    sent = e.AnswerSent(reply="R", take="T1", text="Denver 99.5", attempt="A")
    seen = [for_machine(fact, Role.INTERPRETER, profile) for fact in (found, sent)]
    assert (b"99.5" in msgspec.json.encode(seen)) is rows
    assert for_machine(found, Role.RECOGNISER, profile) is None
    assert for_machine(found, Role.RESPONDER, profile) == found


@given(each=envelopes(), profile=PROFILES)
def test_a_desk_of_no_known_role_sees_nothing(each: e.Recorded, profile: Profile) -> None:
    if not isinstance(each.event, e.SessionOpened) and for_machine(each.event, Role.RECOGNISER, profile) is None:
        assert for_machine(each.event, Role.OBSERVER, profile) is None


ANY = st.text(max_size=8)
HIDDEN_FIELDS: dict[type[e.Event], dict[str, st.SearchStrategy[object]]] = {
    e.SessionOpened: {
        "operator": ANY, "condition": ANY, "pilot": st.booleans(), "rehearsal": st.booleans(),
        "first_scenario": st.integers(1, 35),
    },
    e.SessionPaused: {"reason": ANY},
    e.RecordingSwitched: {"at": STAMPS},
    e.SessionEnded: {"reason": ANY},
    e.ScenarioStarted: {"scenario": ANY, "kind": ANY, "common": st.booleans(), "attended": st.booleans()},
    e.ScenarioEnded: {"reason": ANY},
    e.AnswerSent: {
        "attempt": ANY, "response": st.sampled_from(ResponseClass), "database_version": ANY,
        "planned_delay": st.integers(0, 10**10),
    },
    e.CannedSent: {"message": ANY, "blanks": st.tuples(ANY), "reason": ANY, "planned_delay": st.integers(0, 10**10)},
    e.ReplyVoiced: {"engine": ANY, "version": ANY, "took": st.integers(0, 10**10)},
    e.VoiceFailed: {"engine": ANY, "detail": ANY},
}  # fmt: skip


@pytest.mark.parametrize("kind", HIDDEN_FIELDS, ids=lambda kind: kind.__name__)
@given(data=st.data(), profile=PROFILES)
def test_hidden_parts_of_a_visible_fact_change_not_a_byte(
    kind: type[e.Event], data: st.DataObject, profile: Profile
) -> None:
    fact = data.draw(BY_TYPE[kind])
    changes = {name: data.draw(strategy) for name, strategy in HIDDEN_FIELDS[kind].items()}
    other = msgspec.structs.replace(fact, **changes)
    assert wire(recorded(fact), profile) == wire(recorded(other), profile)


@given(profile=PROFILES, stamp=STAMPS, text=ANY)
def test_of_a_transcription_the_subject_sees_the_words_and_when_the_hub_had_them(
    profile: Profile, stamp: Stamp, text: str
) -> None:
    shown = for_subject(e.Transcribed(at=stamp, take="T1", text=text), profile)
    expected = e.Transcribed(at=e.NOWHERE, take="T1", text=text) if profile.echo is Echo.BEFORE_QUERY else None
    assert shown == expected


@pytest.mark.parametrize("echo", list(Echo))
def test_the_transcription_comes_with_the_answer_only_where_the_profile_says_so(echo: Echo) -> None:
    sent = e.AnswerSent(reply="R", take="T", text="x", transcription="words")
    shown = for_subject(sent, Profile(name="test", echo=echo))
    assert isinstance(shown, e.AnswerSent)
    assert shown.transcription == ("words" if echo is Echo.WITH_ANSWER else "")


def test_an_invalidated_scenario_looks_like_any_that_ended() -> None:
    profile = Profile(name="test")
    for outcome in Outcome:
        shown = for_subject(e.ScenarioEnded(outcome=outcome), profile)
        expected = Outcome.ENDED if outcome is Outcome.INVALIDATED else outcome
        assert shown == e.ScenarioEnded(outcome=expected)


def test_every_kind_of_fact_was_thought_of() -> None:
    listed = [*_BEFORE_THE_CURTAIN.__args__, *_BEHIND_THE_CURTAIN.__args__, *HIDDEN_FIELDS, e.Transcribed]
    assert sorted(kind.__name__ for kind in listed) == sorted(kind.__name__ for kind in FACTS)


@pytest.mark.parametrize("deception", [True, False])
def test_what_the_subject_is_told_of_the_protocol_is_the_same_whoever_operates_it(deception: bool) -> None:
    profiles = [
        Profile(name="a", deception=deception, free_text=True, reply_delay_s=3, reply_limit_s=9, task=SECRET),
        Profile(name="b", description=SECRET, collection_method=SECRET),
    ]
    first, second = (wire(recorded(opening(profile)), profile) for profile in profiles)
    assert first == second
    for word in (b"wizard", b"human", b"corrected", b"Ida", b"test"):
        assert word.lower() not in first.lower()


# --- commands ---------------------------------------------------------------------------------------------------------------

Step = tuple[str, float]
VISIBLE = (
    "speak",
    "type",
    "transcribe",
    "show",
    "answer",
    "canned",
    "filler",
    "solve",
    "give up",
    "start",
    "discard",
    "pause",
)
HIDDEN = (
    "note",
    "query",
    "failing query",
    "scope",
    "preview",
    "identify",
    "deviation",
    "invalidate",
    "transcribe unseen",
    "assigned",
    "hypothesis",
    "trouble",
    "proposed",
)


class Twin:
    """A session in which every step names its commands by itself, so that others in between change no name."""

    def __init__(self, profile: Profile) -> None:
        self.play = Play(profile)
        self.play.start()

    def latest(self) -> str:
        return next(reversed(list(self.play.state.takes)), "none")

    def visible(self, number: int, step: str, seconds: float) -> None:
        play, take, name = self.play, self.latest(), f"V{number}"
        match step:
            case "speak":
                play.speak(f"T{number}", seconds / 2)
            case "type":
                play.report(e.UtteranceTyped(at=play.now, take=f"T{number}", text="hello"))
            case "show":
                play.show(take)
            case "answer":
                self._answer(name, take)
            case _:
                self._command(name, step, take, number)
        play.wait(seconds)

    def _command(self, name: str, step: str, take: str, number: int) -> None:
        play = self.play
        pause = c.ResumeSession(id=name) if play.state.paused else c.PauseSession(id=name, reason="")
        commands: dict[str, c.AnyCommand] = {
            "transcribe": c.Transcribe(id=name, at=play.now, take=take, text=f"words {number}"),
            "canned": c.SendCanned(id=name, message="unable", take=take),
            "filler": c.SendCanned(id=name, message="wait", take=take),
            "start": c.StartScenario(id=name, scenario="hub"),
            "pause": pause,
            "solve": c.DeclareSolution(id=name, at=play.now, solution="x"),
            "give up": c.GiveUp(id=name, at=play.now),
            "discard": c.DiscardTake(id=name, at=play.now, take=take),
        }
        play.ask(commands[step], Role.SUBJECT if isinstance(commands[step], c.SubjectRequest) else Role.WIZARD)

    def _answer(self, name: str, take: str) -> None:
        """Query and answer; the query may be refused, then there is none."""
        asked = c.SubmitQuery(id=f"Q{name}", at=self.play.now, take=take, language=Language.SQL, text="SELECT 1")
        if isinstance(self.play.ask(asked), list):
            self.play.hub(e.QueryReturned(attempt=f"Q{name}", sql="SELECT 1", table=ROWS, took=1, database_version="1"))
            seen = digest(answer_text(self.play.state, f"Q{name}") or "")
            self.play.ask(c.SendAnswer(id=name, attempt=f"Q{name}", sha256=seen))

    def hidden(self, number: int, step: str) -> None:
        play, take, name = self.play, self.latest(), f"H{number}"
        match step:
            case "note":
                play.ask(c.WriteNote(id=name, text=SECRET, take=take))
            case "query" | "failing query":
                asked = c.SubmitQuery(id=name, at=play.now, take=take, language=Language.ENGLISH, text=SECRET)
                if isinstance(play.ask(asked), list):
                    failed = e.QueryFailed(attempt=name, kind="syntax", message=SECRET)  # type: ignore[arg-type]
                    rows = e.QueryReturned(attempt=name, sql=SECRET, table=ROWS, took=1, database_version="1")
                    play.hub(failed if step == "failing query" else rows)
            case "scope":
                play.ask(c.MarkScope(id=name, take=take, scope=Scope.OUT))
            case "preview":
                play.ask(c.Report(id=name, event=e.AnswerPreviewed(at=play.now, attempt="QV0", sha256="")))
            case "identify":
                play.ask(c.IdentifyWizard(id=name, name=SECRET))
            case "assigned":
                play.hub(e.StageAssigned(stage=Stage.RECOGNITION, operator=Operator.CORRECTED, engine=SECRET))
            case "hypothesis":
                words = (Hypothesis(SECRET, 0.5),)
                play.hub(e.HypothesisReceived(at=play.now, take=take, final=True, hypotheses=words, engine=SECRET))
            case "trouble":
                play.hub(e.OperatorTroubled(stage=Stage.RECOGNITION, trouble=OperatorTrouble.DIED, detail=SECRET))
            case "proposed":
                play.hub(e.ReplyProposed(reply=name, take=take, text=SECRET, attempt="none"))
            case "deviation":
                play.ask(c.NoteDeviation(id=name, reason=SECRET, text=SECRET))
            case "invalidate":
                play.ask(c.InvalidateScenario(id=name, run=len(play.state.runs) - 1, reason=SECRET))
            case _:
                if play.state.opened and play.state.opened.protocol.profile.echo is Echo.NEVER:
                    play.ask(c.Transcribe(id=name, at=play.now, take=take, text=SECRET))


STEPS = st.lists(st.tuples(st.sampled_from(VISIBLE), st.floats(0, 30)), max_size=12)


@given(
    steps=STEPS,
    data=st.data(),
    echo=st.sampled_from(Echo),
    hold=st.sampled_from([0, 4]),
    limit=st.sampled_from([0, 45]),
)
@settings(max_examples=200 if THOROUGH else 70)
def test_hidden_commands_change_neither_a_byte_nor_a_time_nor_a_refusal(
    steps: list[Step], data: st.DataObject, echo: Echo, hold: float, limit: float
) -> None:
    profile = Profile(name="test", echo=echo, hold_back_s=hold, scenario_limit_s=limit)
    alone, watched = Twin(profile), Twin(profile)
    for number, (step, seconds) in enumerate(steps):
        for place, what in enumerate(data.draw(st.lists(st.sampled_from(HIDDEN), max_size=3))):
            watched.hidden(10 * number + place, what)
        alone.visible(number, step, seconds)
        watched.visible(number, step, seconds)
    assert wire(watched.play.recorded, profile) == wire(alone.play.recorded, profile)
    for twin in (alone, watched):
        assert SECRET.encode() not in wire(twin.play.recorded, profile)
    reasons = [[reason for role, reason in twin.play.refusals if role is Role.SUBJECT] for twin in (alone, watched)]
    assert reasons[0] == reasons[1]


def test_the_scripts_above_reach_what_they_are_about() -> None:
    twin = Twin(Profile(name="test"))
    for number, step in enumerate(("speak", "transcribe", "show", "answer", "speak", "canned", "solve")):
        for place, what in enumerate(HIDDEN):
            twin.hidden(10 * number + place, what)
        twin.visible(number, step, 1)
    names = set(twin.play.names)
    assert names >= {
        "AnswerSent",
        "CannedSent",
        "ScenarioEnded",
        "NoteWritten",
        "QueryFailed",
        "ScopeMarked",
        "HypothesisReceived",
        "StageAssigned",
        "OperatorTroubled",
        "ReplyProposed",
        "Transcribed",
    }
    assert twin.play.state.wizard == SECRET


def test_the_property_can_fail() -> None:
    """A note that the subject could see would change the bytes; so the comparison above compares something."""
    profile = Profile(name="test")
    note = e.NoteWritten(text=SECRET)
    assert wire(recorded(opening(), note), profile) == wire(recorded(opening()), profile)
    shown = e.CannedSent(reply="R", text=SECRET)
    assert wire(recorded(opening(), shown), profile) != wire(recorded(opening()), profile)
    assert SECRET.encode() in wire(recorded(shown), profile)


@given(fact=facts(), profile=PROFILES)
def test_what_the_subject_sees_can_be_sent_and_read_back(fact: e.Fact, profile: Profile) -> None:
    for shown in to_subject(recorded(fact), profile):
        assert msgspec.json.decode(msgspec.json.encode(shown), type=e.Recorded) == shown


def test_how_many_queries_a_scenario_is_thought_to_take_is_not_for_the_subject() -> None:
    fact = opening()
    for scenario in fact.protocol.scenarios.values():
        assert b"expected_queries" not in wire(recorded(fact), Profile(name="test"))
        other = msgspec.structs.replace(scenario, expected_queries=47_111)
        bank = {**fact.protocol.scenarios, scenario.id: other}
        changed = msgspec.structs.replace(fact, protocol=msgspec.structs.replace(fact.protocol, scenarios=bank))
        assert b"47111" in msgspec.json.encode(changed)
        assert wire(recorded(changed), Profile(name="test")) == wire(recorded(fact), Profile(name="test"))


def test_a_stamp_of_nowhere_is_no_moment() -> None:
    assert at(0) != e.NOWHERE
