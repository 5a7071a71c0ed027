"""A recogniser's words before the wizard: the draft of the transcription, what is unsure in it, what else was possible."""

from session.state.fold import SessionState, Take
from session.values.hypotheses import Hypothesis
from session.values.vocabulary import Operator, ProposalVerdict, Stage

UNSURE = 0.5
"""A word is marked whose confidence is below this; docs/reference/recognition.md says how often such a word is wrong."""


def proposed(state: SessionState, take: Take | None) -> tuple[Hypothesis, ...]:
    """Return the final hypotheses of an utterance that a person is to correct, while nobody has transcribed it."""
    if take is None or take.hypothesis is None or not take.hypothesis.final or take.transcriptions or rejected(take):
        return ()
    return take.hypothesis.hypotheses if state.operator(Stage.RECOGNITION) is Operator.CORRECTED else ()


def rejected(take: Take) -> bool:
    """Return whether a person has rejected a recogniser's words for the utterance."""
    return any(
        judgement.stage is Stage.RECOGNITION and judgement.verdict is ProposalVerdict.REJECTED
        for judgement in take.judged
    )


def so_far(take: Take) -> str:
    """Return the words that a recogniser has made out, or let through, of an utterance whose final words are still to come."""
    found = take.hypothesis
    return found.hypotheses[0].text if found is not None and not found.final and found.hypotheses else ""


def unsure(hypothesis: Hypothesis) -> list[str]:
    """Return the words that are probably wrong."""
    return [word.text for word in hypothesis.words if word.confidence is not None and word.confidence < UNSURE]


def unsure_places(hypothesis: Hypothesis) -> list[tuple[int, int]]:
    """Return where the unsure words are in the text, from and to, in characters."""
    places, at = list[tuple[int, int]](), 0
    for word in hypothesis.words:
        begin = hypothesis.text.find(word.text, at)
        if begin < 0:
            return []
        at = begin + len(word.text)
        if word.confidence is not None and word.confidence < UNSURE:
            places.append((begin, at))
    return places


def line(hypothesis: Hypothesis) -> str:
    """Return a hypothesis as it is in the list; a question mark follows each unsure word."""
    marked = list(hypothesis.text)
    for _, end in reversed(unsure_places(hypothesis)):
        marked.insert(end, "?")
    sure = "" if hypothesis.confidence is None else f" [{hypothesis.confidence:.2f}]"
    return f"{''.join(marked)}{sure}"


def summary(found: tuple[Hypothesis, ...]) -> str:
    """Return the line that says what the draft is worth; empty without one."""
    if not found:
        return ""
    sure = "" if found[0].confidence is None else f" [{found[0].confidence:.2f}]"
    parts = [f"machine{sure}"]
    if doubtful := unsure(found[0]):
        parts.append(f"unsure: {' '.join(doubtful)}")
    if len(found) > 1:
        parts.append(f"Alt+Z {len(found) - 1} more")
    return ", ".join(parts)
