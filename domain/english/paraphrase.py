"""Paraphrases of meanings in plain English, from which a wizard sees at a glance whether the subject was understood."""

from __future__ import annotations

from collections.abc import Sequence

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Compared, Condition, Extreme, Flagged, Having, Meaning, Value, never_met
from domain.english.text.numbers import ordinal_words

_BOUNDS = {">": "more than", ">=": "at least", "<": "fewer than", "<=": "at most", "by": "at most", "=": ""}
_LEAD = {"avg": "average ", "sum": "sum of ", "max": "highest ", "min": "lowest "}


def paraphrase(model: DomainModel, meaning: Meaning) -> str:
    """Return the paraphrase, such as "clerks in department 45, earning over $50000, only the oldest"."""
    text = f"{_asked(model, meaning)} {conditions_said(model, meaning)}".strip()
    if meaning.extremes:
        text += ", only the " + " and ".join(_extreme(model, e, meaning.attributes) for e in meaning.extremes)
    return text


def conditions_said(model: DomainModel, meaning: Meaning) -> str:
    """Return the paraphrase of the conditions and flags, without the requested entities and attributes."""
    denied = [f for f in meaning.flags if f in never_met(model, meaning)]
    far = [c for c in meaning.conditions if denied and model.attribute[c.attribute].of not in meaning.entities]
    parts = _never(model, meaning) or [_condition(model, c) for c in meaning.conditions if c not in far]
    if meaning.either:
        parts.append("either " + " or else ".join(" ".join(_condition(model, c) for c in g) for g in meaning.either))
    parts += [_having(model, h) for h in meaning.having]
    parts += [_flagged(model, f) for f in meaning.flags if f not in denied]
    parts += [f"but none {_flagged(model, Flagged(f.flags))}" for f in denied]
    parts += [_condition(model, c) for c in far if "but none" not in parts]
    parts += [_compared(model, c) for c in meaning.compared]
    parts += [f"of {meaning.rows.say}"] if meaning.rows else []
    parts += [f"of the {paraphrase(model, meaning.inside)}"] if meaning.inside else []
    parts += [f"that are not among the {paraphrase(model, meaning.outside)}"] if meaning.outside else []
    if meaning.among:
        parts.append("of these: " + "; or ".join(paraphrase(model, one) for one in meaning.among))
    return " ".join(parts)


def _never(model: DomainModel, meaning: Meaning) -> list[str]:
    """Return the phrases for conditions that no related row may meet ("but none in Austin"), after the entity's own
    conditions."""
    own = [c for c in meaning.conditions if model.attribute[c.attribute].of in meaning.entities]
    far = [c for c in meaning.conditions if c not in own]
    if not any(c.negated and c.attribute in meaning.never for c in far):
        return []
    met = [Condition(c.attribute, c.values, c.negated and c.attribute not in meaning.never) for c in far]
    return [*(_condition(model, c) for c in own), "but none", *(_condition(model, c) for c in met)]


def _asked(model: DomainModel, meaning: Meaning) -> str:
    names = [model.entity[e].many or e.replace("_", " ") for e in meaning.entities]
    things = [a.replace("_", " ") for a in meaning.attributes]
    if meaning.aggregate == "share":
        whole = paraphrase(model, meaning.whole) if meaning.whole else ""
        return f"share{f', among {whole},' if whole else ''} of {' and '.join(names)}"
    if meaning.distinct:
        return f"number of different {' and '.join(things)} of {' and '.join(names)}"
    if meaning.per:
        per = model.entity[meaning.per].many or meaning.per
        if meaning.pick:
            return f"{' and '.join(names)} with the {_picked(meaning, per)}"
        lead = f"{_LEAD.get(meaning.aggregate, '')}{' and '.join(things)}" if meaning.aggregate else "number"
        return f"{lead} of {per} for each of the {' and '.join(names)}"
    if meaning.by:
        by = (f"{meaning.span} of {meaning.by}" if meaning.span else meaning.by).replace("_", " ")
        lead = f"{_LEAD[meaning.aggregate]}{' and '.join(things)}" if meaning.aggregate else "number"
        if meaning.pick:
            return f"{by} with the {_picked(meaning, ' and '.join(names))}"
        return f"{lead} of {' and '.join(names)} for each {by}"
    if meaning.count:
        return f"number of {' and '.join(names)}"
    if things:
        return f"{_LEAD.get(meaning.aggregate, '')}{' and '.join(things)} of {' and '.join(names)}"
    return " and ".join(names)


