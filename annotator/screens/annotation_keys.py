"""The keys of the annotation desk: letters while the dialogue has the focus, the others everywhere."""

from textual.binding import BindingType

from desk.keys.actions import bound


def _key(key: str, action: str, does: str, more: str = "", *, show: bool = True) -> BindingType:
    return bound(key, action, does, more, show=show, first=False)


KEYS: list[BindingType] = [
    bound("f3", "play", "Play", "Plays the utterance; stops it"),
    bound("ctrl+s", "done", "Submit/agree", "Submits it, or as a second person: agrees"),
    _key("a", "classed('A')", "A", "Answerable by itself"),
    _key("d", "classed('D')", "D", "Needs the earlier dialogue"),
    _key("D", "classed('D1')", "D1", "Needs the query before alone", show=False),
    _key("x", "exclude", "X", "Excluded, with the reason"),
    *(_key(grade, f"graded('{grade}')", f"{grade} of 1989", show=False) for grade in "0123"),
    _key("w", "write", "Sentence", "Writes the sentence of the reading in hand"),
    _key("t", "tag", "Tags", "Tags, with the class that each leads to"),
    _key("c", "context", "Context", "The earlier queries of which any one gives the context"),
    _key("p", "principle", "Principles", "Searches the principles; Enter cites one"),
    _key("n", "reading('more')", "New reading", "Another reading, with a sentence of its own"),
    _key("N", "reading('less')", "Drop reading", show=False),
    _key("y", "reading('yes/no')", "Yes/no", "One sentence for TRUE or FALSE, and for rows"),
    _key("tab", "reading('next')", "Next reading", show=False),
    _key("r", "exclude", "Reason", "The reason of an X, by code", show=False),
    _key("G", "own_tag", "Own tag", "A tag of your site", show=False),
    _key("m", "note", "Note", show=False),
    _key("u", "undo", "Undo"),
    _key("l", "proposal", "Proposals", "Accepts a program's proposal", show=False),
    _key("o", "object", "Object", "Requests another annotation, with evidence: another person rules"),
    bound("escape", "drop", "Let go", "Drops the annotation that you ask for, or that you would rule", show=False),
    bound("ctrl+r", "reopen", "Reopen", show=False),
    bound("pagedown", "go(1)", "Next"),
    bound("pageup", "go(-1)", "Before"),
    bound("ctrl+l", "list", "List", show=False),
    _key("slash", "find", "Go to", "An utterance by its name", show=False),
    bound("ctrl+f", "filter", "Filter", show=False),
    bound("f6", "queue", "Queue", "Disagreements and requests that wait for a ruling"),
]
