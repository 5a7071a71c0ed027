"""Effects of the keys about machines that operate a stage."""

from typing import Any

from operators.engines import needed
from operators.recognition.study_transcriptions import transcribed
from session import commands as c
from session import events as e
from session.collection.open_session import plan_session
from session.store.event_store import Entry, Store
from session.study.folder import Study
from session.study.settings import Noise, Operators, Profile
from session.values.clock import Stamp
from session.values.consent import ConsentScope
from session.values.vocabulary import LostOperator, Operator, Role, Stage
from session.visibility import for_machine, hears
from tests.effects.next_session import DAY
from tests.effects.of_session import played
from tests.effects.of_study import in_study
from tests.effects.registry import Places, effect
from tests.operators.listening import noisy, proposals
from tests.session.play import ROWS, Play

AT = Stamp("hub", 1, 1)


def _operated(**keys: Any) -> Play:
    """A session whose recogniser has attached, and then does nothing."""
    profile = Profile(**{"name": "test", "operators": Operators(recognition=Operator.MACHINE), **keys})
    play = played(profile)
    play.do(c.OperateStage(id="machine", stage=Stage.RECOGNITION, engine="test"), Role.RECOGNISER)
    play.speak()
    return play


@effect("profile.operator_deadline_s", "`[Operator_troubled:]`, and the banner at every console", 5.0, 0.0)
def _deadline(value: float) -> object:
    return _operated(operator_deadline_s=value).wait(20)


@effect(
    "profile.lost_operator",
    "the operator after a machine is late or gone (`[Stage_assigned:]`)",
    LostOperator.PERSON,
    LostOperator.WAIT,
)
def _lost(value: LostOperator) -> object:
    return _operated(lost_operator=value).wait(20)


@effect("profile.rows_to_interpreter", "the rows sent to an interpreter", True, False)
def _rows(value: bool) -> object:
    found = e.QueryReturned(attempt="A", sql="SELECT 1", table=ROWS, took=1, database_version="1")
    return for_machine(found, Role.INTERPRETER, Profile(name="test", rows_to_interpreter=value))


def _engine(stage: Stage, usual: str) -> None:
    def observe(value: Any) -> object:
        return in_study(lambda study: needed(study)[stage], profile="SRI", machines={stage.value: value})

    effect(f"study.machines.{stage}", "the engine at work in the stage (`[Stage_assigned:]`)", usual, "apart")(observe)


def _words_of(study: Study) -> object:
    said = [
        ("wizard", e.TalkPressed(at=AT, take="T1")),
        ("wizard", e.Transcribed(at=AT, take="T1", text="flights to bostn")),
        ("wizard", e.Transcribed(at=AT, take="T1", text="flights to boston")),
        ("subject", e.TalkPressed(at=AT, take="T2")),
        ("recogniser", e.Transcribed(at=AT, take="T2", text="lights too boss ton")),
    ]
    store = Store(study.store_url)
    for rehearsal in (False, True):
        plan = plan_session(study, store.usage, "toy 1", DAY, rehearsal=rehearsal)
        scopes = dict.fromkeys(map(str, ConsentScope), True)
        agreed = e.ConsentGiven(at=AT, version="1", sha256="", scopes=scopes)
        entries = [("hub", plan.opened), ("subject", agreed), *said]
        store.append(plan.name, 0, [Entry(AT, by, "", fact) for by, fact in entries])  # type: ignore[arg-type]
    store.close()
    return transcribed(study)


@effect("study.machines.learns", "the words that the recogniser knows, and its version in the log", False, True)
def _learns(value: bool) -> object:
    return in_study(_words_of, machines={"learns": value})


_engine(Stage.RECOGNITION, "pocketsphinx")
_engine(Stage.UNDERSTANDING, "english")
_engine(Stage.RESPONSE, "rows")


def _noise(key: str, place: str, first: object, second: object, **others: Any) -> None:
    def observe(value: Any) -> object:
        return proposals(noisy(noise=Noise(**{**others, key: value})))

    effect(f"profile.noise.{key}", place, first, second)(observe)


_WORDS = "the recogniser's words at the console, and `[Hypothesis:]`"
_noise("word_error", _WORDS, 0.0, 0.5)
_noise("deletions", _WORDS, 0.0, 1.0, word_error=0.5, insertions=0.0)
_noise("insertions", _WORDS, 0.0, 1.0, word_error=0.5, deletions=0.0)
_noise("vocabulary", _WORDS, (), ("flights", "boston"))
_noise("word_ms", "the time between the words of `[Hypothesis_received:]`", 0, 300)


@effect("profile.session_seed", "the wrong words, and the delay of a reply", 1, 2)
def _seed(value: int) -> object:
    play = played(Profile(name="test", reply_delay_s=5.0, reply_delay_spread_s=2.0, session_seed=value))
    play.speak()
    play.do(play.canned("unable"))
    return Places(words=proposals(noisy(noise=Noise(word_error=0.3), session_seed=value)), delay=play.state.planned)


@effect("profile.subject_heard", "whether the subject's voice reaches the wizard's console", True, False)
def _hears(value: bool) -> object:
    return hears(Role.WIZARD, Profile(name="test", subject_heard=value))
