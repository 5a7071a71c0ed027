"""Remarks that ask nothing: "thanks, that helps", "great".

A remark is neither answered nor does it end what was spoken of. Everything else that was not understood may have
changed it: what goes on from that is not understood either.
"""

from __future__ import annotations

import re

from domain.english.text.tokens import read_words

_PRAISE = "good|great|fine|nice|perfect|excellent|wonderful|cool|lovely|super|interesting|funny|helpful|useful|cheap|enough|right"
_REMARK = re.compile(
    rf"(?:(?:(?:so|and|but|oh|ah|wow|well|very|really|quite|just|then|now) )*"
    rf"(?:(?:many )?thanks(?: a lot)?|thank you(?: very much)?|cheers|please|hello|hi|hey|good (?:morning|afternoon|evening)"
    rf"|bye|goodbye|all right|alright|yes|yeah|yep|sure|{_PRAISE}|i see|got it|i understand|understood|never mind|no problem"
    rf"|(?:that|this|it) (?:helps|helped|works|will do|would do|does it)(?: a lot| me)?"
    rf"|(?:that|this|it|those|these|they) (?:is|are|was|were|looks?|sounds?|will be|would be)(?: (?:all|very|really|quite|so))*"
    rf"(?: (?:{_PRAISE}|it|all|what i (?:want|wanted|need|needed)|for now|a lot|a pity|too bad))*"
    rf"|let me (?:think|see)(?: about (?:it|that))?|give me a (?:moment|second|minute)|one moment|sir|madam|ma am)(?: |$))+"
)


def remarks(text: str) -> bool:
    """Return whether this asks nothing."""
    plain = " ".join(token.text for token in read_words(text))
    return not plain or _REMARK.fullmatch(plain) is not None
