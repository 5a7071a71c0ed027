"""Permissions of a console's role, asked of the one table that the hub obeys too; what may not be done is not offered."""

from session import commands as c
from session.values.clock import Stamp
from session.values.vocabulary import Language, Outcome, ProposalVerdict, Role, Scope, Stage

_AT = Stamp("", 0, 0)
SAMPLES: dict[str, c.AnyCommand] = {
    "transcribe": c.Transcribe(id="", at=_AT, take="", text=""),
    "query": c.SubmitQuery(id="", at=_AT, take="", language=Language.SQL, text=""),
    "reply": c.SendCanned(id="", message=""),
    "wrong": c.MarkReplyWrong(id="", reply="", reason=""),
    "scope": c.MarkScope(id="", take="", scope=Scope.IN),
    "note": c.WriteNote(id="", text=""),
    "deviation": c.NoteDeviation(id="", reason="", text=""),
    "identify": c.IdentifyWizard(id="", name=""),
    "start": c.StartScenario(id="", scenario=""),
    "record": c.SwitchRecording(id="", at=_AT, on=True),
    "end": c.EndScenario(id="", outcome=Outcome.ENDED),
    "invalid": c.InvalidateScenario(id="", run=0, reason=""),
    "pause": c.PauseSession(id="", reason=""),
    "call": c.AnswerCall(id=""),
    "hands": c.TakeOverStage(id="", stage=Stage.RESPONSE, reason=""),
    "judge": c.JudgeOutput(id="", stage=Stage.RESPONSE, take="", verdict=ProposalVerdict.ACCEPTED),
    "close": c.EndSession(id="", reason=""),
}
"""One command for each kind of thing that a console can do."""


def may(role: Role, what: str) -> bool:
    """Return whether a console of `role` may do `what`; everybody may `look`."""
    return what == "look" or c.permitted(role, SAMPLES[what])
