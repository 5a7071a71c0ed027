"""Paragraphs of a text that people write in lines of their own length, for screens and paper of another width."""

import re

FIXED = re.compile(r"(?m)^\s*(?:[|*#-]|\d+\.)")


def reflowed(text: str) -> str:
    """Paragraphs as one line each, so that they fill whatever width there is; lists, tables and headings as they stand.

    >>> reflowed("One\\nparagraph.\\n\\nAnother.")
    'One paragraph.\\n\\nAnother.'
    """
    blocks = re.split(r"\n\s*\n", text.strip())
    return "\n\n".join(block if FIXED.search(block) else " ".join(block.split()) for block in blocks)
