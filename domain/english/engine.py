"""The English-to-SQL engine: takes a request, returns readings with SQL, a paraphrase and a confidence.

An engine is built once from a domain folder and its database and does not change afterwards. `ask` reads no clock, file or
database, so it is thread-safe and deterministic.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from datetime import date
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Engine as Database
from sqlalchemy import Select

from domain.database.connect import reach
from domain.english.answer_forms import other_form
from domain.english.clarifying import cite_principles, find_clarification
from domain.english.confidence.calibration import calibrate, calibrate_withheld, load_calibration
from domain.english.dialogue.between_requests import without_sets
from domain.english.dialogue.dates_before import complete_year
from domain.english.dialogue.denied_words import Sorts, put_denied_right, say_what_stays
from domain.english.dialogue.earlier import Earlier
from domain.english.dialogue.lost_turns import depends_on_lost, lacks_known_rows
from domain.english.dialogue.neighbours import replace_neighbour_day
from domain.english.dialogue.new_requests import understood_in_part
from domain.english.dialogue.openings import Opening, is_remark, only_states, read_opening, split_request
from domain.english.dialogue.places_before import replace_place
from domain.english.dialogue.plain_words import PlainWords
from domain.english.dialogue.pronouns import person_meant, replace_noun, replace_pronouns
from domain.english.dialogue.references import (
    EarlierTurn,
    read_as_end_of_all,
    rows_by_hand,
    split_turns,
)
from domain.english.dialogue.replacing import attributes_to_vary
from domain.english.dialogue.route_ends import RouteEnds, read_stations
from domain.english.dialogue.whole_changes import Changes
from domain.english.dialogue.widening import attributes_by_noun
from domain.english.model.absences import with_absences
from domain.english.model.apply_principles import apply_principles
from domain.english.model.date_forms import note_date_forms
from domain.english.model.domain import DomainError, DomainModel, load_domain, tied
from domain.english.model.genders import read_genders
from domain.english.model.hour_ranks import ranked_by_hour
from domain.english.model.meaning import AnswerRows, Meaning
from domain.english.model.open_times import left_open, other_halves, settled, settled_within
from domain.english.model.reflection import read_tables
from domain.english.model.value_index import Named, index_values, phrase
from domain.english.paraphrase import conditions_said, paraphrase
from domain.english.parse.alternative_attachments import alternative_attachment, literal_name
from domain.english.parse.parser import Parsed
from domain.english.parse.request import parse
from domain.english.parse.tagger import Item, Lexicon, cover
from domain.english.persons.referents import Referents, refers_to_person
from domain.english.persons.superiors import Superiors
from domain.english.reading import Answered, Reading
from domain.english.referring.freed import Freed
from domain.english.referring.lists_meant import WHICH_TWO, lacks_two
from domain.english.referring.other_things import OtherThingsReader
from domain.english.referring.row_references import RowReferences
from domain.english.sql.join_planner import JoinPlanner
from domain.english.sql.statement import Renderer
from domain.english.text.times import Today
from domain.english.text.tokens import read_words, words_of
from domain.english.withholding.alternatives import alternative_meanings, by_share, without_fragments
from domain.english.withholding.doubts import DOUBTED, loses_first_half, only_unsure, withhold_doubtful
from domain.english.withholding.scopes import other_scopes

_LOOK_BACK, _KEPT = 12, 100
_SCOPE = 0.2
_IN_CONTEXT = 0.4  # a follow-up gains confidence from its context: "and back" means nothing alone
_UNKNOWN = "it refers to an answer to SQL, of which only the rows are known"
_HALF = "the first half of what was said is lost"
_LOST = "it refers to a request that was not understood"


class Engine:
    """Translates English to SQL for one database, as described by its domain folder."""

    def __init__(
        self, domain_folder: Path, database_url: str | Database, today: date | None = None, principles: str = ""
    ) -> None:
        """`principles` names the conventions to apply, by default those of `domain.toml`. Raises DomainError when the folder
        does not fit the database, DatabaseError when the URL leads to none, SQLAlchemyError when it cannot be read."""
        model: DomainModel = load_domain(domain_folder)
        self.model, self.conventions = apply_principles(model, domain_folder, principles or model.domain.principles)
        database = reach(database_url) if isinstance(database_url, str) else database_url
        try:
            self.schema = read_tables(database)
            with database.connect() as link:
                self.model = with_absences(self.model, self.schema, link)
                note_date_forms(self.model, self.schema, link)
                self.names = index_values(self.model, self.schema, link)
                self._stations = read_stations(self.model, self.schema, link)
                self._genders = read_genders(self.model, self.schema, link)
        finally:
            if isinstance(database_url, str):
                database.dispose()
        # The dialect's own parameter style would double percent signs; "named" keeps the SQL readable and usable with any driver.
        dialect: Any = type(database.dialect)
        self._dialect = dialect(paramstyle="named")
        about = self.model.domain
        self._day = today or (date.fromisoformat(about.today) if about.today else date.today())  # noqa: DTZ011
        fixed = {word: date.fromisoformat(d) for word, d in self.conventions.dates.items()} if not today else {}
        self.today = Today(self._day, about.year or self._day.year, fixed)
        self.dialect_name = database.dialect.name
        self.calibration = load_calibration(domain_folder)
        self._derive()

    def _derive(self) -> None:
        """Build everything that is derived from the model."""
        self.lexicon = Lexicon(self.model, self.names)
        self._nouns = attributes_by_noun(self.model)
        self._sorts = Sorts(self.model, self.items)
        self._changes = Changes(self.model, self._nouns, self.items, Freed(self.model, self._nouns, self.items).free)
        self._superiors = Superiors(self.model, self.items)
        self._plain = PlainWords(self.model, self.items, self._superiors.plainer)
        self._people = Referents(self.model, self.items, self._genders)
        self._kept_items = lru_cache(_KEPT)(lambda text: cover(self.lexicon, read_words(text), self.today))
        self._kept_parses = lru_cache(_KEPT)(lambda text, before: parse(self.model, self.items(text), before))
        self._kept_meanings = lru_cache(_KEPT)(self._read_turns)
        ends = RouteEnds(self.model, self._stations)
        self._follow_ups = OtherThingsReader(self.model, self._changes, self._parsed, ends)
        self._planner = JoinPlanner(self.model, self.schema)
        self._rows = RowReferences(self.model, self._parsed, self._meanings, self._planner.distance)
        self._renderer = Renderer(self.model, self.schema, self._planner, self.conventions, self._day)

    def with_model(self, model: DomainModel) -> Engine:
        """Return an engine for a changed domain over the same database; synonyms under `also` may be new."""
        other = copy(self)
        other.model = model
        other.names = dict(self.names)
        for kind, about in model.kind.items():
            for text, value in about.also.items():
                here = other.names.get(phrase(text), ())
                if Named(kind, value) not in here:
                    other.names[phrase(text)] = (*here, Named(kind, value))
        other._derive()
        return other

    def ask(self, text: str, context: Sequence[str | EarlierTurn] = ()) -> Answered:
        """Return the readings of a request; `context` holds the earlier ones, oldest first, with the answers shown if known."""
        answered = self._answer(text, context)
        if not answered.readings and context and refers_to_person(text):
            named = self._answer(text, context, always_named=True)
            answered = named if named.readings else answered
        if answered.readings and lacks_two(text, [turn for turn in context if isinstance(turn, EarlierTurn)]):
            doubtful = tuple(msgspec.structs.replace(r, doubt=WHICH_TWO) for r in answered.readings)
            return Answered(unused=("the two",), reason=DOUBTED, withheld=doubtful)
        return answered.with_unused(self._plain.set_aside(text))

    def _answer(self, text: str, context: Sequence[str | EarlierTurn], always_named: bool = False) -> Answered:
        """Return the readings of a request; a person referred to is `always_named`, even where a selected row could be meant."""
        *first, text = split_request(self._plain.of(text))
        turns = [self._plain.of_turn(turn if isinstance(turn, EarlierTurn) else EarlierTurn(turn)) for turn in context]
        told = split_turns([*turns, *map(EarlierTurn, first), EarlierTurn(text)])
        *turns, said = self._put_right(told)
        restated, text = said.text != text, said.text
        turns = [turn for turn in turns if turn.by_hand or not is_remark(turn.text)][-_LOOK_BACK:]
        if is_remark(text):
            return Answered()
        opening = read_opening(text, bool(turns))
        turns = [] if opening.afresh else turns
        opening = msgspec.structs.replace(opening, text=opening.text or text)
        text = opening.text
        earlier = (before := self._before(text, turns)).meanings
        if turns and (pointed := self._rows.read(opening, turns, before.latest)):
            return self._answer_rows(text, *pointed, turns)
        text = (opening := self._named(opening, before, turns, always_named)).text
        parsed = self._parsed(text)
        if parsed is None or parsed.refused:
            return Answered(unused=parsed.unused if parsed else ())
        if depends_on_lost(self.model, self._changes, parsed, opening, before):
            return self._withheld(Answered(unused=parsed.unused, reason=_LOST), opening, parsed, Earlier())
        if earlier and lacks_known_rows(self.model, parsed, opening, earlier[-1]):
            return self._withheld(Answered(unused=parsed.unused, reason=_UNKNOWN), opening, parsed, Earlier())
        varied = attributes_to_vary(words_of(read_words(text)), self._nouns)
        if varied and not (earlier and self._changes.apply(text, earlier)):
            return Answered(unused=("another",))
        if parsed.swap and not turns:  # "and back" without an earlier request to reverse
            unused, surety = (*parsed.unused, parsed.swap.replace("_", " ")), parsed.confidence - _IN_CONTEXT
            parsed = msgspec.structs.replace(parsed, unused=unused, confidence=round(max(0.0, surety), 2))
        likeliest = self._likeliest(opening, parsed, before, self.model.domain.threshold)
        readings, withheld = self._weighed(text, parsed, likeliest, turns)
        if readings and loses_first_half(first, parsed, readings[0]):
            readings, withheld = (), only_unsure(_HALF, readings)
            withheld = calibrate_withheld(self.calibration, withheld, taken=False)
        if restated:
            latest = self._meanings(self._put_right(told[:-1])).latest
            readings = say_what_stays(self.model, readings, latest)
        if readings:
            asks = find_clarification(self.model, readings[0].meaning)
            return Answered(readings, asks, readings[0].unused, withheld=withheld)
        if not tied(self.model, entities := parsed.meaning.entities):
            which = " or ".join(self.model.entity[name].many or name for name in entities)
            return Answered((), f"Do you want to know about {which}?", parsed.unused)
        # A request that names neither a thing nor a condition has left nothing specific open.
        named = not parsed.headless or parsed.meaning.conditions or parsed.meaning.flags
        asks = find_clarification(self.model, parsed.meaning) if named else None
        answered = Answered((), asks, parsed.unused, DOUBTED if likeliest else "", withheld)
        return answered if likeliest else self._withheld(answered, opening, parsed, before)

    def statement(self, meaning: Meaning) -> str:
        """Return the SQL statement of a meaning; raises DomainError when there is none."""
        whole = settled(settled_within(meaning, self.conventions), self.conventions)[0]
        return self._sql(self._renderer.render(whole)[0])

    def items(self, text: str) -> tuple[Item, ...]:
        """Return the items of a request with all their possible senses, before disambiguation."""
        return self._kept_items(text)

    def _parsed(self, text: str, before: Meaning | None = None) -> Parsed | None:
        if (parsed := self._kept_parses(text, before)) and parsed.headless and only_states(text):
            return msgspec.structs.replace(parsed, confidence=0.0)
        return parsed

    def _put_right(self, turns: Sequence[EarlierTurn]) -> list[EarlierTurn]:
        return put_denied_right(turns, self._sorts, lambda told: self._meanings(told).latest)

    def _meanings(self, turns: Sequence[EarlierTurn]) -> Earlier:
        """Return the meanings of the earlier requests, each read in the context of those before it; recent ones are cached."""
        return self._kept_meanings(tuple(turns))

    def _before(self, text: str, turns: Sequence[EarlierTurn]) -> Earlier:
        """Return the meanings of the earlier requests, the list of which "which of them" asks as the latest."""
        before, at = self._meanings(turns), self._rows.lists.several(text, turns)
        return before if at == len(turns) else before.followed_by(self._meanings(turns[:at]).latest)

    def _read_turns(self, turns: tuple[EarlierTurn, ...]) -> Earlier:
        if not turns:
            return Earlier()
        *earlier, turn = turns
        so_far = self._before(turn.text, earlier)
        opening = read_opening(turn.text, bool(so_far.meanings) or so_far.lost)
        so_far = Earlier() if opening.afresh else so_far
        if opening.afresh and not opening.text:
            return so_far
        meant = self._meant(turn, opening, earlier, so_far)
        partial = None if meant else understood_in_part(self.model, self._parsed(opening.text))
        return so_far.in_part(partial) if partial else so_far.after(opening.text, meant)

    def _meant(
        self, turn: EarlierTurn, opening: Opening, before: Sequence[EarlierTurn], so_far: Earlier
    ) -> Meaning | None:
        earlier, latest = so_far.meanings, so_far.latest
        if turn.meaning is not None:
            return turn.meaning
        if turn.by_hand:
            rows = rows_by_hand(self.model, turn)
            return Meaning((rows.entity or self.model.domain.entity,), rows=rows)
        if earlier and (pointed := self._rows.read(opening, before, latest)):
            unknown = AnswerRows(earlier[-1].entities[0], (), "", by_hand=True)
            known = pointed[0].meaning.rows or pointed[0].meaning.inside
            return pointed[0].meaning if known else Meaning(earlier[-1].entities, rows=unknown)
        opening = self._named(opening, so_far, before)
        parsed = self._parsed(opening.text)
        if parsed is None or depends_on_lost(self.model, self._changes, parsed, opening, so_far):
            return None
        if earlier and lacks_known_rows(self.model, parsed, opening, earlier[-1]):
            return earlier[-1]
        parsed, merged = self._follow_ups.read_in_context(opening, parsed, so_far.meanings_for(opening))
        if merged and parsed.unused:
            return None
        if merged and parsed.confidence + _IN_CONTEXT >= self.model.domain.threshold:
            return merged[0]
        return parsed.meaning if parsed.confidence >= self.model.domain.threshold else None

    def _named(
        self, opening: Opening, before: Earlier, turns: Sequence[EarlierTurn], always_named: bool = False
    ) -> Opening:
        """Return the opening with pronouns and other references replaced by what they refer to."""
        opening = msgspec.structs.replace(opening, text=self._people.in_full(opening.text, turns))
        text, name = self._people.resolve(opening.text, turns)
        asks_selected = self._follow_ups.asks_selected
        if name and not always_named and asks_selected(opening, before.latest, before.meanings_for(opening)):
            return opening
        if not name:
            name = person_meant(self.model, before.latest, turns[-1]) if before.latest and not before.lost else ""
            text = replace_pronouns(opening.text, name) if name else opening.text
        text = self._superiors.named(text)
        if text != opening.text:
            return msgspec.structs.replace(opening, text=text, named=name)
        if before.latest and not before.lost:
            text = replace_neighbour_day(read_as_end_of_all(text, before.latest), before.latest)
            text = complete_year(self.model, text, before.latest)
            text = self._plain.of_those(text, before.latest)
            text = replace_place(self.model, text, turns[-1], before.latest)
            text = replace_noun(self.model, self._nouns, text, before.latest)
        return opening if text == opening.text else msgspec.structs.replace(opening, text=text)

    def _answer_rows(self, text: str, parsed: Parsed, words: str, turns: list[EarlierTurn]) -> Answered:
        rows, within = parsed.meaning.rows, parsed.meaning.inside
        if rows is None and within is None:
            return Answered(unused=parsed.unused, reason=f"the row meant by “{words}” is unknown")
        if parsed.confidence < self.model.domain.threshold:
            return Answered(unused=parsed.unused)
        said = rows.say if rows else conditions_said(self.model, within or parsed.meaning)
        found = [*self._read(text, parsed, parsed.meaning, parsed.confidence, said)]
        for other, there in self._rows.in_other_lists(text, turns, rows) if rows else ():
            one = islice(self._read(text, other, other.meaning, _SCOPE, there.say), 1)
            found += (msgspec.structs.replace(reading, apart="scope") for reading in one)
        readings, withheld = self._weighed(text, parsed, found, turns)
        return Answered(readings, unused=parsed.unused, withheld=withheld)

    def _weighed(
        self, text: str, parsed: Parsed, found: Sequence[Reading], turns: list[EarlierTurn]
    ) -> tuple[tuple[Reading, ...], tuple[Reading, ...]]:
        """Return the readings that may be taken, and those withheld, each with its confidence."""
        readings, withheld = withhold_doubtful(self.model, text, parsed, found, self._meanings(turns).latest)
        readings = without_fragments(parsed, text, readings)
        withheld = calibrate_withheld(self.calibration, withheld, bool(readings))
        if readings and readings[0].unused != parsed.unused:
            # read as a change to an earlier request, so every word was used
            parsed = msgspec.structs.replace(parsed, unused=readings[0].unused, nodes=(), weighed=())
        words = [t.text for t in read_words(text)]
        return calibrate(self.calibration, self.model, parsed, words, readings, len(turns)), withheld

    def _withheld(self, answered: Answered, opening: Opening, parsed: Parsed, before: Earlier) -> Answered:
        """Return the answer with readings that are too unsure to be taken, where the request says what it is about."""
        if parsed.headless and not (parsed.meaning.conditions or parsed.meaning.flags or parsed.meaning.extremes):
            return answered
        found = only_unsure(answered.reason, self._likeliest(opening, parsed, before, 0.0))
        return msgspec.structs.replace(answered, withheld=calibrate_withheld(self.calibration, found, taken=False))

    def _likeliest(self, opening: Opening, parsed: Parsed, before: Earlier, least: float) -> list[Reading]:
        """Return the different readings of a request, of parses at least so sure, the likeliest first."""
        found: dict[str, Reading] = {}
        for reading in self._readings(opening, parsed, before, least):
            found.setdefault(reading.sql, reading)
        return by_share(sorted(found.values(), key=lambda reading: -reading.confidence))

    def _readings(self, opening: Opening, parsed: Parsed, before: Earlier, least: float) -> Iterator[Reading]:
        alone, text, earlier = parsed, opening.text, before.meanings_for(opening)
        parsed, merged = self._follow_ups.read_in_context(opening, parsed, earlier)
        if parsed.refused:
            return
        surer = 0.0 if parsed.unused else _IN_CONTEXT
        if merged and parsed.confidence + surer >= least:
            confidence = 0.9 if parsed.swap else parsed.confidence if parsed.headless else parsed.confidence - 0.1
            told = conditions_said(self.model, settled(without_sets(merged[1]), self.conventions)[0]) or opening.named
            told += f"; “{before.aside or before.doubt}” was not understood" if before.aside or before.doubt else ""
            yield from self._read(text, parsed, merged[0], max(0.0, confidence), told)
            for apart, other in alternative_meanings(self.model, parsed, merged[0], earlier[-1]):
                for reading in self._read(text, parsed, other, max(0.0, confidence - 0.2), told):
                    yield msgspec.structs.replace(reading, apart=apart)
        lifts = merged is not None and merged[0] is merged[1]
        if alone.confidence >= least and not lifts and not (merged and alone.swap):
            confidence = alone.confidence - (0.3 if merged else 0.0)
            for reading in self._read(text, alone, alone.meaning, confidence, opening.named):
                yield msgspec.structs.replace(reading, apart="alone") if merged else reading
        for other, taken in other_scopes(self.model, parsed, alone, merged[0] if merged else None, earlier, opening):
            told = conditions_said(self.model, settled(without_sets(taken), self.conventions)[0])
            found = islice(self._read(text, parsed, other, _SCOPE, told), 1)
            yield from (msgspec.structs.replace(reading, apart="scope") for reading in found)

    def _read(self, text: str, parsed: Parsed, meaning: Meaning, confidence: float, taken: str) -> Iterator[Reading]:
        if not tied(self.model, meaning.entities):
            return
        meaning = settled_within(ranked_by_hour(self.model, meaning), self.conventions)
        ways = settled(meaning, self.conventions)
        undecided = left_open(meaning)[0].say if len(ways) > 1 else ""
        for rank, one in enumerate((*ways, *other_halves(meaning, self.conventions))):
            half = "half" if rank else ""
            for reading in self._forms(text, parsed, one, confidence - 0.1 * rank, taken):
                yield msgspec.structs.replace(reading, undecided=undecided, apart=reading.apart or half)
        if other := alternative_attachment(self.model, parsed, meaning) or literal_name(self.model, meaning, text):
            found = self._forms(text, parsed, settled(other, self.conventions)[0], confidence - 0.25, taken)
            yield from (msgspec.structs.replace(reading, apart=reading.apart or "attribute") for reading in found)

    def _forms(self, text: str, parsed: Parsed, meaning: Meaning, confidence: float, taken: str) -> Iterator[Reading]:
        """Yield the readings of one settled meaning: the rows, their number, or whether any exist."""
        try:
            statement, minimal = self._renderer.render(meaning)
        except DomainError:
            return
        said = paraphrase(self.model, meaning)
        said = f"(from before: {taken}) {said}" if taken else said
        ways = [(said, statement, minimal)]
        if meaning.pick:
            all_of_them = msgspec.structs.replace(meaning, pick="")
            table = (paraphrase(self.model, all_of_them), *self._renderer.render(all_of_them))
            ways.insert(0 if self.conventions.counted_most == "table" else 1, table)
        if other := other_form(self._renderer, text, parsed, meaning, statement):
            first = self.conventions.yes_no != "table" if other[1] == ("answer",) else self.conventions.noun_question
            ways.insert(0 if first not in {False, "table"} else 1, (f"{other[2]} {said}", other[0], other[1]))
        obeyed = cite_principles(self.conventions, meaning)
        for way, (shown, sql, columns) in enumerate(ways):
            lower = round(max(0.0, confidence - 0.3 * way), 2)
            apart = "form" if way else ""
            yield Reading(self._sql(sql), shown, lower, parsed.unused, columns, obeyed, meaning, taken, apart=apart)

    def _sql(self, statement: Select[Any]) -> str:
        return str(statement.compile(dialect=self._dialect, compile_kwargs={"literal_binds": True}))
