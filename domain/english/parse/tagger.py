"""From words to items: the cheapest cover of a request by known phrases.

The candidates are all phrases of the lexicon, the value index, and the readers of numbers and times that occur in the
request. The cover with the fewest items and the fewest unknown words wins. An item keeps every sense of its words; the
parser chooses one by context.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Value
from domain.english.model.value_index import Named, Phrase, near, phrase
from domain.english.text import function_words as english
from domain.english.text.abbreviations import abbreviate, find_abbreviations
from domain.english.text.amounts import read_amount
from domain.english.text.calendar_phrases import read_calendar_phrase, read_day_of_month, read_weekday_near
from domain.english.text.everyday_life import EVERYDAY
from domain.english.text.numbers import NUMBER_WORDS, ORDINAL_WORDS, digits, ordinal, quantity
from domain.english.text.spans import Span, read_span
from domain.english.text.times import (
    DECADES,
    MONTHS,
    WEEKDAYS,
    Day,
    Today,
    clock_words,
    month_words,
    read_clock,
    read_date,
    read_month,
    read_month_of_year,
    read_short_year,
    read_tens,
    read_weekday,
)
from domain.english.text.tokens import Token


class Sense(msgspec.Struct, frozen=True):
    """One thing that an item can be; `name` identifies the entity, attribute, flag or operator.

    `what` is one of entity, asked, cue, trailing, flag, superlative, value, compare, after, not, moot, and, or, ask,
    count, extreme, aggregate, fill, refuse or unknown.
    """

    what: str
    name: str = ""
    value: Value | None = None


class Item(msgspec.Struct, frozen=True):
    """An item of the request: the words [start, end) and all their senses."""

    start: int
    end: int
    senses: tuple[Sense, ...]
    words: str

    def all(self, what: str) -> tuple[Sense, ...]:
        return tuple(s for s in self.senses if s.what == what)

    def has(self, what: str) -> bool:
        for sense in self.senses:  # noqa: SIM110 - half the time of any(), and asked a thousand times a request
            if sense.what == what:
                return True
        return False

    def name(self, what: str) -> str:
        return next((s.name for s in self.senses if s.what == what), "")


_LONGEST_SPELT, _SHORT = 6, 4
UNKNOWN = Sense("unknown")
_NO_MISSPELLING = EVERYDAY  # "bother" is no "brother"
_PARTS = frozenset(["morning", "afternoon", "evening"])
_MEASURED = frozenset(["under", "over", "than", "above", "below", "around", "about", "roughly", "most", "least"])
_DOLLARS = frozenset(["dollars", "dollar", "bucks"])
_COINS = _DOLLARS | {"pounds", "pound", "quid", "euros", "euro", "francs", "crowns", "kroner", "yen", "rupees"}
_PAID = frozenset(
    ["charge", "charges", "charging", "cost", "costs", "costing", "earn", "earns", "earning", "pays", "paying"]
)
_BEFORE_A_YEAR = frozenset(["in", "since", "before", "after", "until", "till", "during", "from"])
_OR_MORE = (["or", "more"], ["or", "less"])
_COST = {
    "unknown": 4.0,
    "fill": 1.02,
    "value": 0.95,
    "flag": 0.94,
    "moot": 0.93,
    "superlative": 0.95,
    "ask": 1.01,
    "wish": 1.01,
}


class Lexicon:
    """All phrases with their senses, indexed by first word; immutable once built."""

    def __init__(self, model: DomainModel, values: Mapping[Phrase, Sequence[Named]]) -> None:
        self._by_first: dict[str, dict[Phrase, list[Sense]]] = {}
        self._lengths: dict[str, tuple[int, ...]] = {}
        self.vocabulary: dict[str, None] = {}
        self._by_letter: dict[str, dict[str, None]] = {}
        self._model = model
        self.has_weekdays = any("weekday" in attribute.accepts for attribute in model.attribute.values())
        self.units = {name: unit.words for name, unit in model.unit.items()}
        self._shared()
        shared, self.vocabulary = self.vocabulary, {}
        self._domain(model)
        self.abbreviations = find_abbreviations(w for w in self.vocabulary if w not in shared)
        """Words of the domain that a request is likely to have in full."""
        for words, named in values.items():
            for entry in named:
                own = model.kind[entry.kind].own and not words[0].isdigit()
                shown = str(entry.value) if own else " ".join(words).title()
                self._add(words, Sense("value", entry.kind, Value(entry.kind, (entry.value,), say=shown)))
        counted = (*NUMBER_WORDS, *ORDINAL_WORDS, *WEEKDAYS, *MONTHS)
        self.domain_words = frozenset((*self.vocabulary, *counted))
        """The domain's own vocabulary, without the words shared by all domains for asking, politeness and the like."""
        self.vocabulary = shared | self.vocabulary
        for word in self.vocabulary:
            if not self._only_fills(word):
                self._by_letter.setdefault(word[0], {})[word] = None

    def nearest(self, word: str) -> str | None:
        """Return the known word that `word` most likely misspells, or None."""
        return near(word, self._by_letter.get(word[0], {}))

    def _only_fills(self, word: str) -> bool:
        """Return whether a word is only ever a filler. Correcting to such a word would hide what was not understood."""
        alone = self._by_first.get(word, {})
        return set(alone) == {(word,)} and {s.what for s in alone[(word,)]} == {"fill"}

    def _add(self, words: Phrase, sense: Sense) -> None:
        if not words:
            return
        entry = self._by_first.setdefault(words[0], {}).setdefault(words, [])
        if sense not in entry:
            entry.append(sense)
        lengths = self._lengths.get(words[0], ())
        self._lengths[words[0]] = lengths if len(words) in lengths else (*lengths, len(words))
        self.vocabulary.update(dict.fromkeys(words))

    def _group(self, group: str | Sequence[str], sense: Sense) -> None:
        for text in english.phrases(group) if isinstance(group, str) else group:
            self._add(phrase(text), sense)

    def _shared(self) -> None:
        numbers = (*NUMBER_WORDS, *WEEKDAYS, *MONTHS, *ORDINAL_WORDS, "am", "pm", "oclock", "noon", "midnight")
        self.vocabulary.update(dict.fromkeys(numbers))
        self.vocabulary.update(dict.fromkeys(f"{day}s" for day in WEEKDAYS))
        self._group(english.FILLERS, Sense("fill"))
        self._group(english.WISHING, Sense("wish"))
        wishes = set(english.phrases(english.WISHING))
        self._group([p for p in english.phrases(english.ASKING) if p not in wishes], Sense("ask"))
        self._group(english.COUNTING, Sense("count"))
        self._group(english.NEGATING, Sense("not"))
        self._group(english.MOOT, Sense("moot"))
        self._group(english.ALSO, Sense("and"))
        self._group(english.EITHER, Sense("or"))
        self._group(english.RESTARTING, Sense("restart"))
        self._group(english.REFERRING, Sense("refer"))
        self._group(english.CONTINUING, Sense("continue"))
        self._group(english.RETURNING, Sense("return"))
        self._group(english.REFERRING, Sense("fill"))
        self._group(english.RETURNING, Sense("fill"))
        joins = set(english.phrases(english.ALSO)) | set(english.phrases(english.EITHER))
        self._group([p for p in english.phrases(english.CONTINUING) if p not in joins], Sense("fill"))
        self._group("both|both of them", Sense("both"))
        self._group(english.EXPLAINING, Sense("explain"))
        for what, groups in (
            ("compare", english.COMPARING),
            ("after", english.TRAILING),
            ("extreme", english.EXTREMES),
            ("aggregate", english.AGGREGATES),
        ):
            for name, group in groups.items():
                self._group(group, Sense(what, name))

    def _domain(self, model: DomainModel) -> None:
        for name, entity in model.entity.items():
            self._group(entity.words, Sense("entity", name))
            self._group(entity.hints, Sense("hint", name))
            self._group(entity.verbs, Sense("verb", name))
        for name, attribute in model.attribute.items():
            self._group(attribute.words, Sense("asked", name))
            self._group((*attribute.cues, *english.with_article(attribute.cues)), Sense("cue", name))
            self._group(attribute.trailing, Sense("trailing", name))
        for name, flag in model.flag.items():
            self._group(flag.words, Sense("flag", name))
        for name, swap in model.swap.items():
            self._group(swap.words, Sense("swap", name))
            self._group(swap.words, Sense("fill"))
        for name, superlative in model.superlative.items():
            self._group(superlative.words, Sense("superlative", name))
        for name, period in model.period.items():
            value = Value("clock", (period.begin, period.end), "period", name.replace("_", " "))
            self._group(period.words, Sense("value", "clock", value))
        for unit in model.unit.values():
            self.vocabulary.update(dict.fromkeys(word for words in unit.words for word in words.split()))
        self._group(model.fillers, Sense("fill"))
        self._group(model.refuse, Sense("refuse"))

    def starting(self, words: Sequence[str], at: int) -> Iterator[tuple[int, Sense]]:
        """Yield (end, sense) for every phrase that begins at this word."""
        phrases = self._by_first.get(words[at], {})
        for length in self._lengths.get(words[at], ()):
            end = at + length
            for sense in phrases.get(tuple(words[at:end]), ()) if end <= len(words) else ():
                yield end, sense


