"""English wording for a schema's abbreviations: names in words, plurals, and superlatives of quantities. These are guesses to
be edited, and `curtain learn` marks them as such."""

from __future__ import annotations

import re

from domain.english.model.path_names import spelt
from domain.learn.everyday_words import ALIKE, ANIMALS, DONE, ENDING, EVENTS, PEOPLE, STARTING, VERBS, WHATS_ON
from domain.learn.names_in_words import in_words

_IRREGULAR = {
    "person": "people", "man": "men", "woman": "women", "child": "children", "staff": "staff", "diagnosis": "diagnoses",
    "analysis": "analyses", "basis": "bases", "crisis": "crises", "thesis": "theses", "hypothesis": "hypotheses",
}  # fmt: skip
# quantities by the column's name: (words in the name, maximum, minimum)
_MEASURES = (
    (("price", "cost", "fare", "fee", "rate", "charge"), "most expensive|dearest|priciest|costliest", "cheapest|least expensive"),
    (("population", "inhabitants"), "most populous|most populated|biggest", "least populous|least populated"),
    (("area", "size", "capacity", "volume", "hectares", "acres", "ha", "sqm", "seats", "beds"), "largest|biggest", "smallest"),
    (("floor", "storey", "level"), "highest|topmost", "lowest"),
    (("height", "elevation", "altitude"), "tallest|highest", "shortest|lowest"),
    (("length", "duration", "minutes", "runtime", "distance", "km", "miles", "pages", "milliseconds", "seconds"),
     "longest", "shortest"),
    (("weight", "mass"), "heaviest", "lightest"),
    (("salary", "wage", "pay", "income"), "best paid|highest paid", "worst paid|lowest paid"),
    (("speed",), "fastest|quickest", "slowest"),
    (("depth",), "deepest", "shallowest"),
    (("rating", "score", "stars", "grade"), "best|best rated|highest rated|top rated", "worst|worst rated|lowest rated"),
    (("hire", "hired", "joined", "since", "started"), "newest|latest|most recent|most recently hired|most recently joined"
     "|most recently",
     "longest serving|here longest|here the longest|been here longest|been here the longest|with us longest|been with us longest"
     "|been with us the longest|worked here longest|worked here the longest|earliest"),
    (("year", "date", "published", "released", "founded", "built", "born", "opened", "hired", "planted", "vintage",
      "bought", "purchased", "registered", "established", "composed", "painted", "laid", "launched"),
     "newest|latest|most recent|youngest", "oldest|earliest"),
    (("age",), "oldest", "youngest"),
)  # fmt: skip
_DIRECTIONS = (
    (
        frozenset(["from", "origin", "source", "departure", "start"]),
        ("from", "out of", "leaving", "leaves", "leave", "left", "departing"),
    ),
    (
        frozenset(["to", "destination", "target", "arrival", "end"]),
        ("to", "into", "towards", "bound for", "arriving", "arrives", "arrive", "reaching"),
    ),
)
# first guesses, reported as such: words, from, to (hhmm)
PERIODS: dict[str, tuple[tuple[str, ...], int, int]] = {
    part: ((part, f"in the {part}"), begin, end)
    for part, begin, end in (("morning", 0, 1200), ("afternoon", 1200, 1800), ("evening", 1800, 2200))
}
# words for units by the last word of a column's name, with their size in the column's unit
_TIME: dict[str, float] = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}
_LENGTH: dict[str, float] = {"millimetre": 1, "centimetre": 10, "metre": 1000, "kilometre": 1_000_000}
_AREA: dict[str, float] = {"square metre": 1, "hectare": 10_000, "square kilometre": 1_000_000}
_POWER: dict[str, float] = {"watt": 1, "kilowatt": 1000, "megawatt": 1_000_000}
_WEIGHT: dict[str, float] = {"gram": 1, "kilo": 1000, "kilogram": 1000, "tonne": 1_000_000}
_UNITS: dict[str, tuple[str, dict[str, float]]] = {
    **dict.fromkeys(("ms", "milliseconds"), ("millisecond", {"millisecond": 0.001, **_TIME})),
    **dict.fromkeys(("s", "sec", "secs", "seconds"), ("second", _TIME)),
    **dict.fromkeys(("min", "mins", "minutes"), ("minute", _TIME)),
    **dict.fromkeys(("h", "hr", "hrs", "hours"), ("hour", _TIME)),
    **dict.fromkeys(("days", "weeks"), ("day", _TIME)), "weeks": ("week", _TIME),
    "mm": ("millimetre", _LENGTH), "cm": ("centimetre", _LENGTH), "m": ("metre", _LENGTH), "metres": ("metre", _LENGTH),
    "meters": ("metre", _LENGTH), "m2": ("square metre", _AREA), "sqm": ("square metre", _AREA),
    "km2": ("square kilometre", _AREA), "ha": ("hectare", _AREA), "w": ("watt", _POWER), "kw": ("kilowatt", _POWER),
    "km": ("kilometre", _LENGTH),
    "t": ("tonne", _WEIGHT), "tonnes": ("tonne", _WEIGHT), "g": ("gram", _WEIGHT), "kg": ("kilogram", _WEIGHT),
}  # fmt: skip
NAMES = ("name", "title", "label", "full_name", "fullname", "display_name")
PLACES = ("in", "from", "at", "of", "by", "with", "called", "named")
FILLERS = (
    "living", "lives", "live", "located", "based", "situated", "working", "works", "work", "worked", "found", "play", "plays",
    "played", "playing", "come", "comes", "belongs", "signed", "appear", "appears", "done", "carried out", "given", "taken",
    "held", "kept", "ever", "on file", "on record", "took place", "take place", "happened", "happen", "gone on", "been on",
    "lie", "lies", "lying", "stand", "stands", "standing", "sit", "sits",
    "deal with", "deals with", "at the moment", "at present",
    "a single", "single", "marked", "marked as", "down as", "put down as", "listed as", "flagged as", "logged as", "entered as",
    "classed as", "shown as", "on the staff", "on our staff", "on staff", "on the team", "on the payroll",
)  # fmt: skip
_WHOLES = ("archive", "collection", "database", "system", "catalogue", "books")
_EMPTY = frozenset(["year", "date", "number", "total", "annual", "type", "time", "count"])
_AGENTS = {
    "author": ("writes", "wrote", "written"), "writer": ("writes", "wrote", "written"), "maker": ("makes", "made", "made"),
    "builder": ("builds", "built", "built"), "seller": ("sells", "sold", "sold"), "teacher": ("teaches", "taught", "taught"),
    "driver": ("drives", "drove", "driven"), "leader": ("leads", "led", "led"), "singer": ("sings", "sang", "sung"),
    "owner": ("owns", "owned", "owned"), "composer": ("composes", "wrote", "composed"),
    "architect": ("builds", "built", "built"), "handler": ("handles", "handled", "handled"),
}  # fmt: skip
_SAME_AS_VERBS = frozenset(["mentor", "tutor", "sponsor", "head", "chair", "host", "captain", "guard"])
_NO_AGENTS = frozenset(
    ["number", "player", "member", "customer", "order", "letter", "chapter", "quarter", "paper", "answer"]
)
_KEYLIKE = re.compile(r"(^|_)(id|key|code|cd|pk|nr|no|uid|uuid)$", re.I)


