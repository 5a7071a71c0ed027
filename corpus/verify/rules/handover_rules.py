"""Rules for a corpus that is handed over, which must not contain people who withdrew, speakers of the other set, or former
ids."""

from contextlib import suppress

import msgspec

from corpus.dataset import blind, ndx, removals
from corpus.formats import layout, renames
from corpus.formats.errors import counted
from corpus.release.utterance_status import POOL
from corpus.verify.rules.encoding import parsed
from corpus.verify.rules.file_survey import FileSurvey
from corpus.verify.rules.gathered import CorpusContext
from session.values.consent import ConsentScope
from session.values.names import StemName


def check(context: CorpusContext, survey: FileSurvey) -> None:
    """The speakers who are here against the removal list, the renames and the assignment to sets."""
    speakers = sorted(context.gathered.speakers)
    silent = _removals(context, survey, speakers) if removals.REMOVALS in survey.sizes else set[str]()
    _withheld(context, silent)
    renamed = _renames(context) if renames.RENAMES in survey.sizes else ()
    of = _sets(context, speakers, renamed) if layout.HOLDOUT in survey.sizes else ""
    if of == POOL:
        _blind(context, survey)
    for which, path in layout.INDEXES.items():
        if which == of or path in survey.sizes:
            _index(context, survey, path, which == of)


def _removals(context: CorpusContext, survey: FileSurvey, speakers: list[str]) -> set[str]:
    """Gives the sessions of those who took back their sound alone."""
    listed = parsed(context, removals.REMOVALS, "removals.form", removals.parse)
    if listed is None:
        return {log.session for log in context.gathered.logs}
    gone = listed.speakers
    for removal in listed.removals:
        own = (layout.UNNUMBERED,) if removal.scope else layout.APART  # the system's sound is nobody's own
        folders = tuple(f"{top}/{layout.safe(session)}/" for session in removal.sessions for top in own)
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
    return {session for removal in listed.removals if removal.scope for session in removal.sessions}


def _withheld(context: CorpusContext, silent: set[str]) -> None:
    """Sound is withheld for one reason; whatever else is not here is lost. `silent` are sessions whose sound was taken back."""
    agreed = {
        log.session for log in context.gathered.logs if log.agreements and not log.refuses(ConsentScope.PUBLISH_AUDIO)
    } - silent
    refused = {log.session for log in context.gathered.logs if log.refuses(ConsentScope.PUBLISH_AUDIO)}
    folders = {log.path.rpartition("/")[0] for log in context.gathered.logs if log.session in agreed - refused}
    for path in sorted(context.known.withheld):
        if path.rpartition("/")[0] in folders:
            context.findings.add(
                "manifest.left-out", path, "withheld by the manifest, and the speaker agreed by the log"
            )


def _blind(context: CorpusContext, survey: FileSurvey) -> None:
    """A test pool holds no answer; so its logs tell of no reply, and none is missed."""
    context.findings.waive("log.unanswered")
    answering = set[str]()
    for path in filter(layout.is_protocol, survey.apart):
        with suppress(msgspec.DecodeError):
            answering.update(blind.answering_files(context.read(path) or b"{}"))
    for path in survey.sizes:
        if not blind.holds(path, answering):
            context.findings.add("sets.blind", path, "an answer, or a site's text about one")
        elif layout.is_protocol(path):
            data = context.read(path)
            with suppress(msgspec.DecodeError):  # what is no protocol is told elsewhere
                if data is None or not blind.solutions_in(data):
                    continue
                context.findings.add("sets.blind", path, "solutions of scenarios")
    for log in context.gathered.logs:
        if log.answers:
            found = f"{counted(log.answers, 'record')} of requests, rows, replies or what the subject did not see"
            context.findings.add("sets.blind", log.path, found)


def _renames(context: CorpusContext) -> tuple[renames.Rename, ...]:
    """Gives those who were renamed."""
    listed = parsed(context, renames.RENAMES, "renames.form", renames.parse)
    if listed is None:
        return ()
    for rename in listed.renames:
        for session in rename.sessions:
            entry = context.known.entries.get(session)
            if entry is not None and entry.speaker != rename.new:
                found = f"session {session} is of {entry.speaker} here, of {rename.new} by the list"
                context.findings.add("renames.here", renames.RENAMES, found)
    return listed.renames


def _sets(context: CorpusContext, speakers: list[str], renamed: tuple[renames.Rename, ...]) -> str:
    """Gives the set that the corpus says it is."""
    from corpus.release import holdout_file

    assigned = parsed(context, layout.HOLDOUT, "sets.form", holdout_file.parse)
    if assigned is None:
        return ""
    for speaker in speakers:
        if (of := assigned.sets.get(speaker, "no set")) != assigned.of:
            found = f"speaker {speaker} is of {of}, this corpus is the {assigned.of or 'whole'}"
            context.findings.add("sets.speaker", layout.HOLDOUT, found)
    # Where sites have come together the old id may be another person's: that is what they are renamed for.
    alone = {log.site for log in context.gathered.logs}
    for rename in renamed:
        if alone != {rename.site}:
            continue
        before, now = assigned.sets.get(rename.old), assigned.sets.get(rename.new)
        if before and now and before != now and rename.old not in speakers:
            found = f"{rename.new} is of {now}; {rename.old}, who was given that id, of {before}"
            context.findings.add("sets.renamed", layout.HOLDOUT, found)
    return assigned.of


def _index(context: CorpusContext, survey: FileSurvey, path: str, wanted: bool) -> None:
    if path not in survey.sizes or not wanted:
        here = "the set has no index" if wanted else "the index of a set that this corpus is not"
        context.findings.add("sets.index", path, here)
        return
    found = parsed(context, path, "sets.index", ndx.parse)
    if found is None:
        return
    listed = set(found)
    data = {ndx.place_of(StemName.parse(name)) for name in context.gathered.data()}
    for place in sorted(listed ^ data):
        here = "is listed and no utterance of this set" if place in listed else "is not listed"
        context.findings.add("sets.index", path, f"{place} {here}")
