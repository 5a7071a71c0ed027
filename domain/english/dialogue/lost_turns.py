"""Earlier requests that are lost to the dialogue: not understood, or answered by SQL of which only the rows are known."""

from __future__ import annotations

from domain.english.dialogue.context_limits import skips_aside
from domain.english.dialogue.dialogue_context import resumes
from domain.english.dialogue.earlier import Earlier
from domain.english.dialogue.new_requests import is_about_named, needs_context, stands_alone
from domain.english.dialogue.openings import Opening
from domain.english.dialogue.pronouns import lacks_antecedent
from domain.english.dialogue.whole_changes import Changes
from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Meaning
from domain.english.parse.parser import Parsed
from domain.english.text.tokens import read_words, words_of


def lacks_known_rows(model: DomainModel, parsed: Parsed, opening: Opening, before: Meaning) -> bool:
    """Return whether a request depends on an answer of which only the rows are known, but is not about those."""
    rows = before.rows
    if rows is None or not rows.by_hand or not (opening.corrects or needs_context(model, parsed, opening)):
        return False
    if opening.named and is_about_named(model, parsed, opening):
        return False
    return not rows.keys or ("refer" not in parsed.senses and not stands_alone(model, parsed, opening))


def depends_on_lost(model: DomainModel, changes: Changes, parsed: Parsed, opening: Opening, before: Earlier) -> bool:
    """Return whether a request depends on an earlier one that was not understood."""
    if not (before.lost or before.aside) or (before.lost and lacks_antecedent(opening.text)):
        return before.lost
    plain = words_of(read_words(opening.text))
    dependent = changes.changes_previous(plain) or opening.corrects or needs_context(model, parsed, opening)
    if not dependent or stands_alone(model, parsed, opening) or (before.aside and skips_aside(parsed, opening.text)):
        return False
    return not resumes(parsed, opening, before.meanings)
