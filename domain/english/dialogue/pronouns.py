"""Pronouns for a person named earlier: "when was she hired", "who reports to him", "his address".

The name replaces the pronoun, so that the request reads as if it contained the name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from domain.english.dialogue.references import EarlierTurn, shown_keys
from domain.english.dialogue.widening import attributes_of_noun
from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Meaning

_PERSONAL = re.compile(r"\b(?P<word>she|he|her|him|his)(?P<rest>['’]s)?\b(?P<next>\s+[a-z]+)?", re.IGNORECASE)
_NEAR_THE_BEGINNING = re.compile(r"(?:[a-z']+ ){0,2}(?:she|he|him|her|his)\b", re.IGNORECASE)
_THING = re.compile(r"\b(?:that one|this one|it|that|those|these|they|them)\b", re.IGNORECASE)
_THAT_NOUN = re.compile(r"\b(?:that|this|the same|that same) (?P<noun>[a-z]+)\b", re.IGNORECASE)
_GO_THERE = re.compile(r"\b(?P<go>fly|flies|go|goes|get|gets|travel|travels|flying|going) there\b", re.IGNORECASE)
_THERE = re.compile(r"(?<!is )(?<!are )\bthere\b", re.IGNORECASE)
_NO_NOUN = re.compile(
    r"(?:and|or|but|in|on|at|to|from|with|by|for|since|before|after|when|then|please|too|now|instead|as|than|is|was|does|did)$"
)


def lacks_antecedent(text: str) -> bool:
    """Return whether a request begins with a pronoun whose antecedent must be in an earlier one: "does she have", "and his
    address"."""
    return bool(_NEAR_THE_BEGINNING.match(text))


def replace_pronouns(text: str, name: str) -> str:
    """Return the request with each pronoun replaced by the name."""

    def named(found: re.Match[str]) -> str:
        word, after = found["word"].lower(), found["next"] or ""
        owns = word == "his" or (word == "her" and bool(after) and not _NO_NOUN.match(after.strip().lower()))
        said = f"{name}'s" if owns else f"{name} is" if found["rest"] else name
        return said + after

    return _PERSONAL.sub(named, text)


def replace_thing(model: DomainModel, text: str, before: Meaning) -> str:
    """Return the request with "that", "it" or "there" replaced by the only name in the previous meaning; empty when it has
    none or several."""
    named = [v for c in before.conditions if not c.negated for v in c.values if v.kind in model.kind and v.op == "="]
    if len({v.data for v in named}) != 1:
        return ""
    say = named[0].say
    for pattern, put in ((_GO_THERE, rf"\g<go> to {say}"), (_THERE, f"in {say}"), (_THING, say)):
        if pattern.search(text):
            return pattern.sub(put, text, count=1)
    return ""


def replace_noun(model: DomainModel, nouns: Mapping[str, frozenset[str]], text: str, before: Meaning) -> str:
    """Return the request with "that town" replaced by the name of that kind in the previous meaning."""
    found = _THAT_NOUN.search(text)
    attributes = attributes_of_noun(found["noun"].lower(), nouns) if found else frozenset()
    named = [
        c.values[0].say
        for c in before.conditions
        if c.attribute in attributes and not c.negated and len(c.values) == 1 and c.values[0].kind in model.kind
    ]
    return text[: found.start()] + named[0] + text[found.end() :] if found and len(named) == 1 else text


def person_named(model: DomainModel, before: Meaning) -> str:
    """Return the name of the only person named in an earlier request; empty when there is none, or there are several."""
    persons = {column for kind in model.kind.values() for pair in kind.names if " " in pair for column in pair.split()}
    keys = {kind.column for kind in model.kind.values() if any(" " in pair for pair in kind.names)}
    named = [
        (value.say, model.kind[value.kind].column)
        for condition in before.conditions
        for value in condition.values
        if not condition.negated and value.kind in model.kind and model.kind[value.kind].column in persons | keys
    ]
    if len(named) != 1:
        return ""
    say, column = named[0]
    # a bare number could identify any entity, such as a department
    called = [entity.one or name for name, entity in model.entity.items() if entity.key == (column,)]
    return f"{called[0]} {say}" if say.isdigit() and called else say


def person_meant(model: DomainModel, before: Meaning, turn: EarlierTurn) -> str:
    """Return the name, or else the number, of the only person of whom the request before spoke."""
    return _person_shown(model, before, turn) or person_named(model, before)


def _person_shown(model: DomainModel, meaning: Meaning, turn: EarlierTurn) -> str:
    """Return the name, or else the number, of the only person in the answer to a statement by hand; empty when there is none, or
    there are several."""
    entity = meaning.entities[0]
    key, keys = model.entity[entity].key, {*shown_keys(model, turn, entity)} if turn.by_hand and turn.whole else set()
    persons = [kind for kind in model.kind.values() if key == (kind.column,)]
    pairs = [pair.split() for kind in persons for pair in kind.names if " " in pair]
    if len(keys) != 1 or not pairs:
        return ""
    columns = [column.rpartition(".")[2] for column in pairs[0]]
    names = [{str(row[turn.columns.index(name)]) for row in turn.rows} for name in columns if name in turn.columns]
    if len(names) == len(columns) and all(len(held) == 1 for held in names):
        return " ".join(held.pop().lower() for held in names)
    (number,) = keys.pop()
    return f"{model.entity[entity].one or entity} {number}" if isinstance(number, int) else ""
