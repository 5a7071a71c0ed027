"""Effects of a canned message, seen in the log, on the subject's screen, in the figures and at the console."""

import msgspec

from corpus.analysis.attempts import of_logs
from corpus.formats.log.projection import logs_of
from session.values.vocabulary import ResponseClass
from session.visibility import for_subject
from tests.effects.of_session import entry, log
from tests.effects.registry import Places, effect
from tests.session.examples import MESSAGES
from tests.session.play import Play


def _message(key: str, place: str, first: object, second: object) -> None:
    def observe(value: object) -> object:
        message = msgspec.structs.replace(MESSAGES["unable"], **{key: value})
        play = Play()
        opened = play.state.opened
        assert opened is not None
        changed = msgspec.structs.replace(opened.protocol, canned_messages={message.id: message})
        play.hub(msgspec.structs.replace(opened, protocol=changed))
        play.start()
        play.speak()
        play.do(play.canned(message.id))
        told = log(play)
        found = Places(log=[entry(told, line) for line in ("Canned_message", "Reason", "Response", "Result")])
        if key == "text":
            found["screen"] = [for_subject(fact.event, opened.protocol.profile) for fact in play.recorded]
        if key == "reason":
            found["stats"] = of_logs([logs_of(play.recorded)[0].log])
        return found

    effect(f"message.{key}", place, first, second)(observe)


_message("id", "`[Canned_message:]` of the log", "unable", "other")
_message("text", "`[Result:]` of the log and the subject's screen", "No.", "Yes.")
_message("reason", "`[Reason:]` of the log, and requests out of scope in `curtain stats`", "unable", "no_information")
_message("response", "`[Response:]` of the log", ResponseClass.FAILURE, ResponseClass.DIRECTIVE)


@effect("message.digit", "the key that chooses it at the console", 2, 9)
def _digit(value: int) -> object:
    from tests.wizard.desk import HandPlayed

    messages = (
        msgspec.structs.replace(MESSAGES["unable"], digit=value),
        msgspec.structs.replace(MESSAGES["no-info"], digit=5),
    )
    return [canned_message.id for canned_message in HandPlayed(messages=messages).console.canned_messages]
