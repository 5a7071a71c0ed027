"""What must not be in a corpus that is handed over: people who withdrew, speakers of the other set, ids that were given up."""

from corpus import index, layout, removals, renames
from corpus.faults import FormatFault
from corpus.rules.context import Context
from corpus.rules.survey import Survey
from corpus.rules.texts import text
from session.names import StemName


def check(context: Context, survey: Survey) -> None:
    """The speakers who are here against the removal list, the renames and the assignment to sets."""
    speakers = sorted(context.seen.speakers)
    if removals.REMOVALS in survey.sizes and (found := text(context, removals.REMOVALS)) is not None:
        _removals(context, survey, found, speakers)
    if renames.RENAMES in survey.sizes and (found := text(context, renames.RENAMES)) is not None:
        _renames(context, found)
    of = ""
    if layout.HOLDOUT in survey.sizes and (found := text(context, layout.HOLDOUT)) is not None:
        of = _sets(context, found, speakers)
    for which, path in layout.INDEXES.items():
        if which == of or path in survey.sizes:
            _index(context, survey, path, which == of)


def _removals(context: Context, survey: Survey, found: str, speakers: list[str]) -> None:
    try:
        listed = removals.parse(found, removals.REMOVALS)
    except FormatFault as fault:
        context.findings.add_fault("removals.form", fault)
        return
    gone = listed.speakers
    for removal in listed.removals:
        folders = tuple(f"{layout.UNNUMBERED}/{layout.safe(session)}/" for session in removal.sessions)
        kept = {path for path in removal.files if path in survey.sizes}
        kept |= {path for path in survey.apart if folders and path.startswith(folders)}
        for path in sorted(kept if removal.speaker not in speakers or removal.scope else ()):
            context.findings.add(
                "removals.here", path, f"speaker {removal.speaker} has withdrawn it, and it is still here"
            )
    for speaker in speakers:
        if speaker in gone:
            context.findings.add(
                "removals.here", removals.REMOVALS, f"speaker {speaker} has withdrawn and is still here"
            )


def _renames(context: Context, found: str) -> None:
    try:
        listed = renames.parse(found, renames.RENAMES)
    except FormatFault as fault:
        context.findings.add_fault("renames.form", fault)
        return
    for rename in listed.renames:
        for session in rename.sessions:
            entry = context.known.entries.get(session)
            if entry is not None and entry.speaker != rename.new:
                told = f"session {session} is of {entry.speaker} here, of {rename.new} by the list"
                context.findings.add("renames.here", renames.RENAMES, told)


def _sets(context: Context, found: str, speakers: list[str]) -> str:
    """Gives the set that the corpus says it is."""
    from corpus import (
        assignments,  # which brings the store of later work with it: most corpora are whole and do without
    )

    try:
        assigned = assignments.parse(found, layout.HOLDOUT)
    except FormatFault as fault:
        context.findings.add_fault("sets.form", fault)
        return ""
    for speaker in speakers:
        if (of := assigned.sets.get(speaker, "no set")) != assigned.of:
            told = f"speaker {speaker} is of {of}, this corpus is the {assigned.of or 'whole'}"
            context.findings.add("sets.speaker", layout.HOLDOUT, told)
    return assigned.of


def _index(context: Context, survey: Survey, path: str, wanted: bool) -> None:
    if path not in survey.sizes or not wanted:
        here = "the set has no index" if wanted else "the index of a set that this corpus is not"
        context.findings.add("sets.index", path, here)
        return
    if (found := text(context, path)) is None:
        return
    try:
        listed = set(index.parse(found, path))
    except FormatFault as fault:
        context.findings.add_fault("sets.index", fault)
        return
    data = {index.place_of(StemName.parse(name)) for name in context.seen.utterances - context.seen.apart}
    for place in sorted(listed ^ data):
        here = "is listed and no utterance of this set" if place in listed else "is not listed"
        context.findings.add("sets.index", path, f"{place} {here}")
