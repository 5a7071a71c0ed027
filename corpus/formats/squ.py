"""`.squ`: a subject's answers to questionnaires, one file per session.

The historic layout is unknown; ours is that of the `.log`: `[Questionnaire:]` opens a form, `[Item:]` and `[Answer:]` follow
in pairs. What the items say is in the protocol (`doc/protocol/`).
"""

import msgspec

from corpus.formats import keyed_lines
from corpus.formats.errors import FormatFault
from corpus.formats.keyed_lines import KeyedLine


class AnsweredForm(msgspec.Struct, frozen=True):
    """One filled-in form: answers by item, in the order asked."""

    name: str
    answers: tuple[tuple[str, str], ...]


class SessionForms(msgspec.Struct, frozen=True):
    """The forms of a session in the order in which they were filled in."""

    forms: tuple[AnsweredForm, ...]


def parse(data: bytes | str, path: str) -> SessionForms:
    """The forms in a file; raises `FormatFault` for an unknown key or an answer without its item.

    >>> render(parse("[Questionnaire:] after\\n[Item:] pleased\\n[Answer:] 4\\n", "x.squ"))
    b'[Questionnaire:] after\\n[Item:] pleased\\n[Answer:] 4\\n'
    """
    forms: list[tuple[str, list[tuple[str, str]]]] = []
    item: KeyedLine | None = None
    for entry in keyed_lines.parse(data, path):
        expected = "Answer" if item else "Item"
        if entry.key == "Questionnaire" and item is None:
            forms.append((entry.value, []))
        elif entry.key != expected or not forms:
            raise FormatFault(path, entry.line, f"[{entry.key}:] here", f"write [{expected}:] within a form")
        elif item is None:
            item = entry
        else:
            forms[-1][1].append((item.value, entry.value))
            item = None
    if item is not None:
        raise FormatFault(path, item.line, "an item without an answer", "write [Answer:], empty if none was given")
    return SessionForms(tuple(AnsweredForm(name, tuple(answers)) for name, answers in forms))


def render(questionnaire: SessionForms) -> bytes:
    """The bytes of a file."""
    entries: list[KeyedLine] = []
    for form in questionnaire.forms:
        entries.append(KeyedLine("Questionnaire", form.name))
        for item, answer in form.answers:
            entries += [KeyedLine("Item", item), KeyedLine("Answer", answer)]
    return keyed_lines.render_all(entries)
