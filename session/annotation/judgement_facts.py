"""The facts of judging whole dialogues: the rubric, who judges which, and what each rater said of each turn, and when."""

from session.events.base import Event


class RubricAdopted(Event, frozen=True):
    """The instructions and categories that raters go by from now on; `content` is the whole document."""

    version: str
    digest: str
    content: str


class RatersAssigned(Event, frozen=True):
    """Assignment of dialogues to raters: `dialogues` in pairs of a dialogue and a rater."""

    raters: tuple[str, ...]
    each: int
    seed: int
    dialogues: tuple[tuple[str, str], ...]


class JudgingBegun(Event, frozen=True):
    """A rater opened a dialogue."""

    dialogue: str
    rubric: str


class TurnJudged(Event, frozen=True):
    """A rater's word on one interaction. `noticed` is empty if it cannot be told; `lost` are turns spent on an error;
    `undone` says that a later word was taken back."""

    utterance: str
    number: int
    request: str
    response: str
    verdict: str = ""
    noticed: str = ""
    lost: int = 0
    note: str = ""
    worked: int = 0
    undone: bool = False


class TurnTakenBack(Event, frozen=True):
    """The first word on an interaction was taken back: it is not judged."""

    number: int


class ScenarioJudged(Event, frozen=True):
    """A rater's word on the dialogue as a whole."""

    finished: str
    solution: str
    note: str = ""
    worked: int = 0


class JudgingReopened(Event, frozen=True):
    """The dialogue is to be judged again."""

    reason: str


JudgementFact = (
    RubricAdopted | RatersAssigned | JudgingBegun | TurnJudged | TurnTakenBack | ScenarioJudged | JudgingReopened
)