def cover(lexicon: Lexicon, tokens: Sequence[Token], today: Today) -> tuple[Item, ...]:
    """Return the items of the request, in order."""
    words = [_known(lexicon, t.text) for t in tokens]
    best: list[tuple[float, Item | None]] = [(0.0, None), *((1e9, None) for _ in words)]
    for at in range(len(words)):
        so_far = best[at][0]
        for item in _items(lexicon, words, at, today):
            cost = so_far + min(_COST.get(s.what, 1.0) for s in item.senses) - 0.002 * (item.end - item.start)
            if cost < best[item.end][0]:
                best[item.end] = (cost, item)
    done: list[Item] = []
    at = len(words)
    while at > 0:
        item_ = best[at][1]
        if item_ is None:
            break
        done.append(item_)
        at = item_.start
    return tuple(part for item in reversed(done) for part in _parted(item))


def _parted(item: Item) -> Iterator[Item]:
    """Yield the item, with "tonight" split into a day and a part of the day."""
    days = item.words == "tonight" and [s for s in item.senses if s.name == "date"]
    parts = [s for s in item.senses if s.value and s.value.op == "period"] if days else []
    for senses in (tuple(days), tuple(parts)) if days and parts else (item.senses,):
        yield msgspec.structs.replace(item, senses=senses)