def singular(words: str) -> str:
    """Return the words with the last one in the singular."""
    head, _, last = words.rpartition(" ")
    back = {many: one for one, many in _IRREGULAR.items()}
    if last in back:
        one = back[last]
    elif last.endswith("ies") and len(last) > 4:
        one = last[:-3] + "y"
    elif re.search(r"(s|x|z|ch|sh)es$", last):
        one = last[:-2]
    elif last.endswith("s") and len(last) > 1 and not last.endswith(("ss", "us", "is")):
        one = last[:-1]
    else:
        one = last
    return f"{head} {one}".strip()


def plural(words: str) -> str:
    """Return the words with the last one in the plural."""
    head, _, last = words.rpartition(" ")
    if last in _IRREGULAR:
        many = _IRREGULAR[last]
    elif last in _IRREGULAR.values():
        many = last
    elif re.search(r"[^aeiou]y$", last):
        many = last[:-1] + "ies"
    elif re.search(r"(s|x|z|ch|sh)$", last):
        many = last + "es"
    else:
        many = last + "s"
    return f"{head} {many}".strip()


def both(words: str) -> list[str]:
    """Return the singular and the plural, without duplicates."""
    return list(dict.fromkeys((singular(words), plural(singular(words)))))


def measures(column: str) -> tuple[list[str], list[str]]:
    """Return (words for the maximum, words for the minimum) of a quantity, by its column's name; empty when the name tells
    none."""
    parts = set(in_words(column).split())
    for names, most, least in _MEASURES:
        if parts & set(names):
            return most.split("|"), least.split("|")
    return [], []


