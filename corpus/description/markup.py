"""XML as the descriptions and the annotation tools' formats write it: UTF-8, indented, without what XML 1.0 cannot hold."""

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from session.values.sanitize import inert

_UNFIT = re.compile("[\ud800-\udfff\ufffe\uffff]")


def child(parent: Element, name: str, text: str = "", **attributes: str) -> Element:
    """Add an element with a text and attributes; characters without a shape become visible ones."""
    node = SubElement(parent, name, {key: fit(value) for key, value in attributes.items()})
    if text:
        node.text = fit(text)
    return node


def fit(text: str) -> str:
    """A text that XML can hold; its lines stay lines.

    >>> fit("one\\x00two")
    'one␀two'
    """
    return _UNFIT.sub("�", inert(text, newlines="keep"))


def document(root: Element) -> bytes:
    """The bytes of a document."""
    indent(root, " ")
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode").encode() + b"\n"