def _items(lexicon: Lexicon, words: Sequence[str], at: int, today: Today) -> Iterator[Item]:
    found: dict[int, list[Sense]] = {}
    for end, sense in lexicon.starting(words, at):
        found.setdefault(end, []).append(sense)
    for end, sense in _spelt(lexicon, words, at):
        found.setdefault(end, []).append(sense)
    for end, sense in _measured(lexicon, words, at):
        found.setdefault(end, []).append(sense)
    for end, sense in _weekdays_as_dates(lexicon, [*words], at, today):
        found.setdefault(end, []).append(sense)
    for end, sense in _numeric(words, at, today):
        found.setdefault(end, []).append(sense)
        if sense.name == "digits" and sense.value:  # a name made of digits, spoken as words: "seven fifty seven"
            found[end] += (s for _, s in lexicon.starting([str(sense.value.data[0])], 0) if s.what == "value")
    place = next((n for n in range(at + 1, min(at + 6, len(words))) if words[n] == "one"), 0)
    if place and any(end > place + 1 for end, _ in lexicon.starting(words, place)):
        for end, sense in _numeric(words[:place], at, today):  # "four hundred, one stop" is not 401
            found.setdefault(end, []).append(sense)
    if at + 1 not in found:
        found[at + 1] = [UNKNOWN]
    for end, senses in found.items():
        yield Item(at, end, tuple(dict.fromkeys(senses)), " ".join(words[at:end]))


