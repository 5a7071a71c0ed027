"""`.cat`: the category of one utterance, and of each of its interpretations.

    <cat_spec>        ::= <eval_class>: <characteristics>
    <eval_class>      ::= A | X | D1 | D
    <characteristics> ::= <utt_chars> <interp_id_&_chars>*
    <utt_chars>       ::= <basic_tags>* (<cd-tag>)

(LDC93S5 CAT_SPEC, 26 August 1991.) Only class A may stand without characteristics. `;` begins a comment. The spellings
of MADCOW 1992, figure 3 (`wh-ques`, `context-dep:Q1`) are read, those of the specification are written.
"""

import re

import msgspec

from corpus.formats.errors import FormatFault
from corpus.formats.safe_lines import lines_of

CLASSES = ("A", "X", "D1", "D")
TAGS = (
    "arithmetic", "bad-db", "book", "cancelled", "disallowed", "hopelessly-vague", "ill-formed", "multi-sentence",
    "presupposition-failure", "responding", "testably-ambiguous", "trunc-utt", "uncooperative", "unanswerable",
    "underspecified", "ungrammatical", "wh-question", "wizard-error", "yes/no",
)  # fmt: skip
_OLD_TAGS = {"wh-ques": "wh-question"}
_CONTEXT = re.compile(r"(?:context-dependent|context-dep):(.*)")
_POINTER = re.compile(r"[A-Z][0-9a-z]{1,3}")
_INTERPRETATION = re.compile(r"interp#([0-9]{1,9}):")


class Characteristics(msgspec.Struct, frozen=True):
    """Tags in their order, and the earlier queries of which any one gives the context (a disjunction)."""

    tags: tuple[str, ...] = ()
    context: tuple[str, ...] = ()


class Category(msgspec.Struct, frozen=True):
    """Class, characteristics of the utterance, those of each interpretation by number, and the comments."""

    evaluation: str
    utterance: Characteristics = Characteristics()
    interpretations: tuple[tuple[int, Characteristics], ...] = ()
    comments: tuple[str, ...] = ()

    def allows(self, statements: int) -> bool:
        """Return whether so many sentences or statements can be those of the interpretations: one each.

        One will do for two that differ only in that one asks yes or no (MADCOW 1993, figure 3: yes/no and wh-question).
        """
        answers = ["yes/no" in characteristics.tags for _, characteristics in self.interpretations]
        return statements == max(1, len(answers)) or (statements == 1 and sorted(answers) == [False, True])


def parse(data: bytes | str, path: str, own: list[str] | None = None) -> Category:
    """The category in a file; raises `FormatFault` that names the line and the word.

    Tags that the specification does not have are put into `own`, where it is given, instead of being refused.

    >>> render(parse("A: wh-question\\n; a remark\\n", "x.cat"))
    b'A: wh-question\\n; a remark\\n'
    """
    words: list[tuple[int, str]] = []
    comments: list[str] = []
    for number, line in enumerate(lines_of(data, path), start=1):
        text, sign, comment = line.partition(";")
        words += [(number, word) for word in text.split()]
        if sign:
            comments.append(comment.strip())
    if not words:
        raise FormatFault(path, 0, "no category in the file", "write a class and its tags, such as A: wh-question")
    number, first = words[0]
    if not first.endswith(":") or first[:-1] not in CLASSES:
        raise FormatFault(path, number, f"{first!r} is not a class", "begin with one of A: X: D1: D:")
    category = _category(first[:-1], words[1:], tuple(comments), path, own)
    groups = (category.utterance, *(characteristics for _, characteristics in category.interpretations))
    if category.evaluation != "A" and not own and all(group == Characteristics() for group in groups):
        raise FormatFault(path, number, f"class {category.evaluation} without a tag", "say why, by at least one tag")
    return category


def render(category: Category) -> bytes:
    """The canonical bytes: class and tags on the first line, one line an interpretation, comments at the end."""
    lines = [" ".join([f"{category.evaluation}:", *_words(category.utterance)])]
    lines += [" ".join([f"interp#{number}:", *_words(chars)]) for number, chars in category.interpretations]
    lines += [f"; {comment}".rstrip() for comment in category.comments]
    return ("\n".join(lines) + "\n").encode()


def _category(
    evaluation: str, words: list[tuple[int, str]], comments: tuple[str, ...], path: str, own: list[str] | None
) -> Category:
    groups: list[tuple[int, list[tuple[int, str]]]] = [(0, [])]
    for line, word in words:
        if match := _INTERPRETATION.fullmatch(word):
            if int(match[1]) != len(groups):
                raise FormatFault(path, line, f"{word} out of order", f"write interp#{len(groups)}: here")
            groups.append((int(match[1]), []))
        else:
            groups[-1][1].append((line, word))
    first, *others = [(number, _characteristics(group, path, own)) for number, group in groups]
    return Category(evaluation, first[1], tuple(others), comments)


def _characteristics(words: list[tuple[int, str]], path: str, own: list[str] | None) -> Characteristics:
    tags: list[str] = []
    context: tuple[str, ...] = ()
    for line, word in words:
        if match := _CONTEXT.fullmatch(word):
            if context:
                raise FormatFault(path, line, "two context tags", "join their pointers: context-dependent:Q1|Q2")
            context = _pointers(match[1], line, path)
            continue
        tag = _OLD_TAGS.get(word, word)
        if tag not in TAGS and own is not None:
            own.append(tag)
            continue
        if tag not in TAGS:
            raise FormatFault(path, line, f"{word!r} is not a tag", "use one of " + " ".join(TAGS))
        if tag in tags:
            raise FormatFault(path, line, f"{word!r} occurs twice", "remove one of the two")
        tags.append(tag)
    return Characteristics(tuple(tags), context)


def _pointers(text: str, line: int, path: str) -> tuple[str, ...]:
    pointers = tuple(re.split(r"[|,]", text))
    for pointer in pointers:
        if not _POINTER.fullmatch(pointer):
            raise FormatFault(path, line, f"{pointer!r} is not a pointer to a query", "write one such as Q2")
    return pointers


def _words(characteristics: Characteristics) -> list[str]:
    context = ["context-dependent:" + "|".join(characteristics.context)] if characteristics.context else []
    return [*characteristics.tags, *context]