def unit_of(column: str) -> tuple[str, dict[str, float]] | None:
    """Return (name, words with their size in the column's unit) of a quantity whose column name ends in a unit, or None."""
    last = re.split(r"[_\W]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", spelt(column)).lower().rstrip(")? "))[-1]
    if last not in _UNITS:
        return None
    own, scale = _UNITS[last]
    words: dict[str, float] = {}
    for name, size in scale.items():
        factor = size / scale[own]
        forms = {name, name.replace("metre", "meter")}
        words |= dict.fromkeys(
            (w for one in sorted(forms) for w in (one, f"{one}s")), int(factor) if factor >= 1 else factor
        )
    return f"in_{own}s".replace(" ", "_"), words


def without_unit(column: str) -> str:
    """Return a column's name in words without its unit: `duration_min` is duration."""
    words = in_words(column)
    return words.rpartition(" ")[0] or words if unit_of(column) else words


def value_cues(column: str) -> list[str]:
    """Return the cues for a value of a column: the verbs for its name, and the content words of a compound name."""
    words = in_words(column).split()
    spans = {"from": STARTING, "to": ENDING, "until": ENDING} if {"date", "time", "day"} & set(words) else {}
    found = [w for word in words for w in (spans | VERBS).get(word, "").split("|") if w]
    if len(words) > 1:
        found += [w for w in words if len(w) > 3 and w not in _EMPTY and w not in VERBS]
    return list(dict.fromkeys(found))


def is_birth_date(column: str) -> bool:
    """Return whether a date is a date of birth."""
    return bool({"birth", "born", "birthday", "birthdate"} & {*in_words(column).split()})


def bare_participle(column: str) -> str:
    """Return the name of a date or time without its type suffix: `returned_on` is returned, `due_date` is due."""
    words = in_words(column).split()
    while len(words) > 1 and words[-1] in {"on", "at", "date", "day", "time"}:
        words.pop()
    return " ".join(words)


def bare_verbs(column: str) -> list[str]:
    """Return the infinitives of a date's participle, as they follow "did": `returned_on` gives return, `hired` gives hire."""
    words = bare_participle(column)
    stem = words.removesuffix("ed")
    return [verb for verb in (stem, f"{stem}e") if stem != words and verb not in FILLERS]


def is_participle(words: str) -> bool:
    """Return whether a word is a participle: returned, paid, written."""
    return " " not in words and bool(re.search(r"[^e]ed$|paid$|sold$|[fln]t$|[st]en$|own$|^quit$", words))


def is_boolean(column: str) -> bool:
    """Return whether 0 and 1 in a column mean no and yes, judged by its name: `is_open`, `discontinued`, `active`; not
    `children`."""
    words = in_words(column)
    first, _, rest = words.partition(" ")
    adjective = re.search(r"(ed|ive|able|ible|al|ful|less)$", words)
    return (first in {"is", "has", "was", "can"} and bool(rest)) or (
        not rest and bool(adjective or is_participle(words))
    )


