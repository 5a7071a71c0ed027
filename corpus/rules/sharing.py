"""What must not be in a corpus that is handed over: people who withdrew, speakers of the other set, ids that were given up."""

from corpus import layout, removals, renames
from corpus.faults import FormatFault
from corpus.rules.context import Context
from corpus.rules.survey import Survey
from corpus.rules.texts import text


def check(context: Context, survey: Survey) -> None:
    """The speakers who are here against the removal list, the renames and the assignment to sets."""
    speakers = sorted(context.seen.speakers)
    if removals.REMOVALS in survey.sizes and (found := text(context, removals.REMOVALS)) is not None:
        _removals(context, found, speakers)
    if renames.RENAMES in survey.sizes and (found := text(context, renames.RENAMES)) is not None:
        _renames(context, found)
    if layout.HOLDOUT in survey.sizes and (found := text(context, layout.HOLDOUT)) is not None:
        _sets(context, found, speakers)


def _removals(context: Context, found: str, speakers: list[str]) -> None:
    try:
        gone = removals.parse(found, removals.REMOVALS).speakers
    except FormatFault as fault:
        context.findings.add_fault("removals.form", fault)
        return
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


def _sets(context: Context, found: str, speakers: list[str]) -> None:
    from corpus import (
        assignments,  # which brings the store of later work with it: most corpora are whole and do without
    )

    try:
        assigned = assignments.parse(found, layout.HOLDOUT)
    except FormatFault as fault:
        context.findings.add_fault("sets.form", fault)
        return
    for speaker in speakers:
        if (of := assigned.sets.get(speaker, "no set")) != assigned.of:
            told = f"speaker {speaker} is of {of}, this corpus is the {assigned.of or 'whole'}"
            context.findings.add("sets.speaker", layout.HOLDOUT, told)
