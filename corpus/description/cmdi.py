"""`metadata/corpus.cmdi`: CLARIN's Component Metadata 1.2, in the profile OLAC-DcmiTerms, whose elements are Dublin Core's."""

from xml.etree.ElementTree import Element

from corpus.description.citation import words
from corpus.description.corpus_metadata import CorpusMetadata
from corpus.description.markup import child, document

PATH = "metadata/corpus.cmdi"
PROFILE = "clarin.eu:cr1:p_1288172614026"
_CMD = "http://www.clarin.eu/cmd/1"


def render(found: CorpusMetadata) -> bytes:
    """The bytes of the file; Dublin Core's elements are in the order of their names."""
    root = Element("cmd:CMD", {"CMDVersion": "1.2", "xmlns:cmd": _CMD, "xmlns:cmdp": f"{_CMD}/profiles/{PROFILE}"})
    header = child(root, "cmd:Header")
    child(header, "cmd:MdCreator", "Curtain")
    child(header, "cmd:MdCreationDate", found.published)
    child(header, "cmd:MdProfile", PROFILE)
    resources = child(root, "cmd:Resources")
    for name in ("ResourceProxyList", "JournalFileProxyList", "ResourceRelationList"):
        node = child(resources, f"cmd:{name}")
        if name == "ResourceProxyList" and found.page:
            proxy = child(node, "cmd:ResourceProxy", id="corpus")
            child(proxy, "cmd:ResourceType", "LandingPage")
            child(proxy, "cmd:ResourceRef", found.page)
    record = child(child(root, "cmd:Components"), "cmdp:OLAC-DcmiTerms")
    for name, text in sorted(_terms(found), key=lambda term: term[0]):
        if text:
            child(record, f"cmdp:{name}", text)
    return document(root)


def _terms(found: CorpusMetadata) -> list[tuple[str, str]]:
    created = "" if found.imported else f"{found.first}/{found.last}"
    terms = [
        ("title", found.title), ("description", found.description), ("publisher", found.publisher),
        ("bibliographicCitation", words(found)), ("created", created), ("issued", found.published),
        ("identifier", found.page), ("type", "Sound"), ("license", found.licence_page),
    ]  # fmt: skip
    terms += [("creator", creator.name) for creator in found.creators]
    terms += [("language", language) for language in found.languages]
    terms += [("subject", word) for word in found.keywords]
    terms += [("contributor", name) for name in dict.fromkeys((*found.recorded, *found.transcribed, *found.checked))]
    terms += [("rightsHolder", contact) for contact in found.contacts]
    terms += [("provenance", f"Ethics approval: {text}") for text in found.ethics]
    return terms + [("provenance", f"Funding: {text}") for text in found.funding]
