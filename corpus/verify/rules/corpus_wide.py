"""Rules for a corpus as a whole: manifest, speakers, lexicon, protocols, drafts, README."""

import sqlite3
from dataclasses import replace
from pathlib import Path

from corpus.dataset.reader import is_annotation
from corpus.formats import layout, lexicon, manifest, metadata_file, spkrinfo
from corpus.formats.errors import FormatFault, counted
from corpus.io.safe_open import leads_out
from corpus.verify.rules import draft_answers, handover_rules, protocols, sessions, speech, waveforms
from corpus.verify.rules import manifest_entries as listed
from corpus.verify.rules.context import Context, CorpusFacts
from corpus.verify.rules.encoding import parsed, text
from corpus.verify.rules.file_survey import KNOWN, FileSurvey
from corpus.verify.rules.findings import Findings
from corpus.verify.rules.gathered import CorpusContext, CorpusObservations
from corpus.verify.rules.scratch_tables import ListedFiles, of_directory, with_files
from session.values.names import base36

_INITIAL = {layout.SPEAKER_TABLE, layout.SITE_README}


def before(
    root: Path, headers: bool, survey: FileSurvey, findings: Findings, tables: sqlite3.Connection
) -> CorpusContext:
    """Check what the checks of single files rely on."""
    known = CorpusFacts(root, headers)
    listed = _manifest(Context(known, findings), survey, ListedFiles(tables))
    if listed is not None:
        entries = {entry.session: entry for entry in listed.sessions}
        known = replace(known, manifest=listed, entries=entries, withheld=frozenset(listed.withheld))
    context = Context(known, findings)
    described = (next(survey.sizes.apart(f"{layout.PROTOCOLS}/"), ""), *of_directory(listed, layout.PROTOCOLS))
    undescribed = not any(described)
    fixed = protocols.check(context, survey)
    bare = {entry.protocol for entry in known.entries.values() if not entry.chain_head} - fixed.keys()
    bare -= {entry.protocol for entry in known.entries.values() if entry.chain_head}
    known = replace(known, protocols=fixed, undescribed=undescribed, initial=frozenset(bare))
    if layout.README not in survey.sizes:
        findings.add("readme.missing", layout.README, "no README.txt")
    else:
        text(context, layout.README)
    return CorpusContext(known, findings, CorpusObservations(tables))


def after(context: CorpusContext, survey: FileSurvey) -> None:
    """Check what is known only when every file has been seen."""
    if context.manifest is not None:
        _files(context, survey, context.manifest)
        listed.check(context.findings, survey, context.manifest)
        _sessions(context, survey, context.manifest)
    with context.guarding(layout.MANIFEST):
        sessions.check(context, survey)
    with context.guarding(layout.SPEAKER_TABLE):
        _speakers(context, survey)
    with context.guarding(layout.LEXICON):
        _lexicon(context, survey)
    draft_answers.compare(context, survey)
    _apart(context, survey)
    with context.guarding(layout.MANIFEST):
        handover_rules.check(context, survey)
    speech.check(context, survey)
    _copies(context)
    formats = context.gathered.formats
    if len(formats) > 1:
        context.findings.add("wave.mixed", formats["RIFF"], f"RIFF, but {formats['SPHERE']} is SPHERE")


def _apart(context: CorpusContext, survey: FileSurvey) -> None:
    """Files that no other check opens: what never became an utterance, a site's own words, what is unknown but listed."""
    listed = context.manifest.files if context.manifest is not None else {}
    sessions_here = {layout.safe(log.session) for log in context.gathered.logs}
    owners = {layout.safe(session): entry.speaker for session, entry in context.known.entries.items()}
    sessions_here |= owners.keys()
    for path in survey.apart:
        with context.guarding(path):
            if path.startswith(f"{layout.UNNUMBERED}/") and path.endswith(".wav"):
                session = path.split("/")[1]
                waveforms.alone(context, path, owners.get(session, ""))
                if session not in sessions_here:
                    context.findings.add("set.unlogged", path, f"session {session} is not here")
            elif path.startswith(f"{layout.METADATA}/"):
                parsed(context, path, "metadata.form", metadata_file.parse)
            elif path == layout.SITE_README:
                text(context, path)
            elif not KNOWN.fullmatch(path) and path in listed:
                context.read(path)


def _copies(context: CorpusContext) -> None:
    """Takes and samples that are in more than one place; the first place by name counts as the original."""
    takes: dict[str, str] = {}
    for take, path, line in context.gathered.takes():
        here = f"{path}:{line}"
        if (first := takes.setdefault(take, here)) != here:
            context.findings.add("log.take", path, f"take {take} is in {first} too", line)
    sounds: dict[bytes, str] = {}
    for digest, path in context.gathered.sounds():
        if (original := sounds.setdefault(digest, path)) != path:
            context.findings.add("wave.duplicate", path, f"the same samples as {original}")


