"""Reflowing of paragraphs, for screens and paper of any width."""

import re

FIXED = re.compile(r"(?m)^\s*(?:[|*#-]|\d+\.)")


def reflowed(text: str) -> str:
    """Return paragraphs as one line each, to fill any width; lists, tables and headings are unchanged.

    >>> reflowed("One\\nparagraph.\\n\\nAnother.")
    'One paragraph.\\n\\nAnother.'
    """
    blocks = re.split(r"\n\s*\n", text.strip())
    return "\n\n".join(block if FIXED.search(block) else " ".join(block.split()) for block in blocks)
