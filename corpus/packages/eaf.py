"""`.eaf`, ELAN's annotation document (EAF 3.0): tiers of stretches in milliseconds, tiers that depend on them, vocabularies.

    ANNOTATION_DOCUMENT = HEADER TIME_ORDER TIER* LINGUISTIC_TYPE* LANGUAGE CONSTRAINT* CONTROLLED_VOCABULARY*
    TIER                = ANNOTATION*         a dependent one names its parent, and each annotation of it one of the parent's

The schema is EAFv3.0.xsd of the Max Planck Institute for Psycholinguistics.
"""

from collections.abc import Mapping
from itertools import count
from xml.etree.ElementTree import Element, ParseError, fromstring

import msgspec

from corpus.description.markup import child, document
from corpus.formats.errors import FormatFault

_STRETCH = "stretch"
_SCHEMA = "http://www.mpi.nl/tools/elan/EAFv3.0.xsd"
_CONSTRAINTS = {
    "Time_Subdivision": "Time subdivision of parent annotation's time interval, no time gaps allowed within this interval",
    "Symbolic_Subdivision": "Symbolic subdivision of a parent annotation. Annotations refering to the same parent are ordered",
    "Symbolic_Association": "1-1 association with a parent annotation",
    "Included_In": "Time alignable annotations within the parent annotation's time interval, gaps are allowed",
}
"""The stereotypes that ELAN lists in every document, by its own definitions."""


class EafAnnotation(msgspec.Struct, frozen=True):
    """A stretch in milliseconds, its text, and the texts that depend on it, by tier; an empty one is not there."""

    begin: int
    end: int
    text: str
    below: dict[str, str] = {}


class AnnotationTier(msgspec.Struct, frozen=True):
    """Annotations that do not overlap; `below` names the tiers that depend on it."""

    name: str
    participant: str
    annotations: tuple[EafAnnotation, ...]
    below: tuple[str, ...] = ()


class Document(msgspec.Struct, frozen=True):
    """A document: its date, the sound beside it (empty for none), the language of the speech, tiers, the entries of the
    vocabularies with what they mean, by the dependent tier that they are for, and who is its author."""

    date: str
    media: str
    language: str
    tiers: tuple[AnnotationTier, ...]
    vocabularies: Mapping[str, Mapping[str, str]]
    author: str = ""
    origin_ms: int = 0
    """Where in the sound the document begins."""


def render(made: Document) -> bytes:
    """The bytes of a document."""
    root = Element("ANNOTATION_DOCUMENT", {"AUTHOR": made.author, "DATE": made.date, "FORMAT": "3.0", "VERSION": "3.0"})
    root.set("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance")
    root.set("xsi:noNamespaceSchemaLocation", _SCHEMA)
    header = child(root, "HEADER", MEDIA_FILE="", TIME_UNITS="milliseconds")
    if made.media:
        address = f"./{made.media}"
        child(header, "MEDIA_DESCRIPTOR", MEDIA_URL=address, MIME_TYPE="audio/x-wav", RELATIVE_MEDIA_URL=address)
        if made.origin_ms:
            header[-1].set("TIME_ORIGIN", str(made.origin_ms))
    _properties(header, made.language)
    slots = child(root, "TIME_ORDER")
    numbers, places = count(1), count(1)
    for tier in made.tiers:
        _tier(root, slots, tier, made.vocabularies, numbers, places)
    slots[:] = sorted(slots, key=lambda slot: int(slot.get("TIME_VALUE", "0")))
    _types(root, made)
    child(root, "LANGUAGE", LANG_ID="eng", LANG_LABEL="English (eng)")
    for name, meaning in _CONSTRAINTS.items():
        child(root, "CONSTRAINT", DESCRIPTION=meaning, STEREOTYPE=name)
    for name, entries in made.vocabularies.items():
        vocabulary = child(root, "CONTROLLED_VOCABULARY", CV_ID=name)
        child(vocabulary, "DESCRIPTION", LANG_REF="eng")
        for value, meaning in entries.items():
            entry = child(vocabulary, "CV_ENTRY_ML", CVE_ID=_entry(name, value))
            child(entry, "CVE_VALUE", value, DESCRIPTION=meaning, LANG_REF="eng")
    return document(root)


def _properties(header: Element, language: str) -> None:
    if language:
        child(header, "PROPERTY", language, NAME="language")


def _tier(
    root: Element,
    slots: Element,
    tier: AnnotationTier,
    vocabularies: Mapping[str, Mapping[str, str]],
    numbers: "count[int]",
    places: "count[int]",
) -> None:
    """One tier and those that depend on it."""
    node = child(root, "TIER", LINGUISTIC_TYPE_REF=_STRETCH, PARTICIPANT=tier.participant, TIER_ID=tier.name)
    dependent = {
        name: child(
            root, "TIER", LINGUISTIC_TYPE_REF=name, PARENT_REF=tier.name, PARTICIPANT=tier.participant, TIER_ID=name
        )
        for name in tier.below
    }
    for one in tier.annotations:
        key, begin, end = f"a{next(numbers)}", f"ts{next(places)}", f"ts{next(places)}"
        child(slots, "TIME_SLOT", TIME_SLOT_ID=begin, TIME_VALUE=str(one.begin))
        child(slots, "TIME_SLOT", TIME_SLOT_ID=end, TIME_VALUE=str(one.end))
        held = child(child(node, "ANNOTATION"), "ALIGNABLE_ANNOTATION", ANNOTATION_ID=key)
        held.set("TIME_SLOT_REF1", begin)
        held.set("TIME_SLOT_REF2", end)
        child(held, "ANNOTATION_VALUE", one.text)
        for name, text in one.below.items():
            if text:
                below = child(child(dependent[name], "ANNOTATION"), "REF_ANNOTATION", ANNOTATION_ID=f"a{next(numbers)}")
                below.set("ANNOTATION_REF", key)
                if text in vocabularies.get(name, {}):
                    below.set("CVE_REF", _entry(name, text))
                child(below, "ANNOTATION_VALUE", text)