def is_noun(value: str) -> bool:
    """Return whether a category may be a noun, judged by its spelling: "repair", unlike "damaged" or "very high"."""
    return bool(re.fullmatch(r"[A-Za-z]{3,}( [A-Za-z]{3,})?", value)) and not re.search(
        r"(ed|[ae]l|ic|ous|ive|ful|less|able|ly|s)$", value
    )


def direction(words: str) -> tuple[str, ...]:
    """Return the prepositions for a reference whose name tells a direction: `to_town`, `destination`."""
    parts = set(words.split())
    found = (said for names, said in _DIRECTIONS if parts & names)
    return next(found, ())


def is_keylike(column: str) -> bool:
    """Return whether a column's name marks an identifier."""
    return bool(_KEYLIKE.search(column))


def without_key_ending(column: str) -> str:
    """Return a column's name without a key suffix: `author_id` is author."""
    return _KEYLIKE.sub("", re.sub(r"(?<=[a-z])(Id|ID|Code|Key)$", "", column)).strip("_") or column


def agent_verbs(words: str) -> tuple[list[str], list[str]]:
    """Return the verbs of an agent noun, such as publisher: (words that ask for the agent, words before its name)."""
    last = words.rpartition(" ")[2]
    if last in _AGENTS:
        present, past, done = _AGENTS[last]
        return [present, past], [f"{done} by"]
    if last in _SAME_AS_VERBS:
        return [f"{last}s", f"{last}ed"], [f"{last}ed by"]
    if last in {"manufacturer", "producer"}:
        verb = last.removesuffix("r")
        return ["makes", "made", f"{verb}s"], ["made by", f"{verb}d by"]
    if len(last) < 6 or last in _NO_AGENTS:
        return [], []
    if found := re.search(r"(.+(?:at|vis|edit|rect|pect|struct|tract|vest|vent|edit))or$", last):
        stem = found[1] + ("e" if found[1].endswith(("at", "vis")) else "")
        return [f"{stem}s"], [f"{stem.removesuffix('e')}ed by"]
    if not re.search(r"[^aeiou]er$", last):
        return [], []
    stem = last[:-2]
    if stem.endswith("i"):
        return [f"{stem}es", f"{stem}ed"], [f"{stem}ed by"]
    third = f"{stem}es" if re.search(r"(s|x|z|ch|sh)$", stem) else f"{stem}s"
    if re.search(r"[^aeiou](r|s|c|g|v)$|[aeiou](r|s|c|g|v)$", stem):
        return [third, f"{stem}es"], [f"{stem}ed by"]
    return [third], [f"{stem}ed by"]


def done_by(words: str) -> list[str]:
    """Return the verbs of a column such as `run_by`, as they follow "who": run, runs."""
    verb = words.removesuffix(" by")
    stem = verb.removesuffix("ed")
    forms = {verb, f"{verb}s"} if stem == verb else {verb, f"{stem}s", f"{stem}es"}
    return sorted(forms)


def is_people(table: str) -> bool:
    """Return whether a table's name is a noun for people."""
    return singular(in_words(table)).rpartition(" ")[2] in PEOPLE


def is_animal(table: str) -> bool:
    """Return whether a table's name is a noun for animals, which have birth dates too."""
    return singular(in_words(table)).rpartition(" ")[2] in ANIMALS


def also_called(noun: str) -> tuple[str, ...]:
    """Return synonyms of a noun in a table's name: medicine for medication, members for membership."""
    if noun in EVENTS:
        return WHATS_ON
    if noun.endswith("ship") and len(noun) > len("ship") + 3:
        return (noun.removesuffix("ship"),)
    return next(
        (tuple(word for word in group.split("|") if word != noun) for group in ALIKE if noun in group.split("|")), ()
    )