def _spelt(lexicon: Lexicon, words: Sequence[str], at: int) -> Iterator[tuple[int, Sense]]:
    """Yield codes and names that are spelt out: "d l", "q x", "d c 10"."""
    end = at
    while end < min(at + _LONGEST_SPELT, len(words)) and (
        len(words[end]) == 1 or (end > at and words[end].isdigit()) or (end == at and len(words[end]) < _SHORT)
    ):
        end += 1
        if words[at].isalpha():
            joined = "".join(words[at:end])
            for _, sense in lexicon.starting([joined], 0):
                if sense.what == "value":
                    yield end, sense
            if end < len(words) and not words[end].isdigit() and (number := digits(words, end)):
                for code in ((joined, str(number[0])), (f"{joined}{number[0]}",)):
                    for length, sense in lexicon.starting(code, 0):
                        if sense.what == "value" and length == len(code):
                            yield number[1], sense  # "a p twenty one"


def _measured(lexicon: Lexicon, words: Sequence[str], at: int) -> Iterator[tuple[int, Sense]]:
    """Yield amounts in the units of the domain; "fourteen hundred hours" is a time of day."""
    clock = read_clock(words, at)
    for kind, units in lexicon.units.items():
        found = read_amount(words, at, units)
        if found and not (clock and clock[1] == found[2]):
            amount, unit, end = found
            shown = " ".join(words[at:end])
            yield end, Sense("value", kind, Value(kind, (amount,), say=shown, unit=unit))


def _weekdays_as_dates(lexicon: Lexicon, words: list[str], at: int, today: Today) -> Iterator[tuple[int, Sense]]:
    """Yield the date of a weekday where no column of the domain holds weekdays."""
    if lexicon.has_weekdays:
        return
    spans = read_day_of_month(words, at, today), read_weekday_near(words, at, today.day)
    for span in filter(None, spans):
        yield from _stretching(span, " ".join(words[at : span.end]))


def _numeric(words: Sequence[str], at: int, today: Today) -> Iterator[tuple[int, Sense]]:
    """Yield numbers, amounts of money, dates and times that begin at this word."""
    yield from _days(list(words), at, today)
    yield from _numbers(list(words), at)


def _days(words: list[str], at: int, today: Today) -> Iterator[tuple[int, Sense]]:
    if weekday := read_weekday(words, at):
        yield weekday[1], Sense("value", "weekday", Value("weekday", (weekday[0],), say=weekday[0].capitalize()))
    if day := read_date(words, at, today):
        found, end = day
        yield end, Sense("value", "date", Value("date", (found.year, found.month, found.day), say=found.words))
    if words[at] == "this" and {*words[at + 1 : at + 2]} & _PARTS and (now := read_date(["today"], 0, today)):
        yield at + 1, Sense("value", "date", Value("date", (now[0].year, now[0].month, now[0].day), say=now[0].words))
    if whole := read_month_of_year(words, at):
        first, last, end = whole
        span = (first.year, first.month, first.day, last.year, last.month, last.day)
        yield end, Sense("value", "date", Value("date", span, say=f"{words[at].capitalize()} {first.year}"))
    if stretch := read_calendar_phrase(words, at, today) or read_span(words, at, today):
        yield from _stretching(stretch, " ".join(words[at : stretch.end]).removeprefix("of "))
    if month := read_month(words, at):
        yield month[1], Sense("value", "month", Value("month", (month[0], today.year), say=month_words(month[0])))