def _manifest(context: Context, survey: FileSurvey, files: ListedFiles) -> manifest.Manifest | None:
    """The manifest, whose entries are in a table."""
    findings = context.findings
    if layout.MANIFEST not in survey.sizes:
        rule = "manifest.initial" if _is_initial(survey) else "manifest.missing"
        findings.add(rule, layout.MANIFEST, "no manifest.json")
        return None
    if (streamed := survey.manifest(files)) is not None:
        return streamed
    found = text(context, layout.MANIFEST)
    if found is None:
        return None
    try:
        listed = manifest.parse(found, layout.MANIFEST)
    except FormatFault as fault:
        findings.add_fault("manifest.form", fault)
        return None
    if manifest.broken_seal(found):
        findings.add("manifest.seal", layout.MANIFEST, "the manifest was changed after it was sealed")
    files.fill(listed.files)
    return with_files(listed, files)


def _is_initial(survey: FileSurvey) -> bool:
    """Return whether nothing is there that an export makes: a site delivers its first data so (MADCOW 1992, section 3.1)."""
    if layout.SPEAKER_TABLE not in survey.sizes:
        return False
    return {path for path in survey.apart if "/" not in path or path.startswith("doc/")} <= _INITIAL


def _files(context: Context, survey: FileSurvey, listed: manifest.Manifest) -> None:
    for path, size in survey.sizes.unlike():
        if size is None and leads_out(path):
            found = f"the path {path!r} leads out of the corpus"
            context.findings.add("manifest.form", layout.MANIFEST, found, remedy="do not trust this corpus")
        elif size is None:
            context.findings.add("manifest.absent", path, "listed in the manifest, not here", remedy=_remedy(path))
        else:
            found = f"{size} bytes here, {listed.files[path].bytes} in the manifest"
            context.findings.add("manifest.size", path, found, remedy=_remedy(path))
    for path in survey.sizes.unlisted():
        if path != layout.MANIFEST:
            context.findings.add("manifest.unlisted", path, "not in the manifest", remedy=_remedy(path))


def _remedy(path: str) -> str:
    """Return what to do about a file that is not as it is listed; empty for what the rule itself says."""
    return "restore it, or make a new corpus with it: curtain answers --out" if is_annotation(path) else ""


def _sessions(context: Context, survey: FileSurvey, listed: manifest.Manifest) -> None:
    if listed.rehearsal or any(entry.rehearsal for entry in listed.sessions):
        context.findings.add("manifest.rehearsal", layout.MANIFEST, "a rehearsal with scripted people")
    places = {directory.partition("/")[2] for directory in survey.directories}
    for entry in listed.sessions:
        if entry.pilot:
            context.findings.add("manifest.pilot", layout.MANIFEST, f"session {entry.session} is a pilot")
        for what in entry.damage:
            context.findings.add("manifest.damage", layout.MANIFEST, f"session {entry.session}: {what}")
        for number in entry.scenarios:
            place = f"{entry.speaker}/{base36(number, 1) if 0 < number < 36 else '?'}"
            if place not in places:
                context.findings.add("manifest.scenario", layout.MANIFEST, f"{entry.session}: {place} is not here")


def _speakers(context: CorpusContext, survey: FileSurvey) -> None:
    path, findings = layout.SPEAKER_TABLE, context.findings
    if path not in survey.sizes:
        findings.add("speakers.missing", path, "no speaker table")
        return
    table = parsed(context, path, "speakers.form", spkrinfo.parse)
    if table is None:
        return
    known = {info.speaker: info.site for info in table.speakers}
    for speaker in sorted(context.gathered.speakers - known.keys()):
        findings.add("speakers.unknown", path, f"speaker {speaker} is not in the table")
    for speaker in sorted(known.keys() - context.gathered.speakers):
        findings.add("speakers.surplus", path, f"speaker {speaker} has no files here")
    sites: dict[str, set[str]] = {}
    for log in context.gathered.logs:
        sites.setdefault(log.speaker, set()).add(log.site)
    for speaker, site in known.items():
        where = sites.get(speaker, set())
        if len(where) > 1 or (site and where and site not in where):
            found = f"speaker {speaker} is of {site or 'no site'} here, of {' and '.join(sorted(where))} in the logs"
            findings.add("speakers.site", path, found)


def _lexicon(context: CorpusContext, survey: FileSurvey) -> None:
    """Held against the transcriptions, unless one of them cannot be read: then there is no knowing."""
    path, findings = layout.LEXICON, context.findings
    if path not in survey.sizes:
        findings.add("lexicon.missing", path, "no lexicon")
        return
    found = parsed(context, path, "lexicon.form", lexicon.parse)
    if found is None:
        return
    listed, spoken = dict(found.counts), context.gathered.words
    wrong = [word for word in sorted({*listed, *spoken}) if listed.get(word, 0) != spoken[word]]
    if wrong and not context.gathered.unread:
        first = wrong[0]
        more = f", and {counted(len(wrong) - 1, 'other word')}" if len(wrong) > 1 else ""
        findings.add(
            "lexicon.counts",
            path,
            f"{first!r} is counted {listed.get(first, 0)} and was spoken {counted(spoken[first], 'time')}{more}",
        )