def whole_place(name: str) -> tuple[str, ...]:
    """Return phrases for the scope of the whole database: "across the whole clinic"."""
    words = in_words(name)
    which = ("the", "the whole", "the entire", "our", "this")
    return tuple(
        f"{before} {one} {place}"
        for place in (words, *(p for p in _WHOLES if p != words))
        for before in ("in", "across", "at", "of")
        for one in which[: None if place == words else 1]
    )


def event_verbs(table: str) -> tuple[str, ...]:
    """Return the verbs for the event that a table records: films with rentals are rented."""
    return tuple(word for word in DONE.get(singular(in_words(table)).rpartition(" ")[2], "").split("|") if word)


def presence_phrases(noun: str) -> tuple[str, ...]:
    """Return the phrases for presence: "with a guardian"."""
    return tuple(f"{verb} {_article(noun)} {noun}" for verb in ("with", "have", "has", "had", "having"))


def absence_phrases(noun: str) -> tuple[str, ...]:
    """Return the phrases for absence: "without a guardian"."""
    none = ("without", "have no", "has no", "with no", "having no")
    some = (*none[:1], "not have", "do not have", "does not have")
    return (*(f"{words} {noun}" for words in none), *(f"{words} {_article(noun)} {noun}" for words in some))


def _article(noun: str) -> str:
    return "an" if noun[:1] in "aeiou" else "a"


def required(words: str) -> list[str]:
    """Return the phrases for a flag such as "visa required": "needs a visa"."""
    thing = words.removesuffix(" required").removesuffix(" only")
    if thing == words:
        return []
    article = _article(thing)
    verbs = ("need", "needs", "require", "requires", "needing", "requiring")
    return [f"{verb} {thing}" for verb in verbs] + [f"{verb} {article} {thing}" for verb in verbs]


def not_required(words: str) -> list[str]:
    """Return the phrases for the negation of such a flag: "without a prescription"."""
    thing = words.removesuffix(" required").removesuffix(" only")
    article = _article(thing)
    some = [f"{verb} {one}{thing}" for verb in ("need", "require") for one in ("", "a ", f"{article} ")]
    denied = [f"{do} {one}" for do in ("do not", "does not") for one in some]
    none = [f"{verb} no {thing}" for verb in ("need", "needs", "require", "requires")]
    return list(dict.fromkeys((f"without {thing}", f"without {article} {thing}", f"no {words}", *none, *denied)))


def death_words(words: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return the words for people with a date of death, and for those without; None for other names."""
    if not {"died", "death", "deceased"} & {*words.split()}:
        return None
    return ("died", "have died", "has died", "dead", "deceased", "passed away"), (
        "alive",
        "still alive",
        "living",
        "still living",
    )


def done_forms(words: str) -> list[str]:
    """Return the verb forms of a flag such as "paid": been paid, paid for; failed to finish."""
    if words == "paid":
        return ["been paid", "paid for", "been paid for", "settled", "been settled"]
    if words.startswith("did not "):
        verb = words.removeprefix("did not ")
        return [f"not {verb}", f"never {verb}ed", f"failed to {verb}"]
    return [f"been {words}"] if is_participle(words) else []


def undone_forms(words: str) -> list[str]:
    """Return the negated forms of such a flag."""
    return (
        ["outstanding", "not been paid", "not been paid for", "not paid for"]
        if words == "paid"
        else [f"not been {words}"]
    )


def inverted_forms(words: str) -> list[str]:
    """Return the inverted forms of a price of two words: the fare for a car, the price for cars."""
    first, _, last = words.rpartition(" ")
    if not first or " " in first:
        return []
    nouns = dict.fromkeys(("price", "cost", "fare", last))
    return [f"{noun} for {one}" for noun in nouns for one in (f"{_article(first)} {first}", first, plural(first))]


def half_words(table: str) -> list[str]:
    """Return the words for each half of a compound table name: sponsors and deals of "Sponsors&Deals"."""
    halves = re.split(r"\s*&\s*|\s+and\s+|_and_", spelt(table))
    return [form for half in halves for form in both(in_words(half))] if len(halves) > 1 else []
