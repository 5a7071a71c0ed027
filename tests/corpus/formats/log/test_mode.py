"""`[Mode:]`: who operated each stage by the records of the same log, which `verify` finds to say the same."""

import pytest

from corpus.formats.log.projection import logs_of
from corpus.verify.rules import operators as rule
from corpus.verify.rules.catalogue import RULES
from corpus.verify.rules.findings import Findings
from session import commands as c
from session import events as e
from session.study.settings import Operators, Profile
from session.values.vocabulary import Echo, Language, Operator, Role, Stage
from tests.session.play import Play

MACHINES = Operators(
    recognition=Operator.MACHINE, understanding=Operator.MACHINE, database=Operator.MACHINE, response=Operator.MACHINE
)


def held(operators: Operators, opening: str, filler: bool) -> str:
    """The line of a log in which the system opens with a message or none, and a person sends a filler or nothing outside of
    every utterance, and all else is the machines' where the profile has them."""
    play = Play(Profile(name="test", operators=operators, echo=Echo.NEVER, opening=opening))
    machines = operators == MACHINES
    if machines:
        play.do(c.OperateStage(id="M", stage=Stage.UNDERSTANDING, engine="test"), Role.INTERPRETER)
        play.do(c.OperateStage(id="R", stage=Stage.RESPONSE, engine="test"), Role.RESPONDER)
    play.start()
    play.wait(1)
    if filler:
        play.do(c.TakeOverStage(id="O", stage=Stage.RESPONSE, reason="it hangs"))
        play.do(play.canned("wait", ""))
        play.do(c.GiveBackStage(id="B", stage=Stage.RESPONSE, reason="it runs"))
    play.report(e.UtteranceTyped(at=play.now, take="T1", text="flights"))
    asked = c.SubmitQuery(id="Q", at=play.now, take="T1", language=Language.ENGLISH, text="flights")
    play.do(asked, Role.INTERPRETER if machines else Role.WIZARD)
    play.do(play.canned(), Role.RESPONDER if machines else Role.WIZARD)
    (found,) = logs_of(play.recorded)
    findings = Findings(RULES)
    rule.check(findings, "the.log", found.log)
    assert [finding.message for finding in findings.found] == []
    return str(found.log.get("Mode"))


@pytest.mark.parametrize(
    ("operators", "opening", "filler", "response"),
    [
        (MACHINES, "", False, "machine"),
        (MACHINES, "hello", False, "machine"),
        (MACHINES, "", True, "corrected"),
        (Operators(), "", False, "human"),
        (Operators(), "hello", False, "human"),
    ],
)
def test_a_greeting_is_nobodys_reply_and_a_persons_filler_is_a_persons(
    operators: Operators, opening: str, filler: bool, response: str
) -> None:
    assert held(operators, opening, filler).endswith(f" response={response}")


def test_a_transcriber_who_signs_on_after_the_wizard_is_not_taken_for_her() -> None:
    play = Play(Profile(name="test", echo=Echo.NEVER))
    play.do(c.IdentifyWizard(id="W", name="Oz"))
    play.do(c.IdentifyWizard(id="T", name="Toto"), Role.TRANSCRIBER)
    play.start()
    (found,) = logs_of(play.recorded)
    assert found.log.get("Wizard") == "Oz"
    assert [record.get("Wizard") for record in found.log.records("Wizard_identified")] == ["Oz", "Toto"]