def _numbers(words: list[str], at: int) -> Iterator[tuple[int, Sense]]:
    money = words[at] == "$"
    if words[at] == "a" and words[at + 1 : at + 2] in (["dollar"], ["buck"]):
        yield at + 2, Sense("value", "money", Value("money", (1,), say="$1"))
    if amount := quantity(words, at + money):
        end = amount[1]
        coin = words[end] if end < len(words) and words[end] in _COINS else ""
        number = int(amount[0]) if amount[0] == int(amount[0]) else amount[0]
        if money or coin:
            shown = f"{number} {coin}" if coin and coin not in _DOLLARS else f"${number}"
            yield end + bool(coin), Sense("value", "money", Value("money", (number,), say=shown))
            return
        yield end, Sense("value", "number", Value("number", (number,), say=str(number)))
        if 1900 <= number < 2100 and number == int(number) and "thousand" in words[at:end]:
            yield end, Sense("value", "year", Value("year", (int(number),), say=str(number)))
    if clock := read_clock(words, at):
        time, end, sure = clock
        kind = "clock" if sure else "maybe clock"
        if (
            not sure
            and (
                (words[max(0, at - 1) : at] and words[at - 1] in _MEASURED | _PAID) or words[end : end + 2] in _OR_MORE
            )
            and words[at] in NUMBER_WORDS
            and end == at + 2
        ):
            number = time.hhmm % 1200 if time.hhmm >= 1300 else time.hhmm
            yield end, Sense("value", "number", Value("number", (number,), say=str(number)))  # "under one fifty"
        yield end, Sense("value", kind, Value(kind, (time.hhmm, int(time.half)), say=clock_words(time.hhmm)))
    if tens := read_tens(words, at):
        years, end = tens
        value = Value("number", (years, years + 9), "between", f"between {years} and {years + 9}")
        yield end, Sense("value", "number", value)
    code = digits(words, at)
    if code and (not amount or code[1] > amount[1] or code[0] != amount[0]):
        yield code[1], Sense("value", "digits", Value("digits", (code[0],), say=str(code[0])))
    if at and words[at - 1] in _BEFORE_A_YEAR and (short := read_short_year(words, at)):
        yield short[1], Sense("value", "year", Value("year", (short[0],), say=str(short[0])))
    if code and 1900 <= code[0] < 2100:
        yield code[1], Sense("value", "year", Value("year", (code[0],), say=str(code[0])))
    if (nth := ordinal(words, at)) and nth[0] <= 31:
        yield nth[1], Sense("value", "ordinal", Value("ordinal", (nth[0],), say=str(nth[0])))


def _stretching(span: Span, said: str) -> Iterator[tuple[int, Sense]]:
    """Yield the year, month or range of dates that a phrase such as "next month" spans."""
    days = tuple(n for day in dict.fromkeys((span.first, span.last)) for n in (day.year, day.month, day.day))
    if span.years:
        plain = span.years[1:] == (span.years[0] + 9,) or str(span.years[0]) in said
        told = "" if plain else f" ({' to '.join(map(str, span.years))})"
        yield span.end, Sense("value", "year", Value("year", span.years, say=said + told))
        return
    if span.first.day == 1 and said.endswith(" month"):
        month = Value("month", (span.first.month, span.first.year), say=f"{month_words(span.first.month)}, {said}")
        yield span.end, Sense("value", "month", month)
    ends = dict.fromkeys(Day(d.year, d.month, d.day).words for d in (span.first, span.last))
    yield span.end, Sense("value", "date", Value("date", days, say=f"{said} ({' to '.join(ends)})"))


def _known(lexicon: Lexicon, word: str) -> str:
    """Return the word if known, else its singular or plural, else the word it most likely misspells."""
    if word in lexicon.vocabulary or word.isdigit() or len(word) < 3 or word in DECADES or word in _NO_MISSPELLING:
        return word
    fewer: tuple[str, ...] = () if word.endswith("ss") else (word.removesuffix("s"), word.removesuffix("es"))
    for other in (*fewer, word + "s"):
        if other in lexicon.vocabulary and len(other) > 2:
            return other
    return abbreviate(word, lexicon.abbreviations) or lexicon.nearest(word) or word
