"""Model sentences in a study's own texts: what a subject could say to the system as it stands, quotations and requests.

Subjects take over the words that they read first (BBN 1989, section 5).
"""

import re
from collections.abc import Iterator

from session.study.folder import Study

_QUOTED = re.compile(r"[\"“«]([^\"”»\n]{8,}?)[\"”»]")
_ASKED = re.compile(
    r"(?i)\b((?:show me|list|tell me|give me|what is|what are|which|how many|how much|i want|i need)\b[^.!?\n]*\?)"
)
_QUESTION = re.compile(r"([^.!?\n]{3,}\?)")


def model_sentences(study: Study) -> Iterator[tuple[str, str]]:
    """Yield the place and the words of each."""
    for sentence in in_text(study.instructions, of_task=False):
        yield "instructions.txt", sentence
    for scenario in study.scenarios.values():
        for sentence in in_text(scenario.text):
            yield f"scenarios/{scenario.id}.toml", sentence


def in_text(text: str, *, of_task: bool = True) -> Iterator[str]:
    """Yield the model sentences of a text; in a task every question is one."""
    joined = " ".join(text.split())
    seen: set[str] = set()
    for pattern in (_QUOTED, _ASKED, _QUESTION) if of_task else (_QUOTED, _ASKED):
        for match in pattern.finditer(joined):
            sentence = match[1].strip()
            if not any(sentence in other for other in seen):
                seen.add(sentence)
                yield sentence