def _condition(model: DomainModel, condition: Condition) -> str:
    attribute = model.attribute[condition.attribute]
    said = " or ".join(_value(v) for v in condition.values)
    pattern = attribute.say or f"with {condition.attribute.replace('_', ' ')} {{}}"
    text = pattern.replace("{}", said) if "{}" in pattern else f"{pattern} {said}"
    return f"not {text}" if condition.negated else text


def _value(value: Value) -> str:
    text = value.say or str(value.data[0])
    if value.op == "=" and text.isupper() and len(text) > 3:
        return text.title()
    if value.op == "=" and value.kind == "clock":
        return text if text.startswith("at ") else f"at {text}"
    return text


def _picked(meaning: Meaning, counted: str) -> str:
    if meaning.aggregate:
        amount = " and ".join(a.replace("_", " ") for a in meaning.attributes)
        return f"{'highest' if meaning.pick == 'max' else 'lowest'} {_LEAD[meaning.aggregate]}{amount} of {counted}"
    return f"{'most' if meaning.pick == 'max' else 'fewest'} {counted}"


def _by_what(model: DomainModel, extreme: Extreme, asked: Sequence[str]) -> str:
    """Return " by …" for a superlative ranked by another attribute than its word implies; for one that implies none ("the highest
    copay") the attribute alone, unless it is what is asked for; else an empty string."""
    known = model.superlative.get(extreme.superlative)
    if known is None:
        column = extreme.column.partition(".")[2]
        name = (column if extreme.superlative.endswith(column) else extreme.superlative).replace("_", " ")
        return "" if asked == (extreme.superlative,) or name in extreme.say else f" {name}"
    if extreme.column in {*known.column.values()}:
        return ""
    by = next(
        (n for n in known.refine if extreme.column in {model.attribute[n].minimum, model.attribute[n].maximum}), ""
    )
    return f" by {by.replace('_', ' ')}" if by else ""


def _extreme(model: DomainModel, extreme: Extreme, asked: Sequence[str]) -> str:
    said = extreme.say.replace("_", " ") + _by_what(model, extreme, asked)
    if extreme.place > 1:
        return f"{ordinal_words(extreme.place)} {said}"
    each = f" for each {extreme.each.replace('_', ' ')}" if extreme.each else ""
    return f"{extreme.number} {said}" if extreme.number > 1 else f"{said}{each}"


def _compared(model: DomainModel, compared: Compared) -> str:
    if compared.aggregate == "avg":
        return f"{compared.say} the average of {paraphrase(model, compared.whole)}"
    if compared.through:
        return f"{compared.say} their own {compared.through.replace('_', ' ')}"
    whole = compared.whole
    named = len(whole.conditions) == 1 and model.attribute[whole.conditions[0].attribute].say == "{}"
    if named and whole == Meaning(whole.entities, conditions=whole.conditions):
        return f"{compared.say} {conditions_said(model, whole)}"
    return f"{compared.say} all {paraphrase(model, whole)}"


def _having(model: DomainModel, having: Having) -> str:
    many = model.entity[having.entity].many or having.entity
    of = [_condition(model, c) for c in having.conditions] + [_flagged(model, f) for f in having.flags]
    told = " ".join([many, *of])
    if having.than:
        other = " ".join(_flagged(model, f) for f in having.than)
        return f"with {'more' if having.op == '>' else 'fewer'} {told} than {other}"
    if having.whole:
        pattern = model.attribute[having.attribute].say or f"{having.attribute.replace('_', ' ')} {{}}"
        each = f"every one of the {paraphrase(model, having.whole)}"
        return f"with {told} {pattern.replace('{}', each) if '{}' in pattern else f'{pattern} {each}'}"
    if having.op == "all":
        return f"with {many}, all of them {' '.join(of)}"
    if having.op == "none":
        return f"without {told}"
    if (having.op, having.number) == (">=", 1):
        return f"with {told}"
    bound = f"{_BOUNDS[having.op]} {having.number}".strip()
    if having.aggregate:
        return f"with {_LEAD[having.aggregate]}{having.attribute.replace('_', ' ')} of {told} {bound}"
    return f"with {bound} {told}"


def _flagged(model: DomainModel, flagged: Flagged) -> str:
    text = " or ".join(model.flag[f].say or f.replace("_", " ") for f in flagged.flags)
    return f"not {text}" if flagged.negated else text
