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
    """Yield the place and the words of each, of all domains and conditions."""
    instructions = {domain.instructions_file: domain.instructions for domain in study.domains.values()}
    instructions |= {study.instructions_of(name): text for name, text in study.own_instructions.items()}
    for place, text in instructions.items():
        for sentence in in_text(text, of_task=False):
            yield place, sentence
    for domain in study.domains.values():
        place = "" if domain.folder == study.domain_folder else f"{domain.folder.relative_to(study.folder).as_posix()}/"
        for scenario in domain.scenarios.values():
            for sentence in in_text(scenario.text):
                yield f"{place}scenarios/{scenario.id}.toml", sentence


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
