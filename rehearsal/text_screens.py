"""Both screens as text, from a session's state alone: for watching a rehearsal and for seeing a session again.

They show what the desks' own screens say, in plain words at a fixed width, so that a replay needs neither a terminal of a
certain size nor the desks' programs.
"""

from desk.subject_view import words_in
from session.rules.visit_steps import current_step
from session.state.fold import Attempt, SessionState, Take
from session.state.session_state import is_shown
from session.study.settings import Questionnaire
from session.values.clock import iso
from session.values.sanitize import cells, clip, inert
from session.values.vocabulary import Step
from wizard.core.fillable_text import flowing
from wizard.core.subject_mirror import mark

Lines = list[str]


def subject_screen(state: SessionState, width: int) -> Lines:
    """Draw what the subject has in view: the scenario, what was understood, what was answered, and whether one may speak."""
    lines: Lines = []
    if state.opened is None:
        return ["(connecting)"]
    if (step := current_step(state)) is not None:
        return _station(state, step, width)
    if state.run is not None:
        lines += [f"SCENARIO  {state.run.title}", *_paragraphs(state.run.text, width), ""]
    shown = [take for take in state.takes.values() if not take.discarded and take.run == len(state.runs) - 1]
    for take in shown[-3:]:
        lines += [*(f"> {line}" for line in _wrapped(take.text or "…", width - 2)), *_replies(state, take, width), ""]
    return [*lines, f"[ {mark(state)} ]"]


def _station(state: SessionState, step: Step, width: int) -> Lines:
    """Return what is read or asked before and after the scenarios; of a form its questions all at once."""
    assert state.opened is not None
    if state.step is not None:
        form, text = state.step.form, state.step.text
        if step is Step.CONFIRM_CONSENT:
            text = f"{words_in(state)['consent.confirm'].strip()}\n\n{text}"
        return _form(form, width) if form is not None else _paragraphs(text, width)
    protocol = state.opened.protocol
    texts = {
        Step.CONSENT: protocol.consent_text,
        Step.INSTRUCTIONS: protocol.instructions,
        Step.MICROPHONE_CHECK: words_in(state)["check.text"].strip(),
    }
    return _paragraphs(texts[step], width)


def _form(form: Questionnaire, width: int) -> Lines:
    lines = _paragraphs("\n\n".join(filter(None, (form.title, form.introduction))), width)
    for number, item in enumerate(form.item, start=1):
        lines += ["", *_paragraphs(f"{number} of {len(form.item)}: {item.text}", width)]
        lines += [clip(f"  {place}  {inert(choice)}", width) for place, choice in enumerate(item.choices, start=1)]
    return lines


def _replies(state: SessionState, take: Take, width: int) -> Lines:
    found = [state.replies[name] for name in take.replies if name in state.replies]
    lines = [line for reply in found if is_shown(state, reply) for line in reply.text.split("\n")]
    kept = lines[:8] + ([f"  … {len(lines) - 8} more lines"] if len(lines) > 8 else [])
    return [clip(line, width) for line in kept]


def wizard_screen(state: SessionState, width: int) -> Lines:
    """Draw what the wizard has in view: the utterance, the attempts on it, what came back, notes."""
    if state.opened is None:
        return ["(connecting)"]
    opened = state.opened
    lines: Lines = [f"{opened.protocol.profile.name}  speaker {opened.speaker.id}  wizard {inert(state.wizard)}"]
    if state.run is not None:
        lines.append(f"scenario {state.run.scenario}, utterances {len(state.takes_of(len(state.runs) - 1))}")
    take = next(iter(state.waiting()), None) or (list(state.takes.values())[-1] if state.takes else None)
    if take is not None:
        lines += ["", *_utterance(state, take, width)]
    if state.notes:
        lines += ["", f"note: {clip(state.notes[-1], width - 6)}"]
    return [clip(line, width) for line in lines]


def _utterance(state: SessionState, take: Take, width: int) -> Lines:
    number = "discarded" if take.discarded else f"utterance {take.number}" if take.number else "utterance"
    lines = [f"{number}: {take.text or '(listening)'}"]
    for name in take.attempts:
        lines += _attempt(state.attempts[name], width)
    lines += [f"sent: {state.replies[name].text.split(chr(10))[0]}" for name in take.replies if name in state.replies]
    if take.limit_reached and not state.answered(take):
        lines.append("!! the time for a reply is over")
    return lines


def _attempt(attempt: Attempt, width: int) -> Lines:
    lines = [f"  {attempt.language}> {' '.join(attempt.text.split())}"]
    if attempt.failure is not None:
        lines.append(f"    {attempt.failure}: {inert(attempt.message)}")
    elif attempt.table is not None:
        more = " and more" if attempt.table.more else ""
        lines.append(f"    {len(attempt.table.rows)} rows{more} of {len(attempt.table.columns)} columns")
    else:
        lines.append("    running …")
    return [clip(line, width) for line in lines]


def side_by_side(state: SessionState, subject: SessionState, width: int) -> Lines:
    """Both screens in `width` columns, the subject's (from what the subject was told) on the left."""
    half = (width - 3) // 2
    left, right = subject_screen(subject, half), wizard_screen(state, half)
    height = max(len(left), len(right))
    left += [""] * (height - len(left))
    right += [""] * (height - len(right))
    head = f"{'SUBJECT':<{half}} │ WIZARD"
    return [head, "─" * width, *(_padded(a, half) + " │ " + clip(b, half) for a, b in zip(left, right, strict=True))]


def _padded(text: str, width: int) -> str:
    shown = clip(text, width)
    return shown + " " * (width - cells(shown))


def _paragraphs(text: str, width: int) -> Lines:
    return [line for part in flowing(text.strip()).split("\n") for line in _wrapped(part, width) or [""]]


def _wrapped(text: str, width: int) -> Lines:
    lines, line = [], ""
    for word in inert(text).split():
        if line and cells(line) + 1 + cells(word) > width:
            lines.append(line)
            line = ""
        line = f"{line} {clip(word, width)}".strip()
    return [*lines, line] if line else lines


def moment(state: SessionState, wall_ns: int) -> str:
    """A caption: when this was, and in which session."""
    return f"{state.session}  {iso(wall_ns)}"
