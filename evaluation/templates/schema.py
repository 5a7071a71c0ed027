"""Slots as data: which there are, what fills them, in which order, when they stay blank (Sundheim 1989, table 1).

A schema is TOML:

    name = "naval"                            no_data = "NO DATA"
    about = "What participants are told."     split = "FORCE": the slot whose values part the templates
    [[slot]]      name = "EVENT"              kind = "list" or "string" or "id"
                  values = [...]              order = [...]: those of them that have one, from least to most
                  several = true              synonyms = { CONTACT = "DETECT" }
                  tables = ["units"]          whose names stand for whatever the text calls them
                  fallback = ["AIR", ...]     what stands there where no name is known
    [lists]       sensors = [...]
    [tables.units] "USS ALDER" = { aliases = ["ALDER"], values = { "AGENT CATEGORY" = "SURF" } }
    [[rule]]      slots = [...]               when = { EVENT = ["OTHER"] }
                  blank = true, or lists = ["sensors"]
"""

from pathlib import Path

import msgspec

from corpus.formats.errors import FormatFault

KINDS = ("list", "string", "id")


class Slot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One slot. A string fill comes from the text; a name of one of the `tables` stands for its aliases."""

    name: str
    kind: str = "string"
    values: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    several: bool = False
    synonyms: dict[str, str] = {}
    tables: tuple[str, ...] = ()
    fallback: tuple[str, ...] = ()


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One name of a table: what else it is called, and what other slots hold where it stands."""

    aliases: tuple[str, ...] = ()
    values: dict[str, str] = {}


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A condition on some slots when others have one of some values: they are blank, or hold what some lists have."""

    slots: tuple[str, ...]
    when: dict[str, tuple[str, ...]]
    blank: bool = False
    lists: tuple[str, ...] = ()


class Schema(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All slots in their order; the first one names the text that a template is of. `about` tells participants of the task, and
    the values of the slot `split` part the templates into tables."""

    name: str
    slot: tuple[Slot, ...]
    no_data: str = ""
    about: str = ""
    split: str = ""
    lists: dict[str, tuple[str, ...]] = {}
    tables: dict[str, dict[str, Entry]] = {}
    rule: tuple[Rule, ...] = ()

    @property
    def slots(self) -> dict[str, Slot]:
        return {slot.name: slot for slot in self.slot}

    @property
    def key(self) -> str:
        """The slot that names the text."""
        return self.slot[0].name

    def canonical(self, slot: Slot, value: str) -> str:
        """Return what a value stands for: a synonym its value, an alias its name, else itself.

        >>> slot = Slot("EVENT", "list", ("DETECT",), synonyms={"CONTACT": "DETECT"})
        >>> Schema("s", (slot,)).canonical(slot, "contact")
        'DETECT'
        """
        plain = " ".join(value.upper().split())
        for name in slot.tables:
            for canonical, entry in self.tables[name].items():
                if plain in (canonical, *entry.aliases):
                    return canonical
        return slot.synonyms.get(plain, plain)


def load(path: Path) -> Schema:
    """Read a schema; raises `FormatFault` for what is none, or names what it does not define."""
    try:
        schema = msgspec.toml.decode(path.read_bytes(), type=Schema)
    except UnicodeDecodeError:
        raise FormatFault(str(path), 0, "no UTF-8", "save it as UTF-8") from None
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise FormatFault(
            str(path), 0, str(error), "the form of a schema is in docs/how-to/score-templates.md"
        ) from None
    for found, remedy in _faults(schema):
        raise FormatFault(str(path), 0, found, remedy)
    return schema


def _faults(schema: Schema) -> list[tuple[str, str]]:
    if not schema.slot or schema.slot[0].kind != "id":
        return [("no slot of kind id first", "the first slot names the text")]
    found = [
        (f"slot {slot.name}: kind {slot.kind!r}", f"it is one of {', '.join(KINDS)}")
        for slot in schema.slot
        if slot.kind not in KINDS
    ]
    names = [slot.name for slot in schema.slot]
    found += [(f"slot {name} stands there twice", "keep one") for name in names if names.count(name) > 1]
    named = [(slot.name, table, set(schema.tables)) for slot in schema.slot for table in slot.tables]
    named += [("split", schema.split, set(schema.slots))] if schema.split else []
    named += [("a rule", one, set(schema.lists)) for rule in schema.rule for one in rule.lists]
    named += [("a rule", one, set(schema.slots)) for rule in schema.rule for one in (*rule.slots, *rule.when)]
    return found + [
        (f"{who} names {what!r}, which is not there", "define it, or take it out")
        for who, what, there in named
        if what not in there
    ]
