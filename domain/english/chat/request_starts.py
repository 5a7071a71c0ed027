"""Places at which a request can begin after something else was said: "… so which …", "… could you …", "… only …"."""

from __future__ import annotations

from domain.english.chat.word_roles import SpokenWords
from domain.english.text.everyday_life import word_set

JOINERS = word_set(
    """
    so and but then therefore now anyway please well also
    """
)
_SUBJECTS = word_set(
    """
    i iam we he she they you my our his her it the
    """
)
_PRONOUNS = word_set(
    """
    i we you they it he she there that those these this any anything anyone anybody one either all someone somebody my
    us the none some both each every a
    """
)
_INVERTED = word_set(
    """
    can could would will may do does did is are was were has have
    """
)
_QUESTIONS = frozenset(["what", "which", "who", "whose", "whom"])
_MEASURES = word_set(
    """
    many much long far often old do does did can could is are was were about late early soon big fast high large
    expensive cheap would will
    """
)
ORDERS = word_set(
    """
    show list give display narrow exclude remove print
    """
)
_WEAK_ORDERS = word_set(
    """
    tell find name count get pull read check put leave drop forget make keep skip add remind take let bring pick look
    compare limit start cut rule scratch try book sort order throw stick change switch go
    """
)
_OBJECTS = word_set(
    """
    me us the all out only those them it that away off any a just up these this to back
    """
)
_BEFORE_A_VERB = word_set(
    """
    to i we you he she they will would can could not do does did must should may might and or who that which never
    always my the a our his her
    """
)
_WISHES = frozenset(["want", "need", "wish", "prefer", "require"])
_AFTER_WOULD = frozenset(["like", "love", "prefer", "rather", "need", "want"])
_MOVING = frozenset(["go", "fly", "leave", "be", "travel", "take", "arrive"])
_RESTRICTIONS = frozenset(["only", "anything", "something", "whichever", "whatever", "any"])
_TURNS = frozenset(["how about", "what about", "back to", "same thing", "same for", "are any", "is any"])


def begins_request(said: SpokenWords, at: int) -> bool:
    """Return whether a request can begin with the word at this place."""
    words = said.words
    word = words[at]
    before = words[at - 1] if at else ""
    after = words[at + 1] if at + 1 < len(words) else ""
    if f"{word} {after}" in _TURNS:
        return True
    if word in _QUESTIONS:
        return before not in {"the", "all", "people", "those"} and not (
            word == "what" and after in {"i", "we", "she", "he"}
        )
    if word == "how":
        return after in _MEASURES
    if word in {"when", "where"}:
        return after in _INVERTED
    if word in _INVERTED:
        return (
            after in _PRONOUNS and before not in _SUBJECTS | _PRONOUNS | {"that", "who", "which", "this", "so", "to"}
        ) or (before in JOINERS and after in _PRONOUNS)
    if word in ORDERS:
        return before not in _BEFORE_A_VERB - {"and", "or", "i"}
    if word in _WEAK_ORDERS:
        if before in {"so", "please"} and after:
            return True
        return after in _OBJECTS and before not in _BEFORE_A_VERB
    if word in _RESTRICTIONS:
        return before not in _SUBJECTS | _INVERTED | {"not", "if", "or"}
    if word == "just":
        return after in {"the", "those", "these", "from", "on", "with", "any"} and before not in _SUBJECTS
    return _wishes(words, at)


def _wishes(words: tuple[str, ...], at: int) -> bool:
    """Return whether the speaker says what she wants: "i need", "we would like", "iam looking for"."""
    word = words[at]
    rest = words[at + 1 : at + 4]
    if word == "iam" or words[at : at + 2] == ("we", "are"):
        rest = rest if word == "iam" else rest[1:]
        return rest[:1] in (("looking",), ("after",), ("trying",), ("hoping",), ("interested",))
    if word not in {"i", "we"} or not rest:
        return False
    if rest[0] in {"just", "really", "also", "only", "still"}:
        rest = rest[1:]
    if rest[:1] == ("would",):
        return bool({*rest[1:2]} & _AFTER_WOULD) or (word == "we" and {*rest[1:2]} <= _MOVING)
    if rest[:2] == ("will", "take") or rest[:2] == ("will", "need") or rest[:2] == ("have", "to"):
        return True
    return bool(rest) and (
        rest[0] in _WISHES or rest[:2] in (("was", "wondering"), ("were", "wondering"), ("got", "to"))
    )
