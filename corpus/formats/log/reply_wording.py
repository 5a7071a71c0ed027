"""Records of a log for replies: planned, sent, shown and spoken."""

from collections.abc import Mapping
from typing import assert_never

from corpus.formats.log.log_values import count_text
from corpus.formats.log.operator_wording import Worded
from corpus.formats.log.timeline import Moment
from session import events as e


def reply_record(event: e.ReplyFact, found: Mapping[str, Moment]) -> Worded:
    """Return the key and the attributes of a reply's record; `found` gives the moment at which the rows of each attempt came."""
    match event:
        case e.ReplyPlanned():
            reply = event.reply
            return "Reply_planned", {
                "Reply": reply.reply,
                "Response": reply.response.value,
                "Delay": count_text(reply.planned_delay),
                "Result": reply.text,
            }
        case e.ReplyStopped():
            return "Reply_stopped", {"Reply": event.reply}
        case e.AnswerSent():
            return "Answer_returned", {
                **_returned(event),
                "Attempt": event.attempt or None,
                "Answer_found": str(found[event.attempt]) if event.attempt in found else None,
                "Database_version": event.database_version,
            }
        case e.CannedSent():
            return "Answer_returned", {
                **_returned(event),
                "Canned_message": event.message,
                "Blank": event.blanks,
                "Reason": event.reason,
            }
        case e.ReplyMarkedWrong():
            return "Reply_marked_wrong", {"Reply": event.reply, "Reason": event.reason}
        case e.ReplyShown():
            return "Answer_shown", {"Reply": event.reply, "Lines": f"{event.first}-{event.last}"}
        case e.ReplyViewed():
            reopened = "" if event.reopened else None
            return "Answer_viewed", {
                "Reply": event.reply,
                "Lines": f"{event.first}-{event.last}",
                "Reopened": reopened,
            }
        case _:
            assert_never(event)


def _returned(event: e.AnswerSent | e.CannedSent) -> dict[str, str | tuple[str, ...] | None]:
    return {
        "Reply": event.reply,
        "Response": event.response.value,
        "Delay": count_text(event.planned_delay),
        "Echoed": event.transcription,
        "Spoken": event.spoken or None,
        "Result": event.text,
    }


def voice_record(event: e.VoiceFact) -> Worded:
    """Return the key and the attributes of a record of the system's voice."""
    match event:
        case e.ReplyVoiced():
            return "Reply_voiced", {
                "Reply": event.reply,
                "Samples": count_text(event.samples),
                "Rate": count_text(event.rate),
                "Sha256": event.sha256,
                "Engine": event.engine,
                "Version": event.version,
                "Took": count_text(event.took),
            }
        case e.VoiceFailed():
            return "Voice_failed", {"Reply": event.reply, "Engine": event.engine, "Detail": event.detail}
        case e.PlaybackStarted():
            return "Playback_started", {"Reply": event.reply}
        case e.PlaybackStopped():
            return "Playback_stopped", {
                "Reply": event.reply,
                "Samples": count_text(event.samples),
                "Why": event.why.value,
                "Detail": event.detail,
            }
        case _:
            assert_never(event)