def _types(root: Element, made: Document) -> None:
    child(root, "LINGUISTIC_TYPE", GRAPHIC_REFERENCES="false", LINGUISTIC_TYPE_ID=_STRETCH, TIME_ALIGNABLE="true")
    for name in dict.fromkeys(name for tier in made.tiers for name in tier.below):
        node = child(root, "LINGUISTIC_TYPE", CONSTRAINTS="Symbolic_Association", GRAPHIC_REFERENCES="false")
        if name in made.vocabularies:
            node.set("CONTROLLED_VOCABULARY_REF", name)
        node.set("LINGUISTIC_TYPE_ID", name)
        node.set("TIME_ALIGNABLE", "false")


def _entry(vocabulary: str, value: str) -> str:
    return f"cve_{vocabulary}_{value}"


def parse(data: bytes, path: str) -> Document:
    """Read a document as `render` writes it, line ends within texts included; raises `FormatFault`. Of documents made elsewhere
    it keeps stretches whose both ends have a time, and what depends on them directly.

    >>> tier = AnnotationTier("words", "8k1", (EafAnnotation(0, 9, "HI"),))
    >>> made = Document("2026-11-21T09:00:00+00:00", "", "en", (tier,), {})
    >>> parse(render(made), "8k1001sx.eaf") == made
    True
    """
    try:
        root = fromstring(data.decode("utf-8-sig"))
        times = {slot.get("TIME_SLOT_ID", ""): int(slot.get("TIME_VALUE", "-1")) for slot in root.iter("TIME_SLOT")}
    except (ParseError, ValueError) as error:
        raise FormatFault(path, 0, f"it cannot be read: {error}", "export it from ELAN again") from None
    if root.tag != "ANNOTATION_DOCUMENT":
        raise FormatFault(path, 0, f"{root.tag!r} is not a document of ELAN", "name a .eaf")
    below: dict[str, dict[str, str]] = {}
    names: dict[str, list[str]] = {}
    for tier in root.iter("TIER"):
        if parent := tier.get("PARENT_REF"):
            names.setdefault(parent, []).append(tier.get("TIER_ID", ""))
            for held in tier.iter("REF_ANNOTATION"):
                texts = below.setdefault(held.get("ANNOTATION_REF", ""), {})
                texts[tier.get("TIER_ID", "")] = held.findtext("ANNOTATION_VALUE") or ""
    tiers = [
        AnnotationTier(
            tier.get("TIER_ID", ""),
            tier.get("PARTICIPANT", ""),
            tuple(_stretches(tier, times, below)),
            tuple(names.get(tier.get("TIER_ID", ""), ())),
        )
        for tier in root.iter("TIER")
        if not tier.get("PARENT_REF")
    ]
    media, origin = _media(root)
    language = next((node.text or "" for node in root.iter("PROPERTY") if node.get("NAME") == "language"), "")
    about = (root.get("DATE", ""), media, language)
    return Document(*about, tuple(tiers), _vocabularies(root), root.get("AUTHOR", ""), origin)


def _media(root: Element) -> tuple[str, int]:
    """The first sound, or film if there is none, and where in it the document begins."""
    films = list(root.iter("MEDIA_DESCRIPTOR"))
    chosen = next(
        (node for node in films if node.get("MIME_TYPE", "").startswith("audio")), films[0] if films else None
    )
    if chosen is None:
        return "", 0
    origin = chosen.get("TIME_ORIGIN", "0")
    address = chosen.get("RELATIVE_MEDIA_URL", "") or chosen.get("MEDIA_URL", "")
    return address.removeprefix("./"), int(origin) if origin.isdecimal() else 0


def _stretches(tier: Element, times: Mapping[str, int], below: Mapping[str, dict[str, str]]) -> list[EafAnnotation]:
    found: list[EafAnnotation] = []
    for held in tier.iter("ALIGNABLE_ANNOTATION"):
        begin, end = (times.get(held.get(f"TIME_SLOT_REF{side}", ""), -1) for side in (1, 2))
        if 0 <= begin < end:
            text = held.findtext("ANNOTATION_VALUE") or ""
            found.append(EafAnnotation(begin, end, text, below.get(held.get("ANNOTATION_ID", ""), {})))
    return found


def _vocabularies(root: Element) -> dict[str, dict[str, str]]:
    return {
        node.get("CV_ID", ""): {
            value.text or "": value.get("DESCRIPTION", "") for value in node.iter("CVE_VALUE")
        }
        for node in root.iter("CONTROLLED_VOCABULARY")
    }  # fmt: skip
