"""What holds for a corpus as a whole: manifest, speakers, protocols, drafts, README."""

import hashlib
import re

import msgspec

from corpus import layout, manifest, spkrinfo
from corpus.faults import FormatFault
from corpus.rules.answers import cas_fault
from corpus.rules.context import Context
from corpus.rules.texts import text
from session.names import base36
from session.study import Protocol

_VERSIONED = re.compile(r"/\* draft; database \S.* \*/\n")


def before(context: Context) -> None:
    """What the checks of single files rely on."""
    _manifest(context)
    _protocols(context)
    if layout.README not in context.survey.sizes:
        context.findings.add("readme.missing", layout.README, "no README.txt")
    else:
        text(context, layout.README)


def after(context: Context) -> None:
    """What is known only when every file has been seen."""
    _speakers(context)
    _drafts(context)
    if len(context.formats) > 1:
        context.findings.add("wave.mixed", context.formats["RIFF"], f"RIFF, but {context.formats['SPHERE']} is SPHERE")


def _manifest(context: Context) -> None:
    findings = context.findings
    if layout.MANIFEST not in context.survey.sizes:
        findings.add("manifest.missing", layout.MANIFEST, "no manifest.json")
        return
    found = text(context, layout.MANIFEST)
    if found is None:
        return
    try:
        context.manifest = manifest.parse(found, layout.MANIFEST)
    except FormatFault as fault:
        findings.add_fault("manifest.form", fault)
        return
    _files(context, context.manifest)
    _sessions(context, context.manifest)


def _files(context: Context, listed: manifest.Manifest) -> None:
    sizes = context.survey.sizes
    for path, entry in listed.files.items():
        if path not in sizes:
            context.findings.add("manifest.absent", path, "listed in the manifest, not here")
        elif sizes[path] != entry.bytes:
            context.findings.add("manifest.size", path, f"{sizes[path]} bytes here, {entry.bytes} in the manifest")
    for path in sizes:
        if path not in listed.files and path != layout.MANIFEST:
            context.findings.add("manifest.unlisted", path, "not in the manifest")


def _sessions(context: Context, listed: manifest.Manifest) -> None:
    if listed.rehearsal or any(entry.rehearsal for entry in listed.sessions):
        context.findings.add("manifest.rehearsal", layout.MANIFEST, "a rehearsal with scripted people")
    places = {unit.directory.partition("/")[2] for unit in context.survey.units}
    for entry in listed.sessions:
        context.entries[entry.session] = entry
        if entry.pilot:
            context.findings.add("manifest.pilot", layout.MANIFEST, f"session {entry.session} is a pilot")
        for number in entry.scenarios:
            place = f"{entry.speaker}/{base36(number, 1) if 0 < number < 36 else '?'}"
            if place not in places:
                context.findings.add("manifest.scenario", layout.MANIFEST, f"{entry.session}: {place} is not here")


def _speakers(context: Context) -> None:
    path, findings = layout.SPEAKER_TABLE, context.findings
    if path not in context.survey.sizes:
        findings.add("speakers.missing", path, "no speaker table")
        return
    found = text(context, path)
    if found is None:
        return
    try:
        table = spkrinfo.parse(found, path)
    except FormatFault as fault:
        findings.add_fault("speakers.form", fault)
        return
    known = {info.speaker for info in table.speakers}
    for speaker in sorted(context.speakers - known):
        findings.add("speakers.unknown", path, f"speaker {speaker} is not in the table")
    for speaker in sorted(known - context.speakers):
        findings.add("speakers.surplus", path, f"speaker {speaker} has no files here")


def _protocols(context: Context) -> None:
    for path in context.survey.sizes:
        if path.startswith(f"{layout.PROTOCOLS}/files/"):
            _protocol_file(context, path)
        elif path.startswith(f"{layout.PROTOCOLS}/") and path.endswith(".json"):
            _protocol(context, path)


def _protocol(context: Context, path: str) -> None:
    found = text(context, path)
    if found is None:
        return
    try:
        protocol = msgspec.json.decode(found, type=Protocol)
    except (msgspec.DecodeError, ValueError) as error:
        context.findings.add("protocol.form", path, str(error))
        return
    name = path.rpartition("/")[2].removesuffix(".json")
    if layout.safe(protocol.sha256) != name:
        context.findings.add("protocol.hash", path, f"the protocol is {protocol.sha256}, the file is named {name}")
    context.protocols[protocol.sha256] = path


def _protocol_file(context: Context, path: str) -> None:
    data = context.read(path)
    if data is not None and hashlib.sha256(data).hexdigest() != path.rpartition("/")[2]:
        context.findings.add("protocol.hash", path, "the content has another SHA-256 than its name")


def _drafts(context: Context) -> None:
    for path in context.survey.sizes:
        if not path.startswith(f"{layout.DRAFTS}/"):
            continue
        found = text(context, path)
        if found is None:
            continue
        if wrong := cas_fault(found):
            context.findings.add("draft.form", path, *wrong)
        if not _VERSIONED.match(found):
            context.findings.add("draft.version", path, "no version of the database", 1)
        if path.rpartition("/")[2].partition(".")[0] not in context.utterances:
            context.findings.add("draft.alone", path, "no such utterance")
