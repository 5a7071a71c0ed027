"""The rubric of raters as versioned data: instructions, the possible judgements of a turn and of a dialogue, and impossible
ones."""

import hashlib
from pathlib import Path

import msgspec

from session.annotation.judgement_facts import ScenarioJudged, TurnJudged

SHIPPED = Path(__file__).with_name("rubric.toml")
CANNOT_DECIDE = "can't decide"


class RubricFault(ValueError):
    """A rubric that cannot be used; names the file."""


class Response(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of response, and what may be said of it; nothing if `verdicts` is empty."""

    code: str
    says: str
    verdicts: tuple[str, ...]


class Forbidden(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Verdicts on a kind of response that cannot be given for a kind of request."""

    request: str
    response: str
    verdicts: tuple[str, ...]


class Errors(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Verdicts that are errors of the system, of which it is said whether they were noticed."""

    verdicts: tuple[str, ...]
    noticed: tuple[str, ...]


class ScenarioQuestions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Verdicts that there are on a dialogue as a whole."""

    finished: tuple[str, ...]
    solution: tuple[str, ...]


class Rubric(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that raters go by."""

    version: str
    title: str
    instructions: str
    requests: dict[str, str]
    responses: tuple[Response, ...]
    errors: Errors
    scenario: ScenarioQuestions
    forbidden: tuple[Forbidden, ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 of the whole content."""
        return hashlib.sha256(msgspec.json.encode(self, order="sorted")).hexdigest()

    def verdicts(self, response: str, request: str = "") -> tuple[str, ...]:
        """Return the possible verdicts on this kind of response to this kind of request."""
        known = next((one.verdicts for one in self.responses if one.code == response), ())
        gone = {
            verdict
            for one in self.forbidden
            if (one.request, one.response) == (request, response)
            for verdict in one.verdicts
        }
        return tuple(verdict for verdict in known if verdict not in gone)

    def fault(self, turn: TurnJudged) -> str:
        """Return why a judgement cannot be; empty if it can."""
        if turn.request not in self.requests:
            return f"{turn.request!r} is not a kind of request: {', '.join(self.requests)}"
        if turn.response not in {one.code for one in self.responses}:
            return f"{turn.response!r} is not a kind of response: {', '.join(one.code for one in self.responses)}"
        allowed = self.verdicts(turn.response, turn.request)
        if (turn.verdict or allowed) and turn.verdict not in allowed:
            of = f"{turn.response} to a request that is {turn.request}"
            return f"{turn.verdict or 'nothing'!r} cannot be said of {of}: {', '.join(allowed) or 'nothing'}"
        if turn.verdict not in self.errors.verdicts:
            return "Only an error is noticed, and only an error costs turns" if turn.noticed or turn.lost else ""
        if turn.noticed not in self.errors.noticed:
            return f"Say whether the error was noticed before the next request: {', '.join(self.errors.noticed)}"
        return "An error costs no less than no turns" if turn.lost < 0 else ""

    def scenario_fault(self, judged: ScenarioJudged) -> str:
        """Return why a judgement of a whole dialogue cannot be; empty if it can."""
        if judged.finished not in self.scenario.finished:
            return f"{judged.finished!r}: the participant finished, or not: {', '.join(self.scenario.finished)}"
        if judged.solution not in self.scenario.solution:
            return f"{judged.solution!r} is not a verdict on the solution: {', '.join(self.scenario.solution)}"
        return ""

    def is_error(self, verdict: str) -> bool:
        """Return whether a verdict is one on an error."""
        return verdict in self.errors.verdicts


def load_rubric(path: Path = SHIPPED) -> Rubric:
    """The rubric in a file; raises RubricFault, OSError."""
    try:
        found = msgspec.toml.decode(path.read_bytes(), type=Rubric)
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError) as error:
        raise RubricFault(f"{path}: {error}") from error
    known = {(one.code, verdict) for one in found.responses for verdict in one.verdicts}
    strange = [
        f"{one.response}: {verdict}" for one in found.forbidden for verdict in one.verdicts
        if (one.response, verdict) not in known or one.request not in found.requests
    ]  # fmt: skip
    if strange:
        raise RubricFault(f"{path}: forbids unknown judgements: {', '.join(strange)}")
    return found


def document(rubric: Rubric) -> str:
    """The instructions for raters, as they are handed out."""
    lines = [
        f"# {rubric.title}",
        "",
        f"Version {rubric.version}. SHA-256 {rubric.digest}.",
        "",
        rubric.instructions.strip(),
    ]
    lines += ["", "Requests: " + ", ".join(rubric.requests.values()) + ".", ""]
    lines += [f"- {one.says}: {', '.join(one.verdicts) or 'no judgement'}" for one in rubric.responses]
    return "\n".join(lines) + "\n"
