"""Explanation of a reading: the senses of words, unused words, joins, competing attributes, and possible changes.

Changes are not guessed: each reported change to `domain.toml` was made in memory and tested on the request.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sqlglot
from sqlglot import exp

from domain.check.added_phrases import changes, changes_beside
from domain.check.finding import shown_key
from domain.english.engine import Engine
from domain.english.model.domain import read_path
from domain.english.model.meaning import Condition, Meaning, said_in
from domain.english.parse.combine_comparisons import Node, combine, is_filler
from domain.english.parse.heads import find_projection
from domain.english.parse.parser import Parsed
from domain.english.parse.projections import Projection
from domain.english.parse.request import parse
from domain.english.parse.self_corrections import corrected
from domain.english.reading import Answered
from domain.english.sql.join_planner import table_of
from session.study.toml_reader import line_of

_MOST = 6
_WHY = "Why this attribute and not another (the highest wins: 20 for a cue, 5 for a default, 3 for what is asked for)"


class RequestExplanation:
    """The explanation of a request after the earlier ones in `requests`; `domain_text` is the text of `domain.toml`."""

    def __init__(self, engine: Engine, domain_text: str, requests: Sequence[str]) -> None:
        self.engine = engine
        self.model = engine.model
        self._domain_text = domain_text
        *self._context, self.text = requests
        self.answered: Answered = engine.ask(self.text, self._context)
        items = engine.items(self.text)
        self.nodes: tuple[Node, ...] = combine(corrected(self.model, items)) if items else ()
        self.asked: Projection | None = find_projection(self.model, self.nodes) if self.nodes else None
        self.parsed: Parsed | None = parse(self.model, items) if items else None

    def tell(self) -> Iterator[str]:
        """Yield the explanation line by line."""
        if not self.nodes or self.parsed is None or self.asked is None:
            yield "There is no word in it."
            return
        meaning = self.answered.readings[0].meaning if self.answered.readings else self.parsed.meaning
        yield "Words"
        yield from self._describe_words(meaning)
        yield from ("", "Asked for", *self._heads(meaning))
        yield from self._section(_WHY, self._rivals())
        yield from self._section("Joins", self._joins())
        yield from ("", "Readings", *self._readings())
        changes = [*self._lost_request(), *self._possible_changes()]
        if not self.answered.readings and not changes:
            changes = [f"   {_NO_LINE}"]
        yield from self._section("What would change it", iter(changes))

    def _lost_request(self) -> Iterator[str]:
        """Yield what to do first about a request before this one that was not understood, where this one was not either."""
        for at, text in enumerate(self._context if not self.answered.readings else ()):
            if not self.engine.ask(text, self._context[:at]).readings:
                yield f"   what is missing for “{text}”, which was not understood: explain that one first"
                return

    def _section(self, title: str, lines: Iterator[str]) -> Iterator[str]:
        found = list(lines)
        if found:
            yield from ("", title, *found)

    def place(self, *key: str | int) -> str:
        """Return a key with its line: "[entity.book] words (line 12)"."""
        return f"{shown_key(key)} (line {line_of(self._domain_text, key) or 1})"

    # words

    def _describe_words(self, meaning: Meaning) -> Iterator[str]:
        width = max(len(node.item.words) for node in self.nodes)
        said = said_in(meaning)
        idle = {*(self.answered.readings[0].unused if self.answered.readings else self.answered.unused)}
        for at, node in enumerate(self.nodes):
            words = node.item.words
            mark = "!" if any(words == part or words in part.split() for part in idle) else " "
            role = "lies idle" if mark == "!" and not node.has("unknown") else ""
            yield f" {mark} {words:<{width}}  {'; '.join(filter(None, (role, self._role(at, node, meaning, said))))}"

    def _role(self, at: int, node: Node, meaning: Meaning, said: Sequence[Condition]) -> str:
        if self.asked and at in self.asked.at:
            head = next((s for s in node.item.senses if s.name in {*meaning.entities, *meaning.attributes}), None)
            part = "entity" if head and head.what == "entity" else "attribute"
            return f"asks for {self.place(part, head.name, 'words')}" if head else "asks"
        for condition in said:
            for value in condition.values:
                if any((v.kind, v.data) == (value.kind, value.data) for v in node.values):
                    return f"{self._kind(value.kind)} = {value.data[0]!r}, said of {self.place('attribute', condition.attribute)}"
        flags = {name for flagged in meaning.flags for name in flagged.flags}
        for what, used in (("flag", flags), ("superlative", {e.superlative for e in meaning.extremes})):
            if name := next((s.name for s in node.item.all(what) if s.name in used), ""):
                return f"is {self.place(what, name, 'words')}"
        if cues := [s.name for s in node.item.all("cue") if s.name in {c.attribute for c in said}]:
            return f"leads to {self.place('attribute', cues[0], 'cues')}"
        if node.has("unknown"):
            return "unknown: neither a word of the domain nor a value of its database"
        if node.values:
            return "could be " + ", ".join(dict.fromkeys(self._kind(value.kind) for value in node.values))
        kinds = [s.what for s in node.item.senses]
        if node.has("ask") or node.has("wish"):
            return "asks"
        if is_filler(node):
            return f"passed over ({self.place('fillers')})" if node.item.words in self.model.fillers else "passed over"
        named = [f"[{_PARTS[s.what]}.{s.name}]" for s in node.item.senses if s.what in _PARTS]
        return f"could be {', '.join(dict.fromkeys(named))}" if named else " or ".join(dict.fromkeys(kinds))

    def _kind(self, name: str) -> str:
        part = next((part for part in ("kind", "unit") if name in getattr(self.model, part)), "")
        return self.place(part, name) if part else name

    def _heads(self, meaning: Meaning) -> Iterator[str]:
        by_word = bool(self.asked and self.asked.at)
        why = (
            "named"
            if by_word
            else "no word names it: a hint, a value or an earlier request decides, else [domain] entity"
        )
        for name in meaning.entities:
            yield f"   {self.place('entity', name)}: {why}"
        for name in meaning.attributes:
            key = ("attribute", name) if name in self.model.attribute else ("kind", name.removesuffix("_meaning"))
            yield f"   {self.place(*key)}"

    # rivals and joins

    def _rivals(self) -> Iterator[str]:
        for weighed in self.parsed.weighed if self.parsed else ():
            best, *others = {name: (score, name) for score, name, _ in reversed(weighed.attributes)}.values()
            ranked = sorted((best, *others), reverse=True)[:4]
            if len(ranked) < 2:
                continue
            yield f"   {self.nodes[weighed.at].item.words}"
            for score, name in ranked:
                attribute = self.model.attribute[name]
                cues = ", ".join(attribute.cues[:4]) or "none"
                told = f"default = {attribute.default}, cues: {cues}"
                yield f"     {score:5.1f}  {self.place('attribute', name)}: {told}"

    def _joins(self) -> Iterator[str]:
        for sql in [reading.sql for reading in self.answered.readings[:1]]:
            for pair in dict.fromkeys(_equalities(sql, self.engine)):
                yield f"   {' = '.join(pair)}: {self._origin(frozenset(pair))}"

    def _origin(self, pair: frozenset[str]) -> str:
        for at, join in enumerate(self.model.join):
            steps = [*read_path(join.path).steps]
            held = [frozenset(p) for s in steps for p in s.pairs]
            if pair in held or pair == frozenset(p.strip() for p in read_path(join.path).end.split("=")):
                return self.place("join", at, "path")
        for name, attribute in self.model.attribute.items():
            paths = {"accepts": attribute.accepts.values(), "select": attribute.select}
            for field, texts in paths.items():
                steps = [s for text in texts for way in text.split("|") if ";" in way for s in read_path(way).steps]
                if any(pair == frozenset(p) for s in steps for p in s.pairs):
                    return self.place("attribute", name, field)
        return "a key of the database"

    # readings and what would change them

    def _readings(self) -> Iterator[str]:
        if not self.answered.readings:
            surety = self.parsed.confidence if self.parsed else 0.0
            because = self.answered.reason or self.answered.clarification
            yield f"   none: {because or f'as sure as {surety:.2f}, below [domain] threshold {self.model.domain.threshold}'}"
        for number, reading in enumerate(self.answered.readings, start=1):
            yield f"   {number}. {reading.paraphrase}  [{reading.confidence:.2f}]"
            against = self.engine.calibration.against(reading.clues)
            if number > 1:
                yield f"      {self._reason_for_rank(number - 1)}"
            elif against:
                yield f"      less sure by: {', '.join(clue.replace('_', ' ') for clue in against)}"

        for reading in self.answered.withheld:
            unused = f" (not used: {', '.join(reading.unused)})" if reading.unused else ""
            yield f"   withheld: {reading.paraphrase}  [{reading.confidence:.2f}]"
            yield f"      doubted: {reading.doubt}{unused}"

    def _reason_for_rank(self, at: int) -> str:
        """Return why a reading ranks below the first."""
        first, other = self.answered.readings[0], self.answered.readings[at]
        if other.meaning == first.meaning:
            if "answer" in {*other.minimal_columns, *first.minimal_columns}:
                return f"the same meaning; `yes_no` = {self.engine.conventions.yes_no!r} decides"
            if "count" in {*other.minimal_columns, *first.minimal_columns}:
                return f"the same meaning; `noun_question` = {self.engine.conventions.noun_question!r} decides"
            return f"the same meaning; `counted_most` = {self.engine.conventions.counted_most!r} decides"
        if other.apart == "scope":
            return "it is about the list that the last one was narrowed from, or the last result, which the words leave open"
        if other.apart == "attribute":
            return "a value of it may also be said of another attribute, which is as near"
        if other.apart == "half" and not other.undecided:
            return "the other half of the day; `open_clock` and `afternoon_below` decide"
        if other.undecided:
            return f"{other.undecided} is of either half of the day; `open_clock` and `afternoon_below` decide"
        if first.carried != other.carried:
            return "it takes less from the requests before"
        return "less is sure of it"

    def _possible_changes(self) -> Iterator[str]:
        """Yield tested changes that give an unused word a sense, and how to move a value to its next-best attribute."""
        for said in self._unused_phrases():
            tried = [
                (change, self.engine.with_model(change.model).ask(self.text, self._context))
                for change in changes(self.model, said)
            ]
            better = [(c, a.readings[0]) for c, a in tried if a.readings and said not in a.readings[0].unused]
            better.sort(key=lambda way: (len(way[1].unused), way[0].key[0] == "fillers"))
            seen: dict[str, str] = {}
            for change, reading in better:
                seen.setdefault(
                    reading.sql,
                    f"   “{said}” in {self.place(*change.key)}: {reading.paraphrase}  [{reading.confidence:.2f}]",
                )
            if kinds := ", ".join(f"[kind.{name}.also]" for name, kind in self.model.kind.items() if kind.column):
                yield f"   “{said}” as a value's name: in one of {kinds}"
            told = list(seen.values())
            yield from dict.fromkeys((*told[: _MOST - 1], *told[-1:]))
            if not better:
                yield f"   “{said}” in no list of words alone: it needs an entry of its own, such as a [flag.…] with a test"
        yield from self._changes_of_numbers()
        for weighed in self.parsed.weighed if self.parsed else ():
            names = list(dict.fromkeys(name for _, name, _ in weighed.attributes))
            if len(names) > 1:
                said = self.nodes[weighed.at].item.words
                yield f"   “{said}” to {self.place('attribute', names[1])}: a cue before it, or a lower `default`"

    def _changes_of_numbers(self) -> Iterator[str]:
        """Yield tested changes by which a word beside an unused number tells what it is a number of."""
        entities = self.asked.entities if self.asked else ()
        for at, node in enumerate(self.nodes):
            if node.values and node.item.words in self._unused():
                for change in changes_beside(self.model, self.nodes, at, entities):
                    readings = self.engine.with_model(change.model).ask(self.text, self._context).readings
                    if readings and node.item.words not in readings[0].unused:
                        where = self.place(*change.key)
                        yield f"   “{change.phrase}” in {where}: {readings[0].paraphrase}  [{readings[0].confidence:.2f}]"

    def _unused(self) -> Sequence[str]:
        return self.answered.readings[0].unused if self.answered.readings else self.answered.unused

    def _unused_phrases(self) -> list[str]:
        """Return the unused phrases, with adjacent words joined."""
        unused = self._unused()
        nodes = [node.item.words if node.has("unknown") and node.item.words in unused else "" for node in self.nodes]
        phrases = " ".join(words or "|" for words in nodes).split("|")
        return [found for found in dict.fromkeys(part.strip() for part in phrases) if found]


_NO_LINE = "no word of it: say it in other words, or keep its SQL in requests.jsonl, which answers the same words"
_PARTS = {"entity": "entity", "asked": "attribute", "cue": "attribute", "trailing": "attribute", "flag": "flag",
          "superlative": "superlative", "swap": "swap"}  # fmt: skip


def _equalities(sql: str, engine: Engine) -> Iterator[tuple[str, str]]:
    """Yield the pairs of columns that a statement equates or tests for membership, by table name."""
    tree = sqlglot.parse_one(sql, read=engine.dialect_name)
    aliases = {table.alias_or_name: table.name for table in tree.find_all(exp.Table)}

    def name(column: exp.Expression) -> str:
        return f"{aliases.get(column.text('table'), column.text('table'))}.{column.name}"

    for equal in tree.find_all(exp.EQ):
        if isinstance(equal.this, exp.Column) and isinstance(equal.expression, exp.Column):
            yield name(equal.this), name(equal.expression)
    for among in tree.find_all(exp.In):
        query = among.args.get("query")
        inner = query.unnest().expressions[0].unalias() if query else None
        if (
            isinstance(among.this, exp.Column)
            and isinstance(inner, exp.Column)
            and table_of(name(inner)) != table_of(name(among.this))
        ):
            yield name(among.this), name(inner)
