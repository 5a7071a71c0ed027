"""Comparison of the protocols in a corpus with the study's files: the subjects' texts and the wizards' messages."""

import hashlib
import tempfile
from contextlib import suppress
from pathlib import Path

import msgspec

from corpus.formats import layout
from corpus.formats.log.projection import fixed_by, machine_stages, planned_for_machines
from corpus.formats.log.wording import word
from corpus.io.safe_open import leads_out
from corpus.verify.rules.context import Context, ProtocolHeaders
from corpus.verify.rules.file_survey import FileSurvey
from session.study.settings import Protocol

# Not the version of the database: one that somebody else keeps may change while the protocol stays.
_FIXED = (
    "Recording_control", "Echo", "Profile", "Domain", "Deception", "Reply_limit", "Today", "Task", "Returned_data",
    "Collection_method", "Digitiser", "Room", "Noise",
)  # fmt: skip
_SAID = (
    "site", "domain", "today", "equipment", "scenarios", "canned_messages", "consent_version", "consent_text", "instructions",
    "debriefing", "questionnaires",
)  # fmt: skip
_LARGEST, _MOST = 1 << 22, 1000
"""Bytes of all files of a protocol, and how many these may be: with more, it is not read again."""


def check(context: Context, survey: FileSurvey) -> dict[str, ProtocolHeaders]:
    """Check the protocols and return what each fixes in the header of a log, by the protocols' hashes."""
    files: dict[str, bytes] = {}
    read: list[tuple[str, Protocol]] = []
    for path in survey.apart:
        with context.guarding(path):
            if path.startswith(f"{layout.PROTOCOLS}/files/"):
                files |= _file(context, path)
            elif layout.is_protocol(path):
                read += [(path, protocol) for protocol in _protocol(context, path)]
    for path, protocol in read:
        with context.guarding(path):
            _derived(context, path, protocol, files)
    return {protocol.sha256: _fixed(protocol) for _, protocol in read}


def _protocol(context: Context, path: str) -> list[Protocol]:
    """Holds whatever the study's files hold, soft hyphens too: it is what the subjects read, under a hash."""
    found = context.read(path)
    if found is None:
        return []
    try:
        protocol = msgspec.json.decode(found, type=Protocol)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        context.findings.add("protocol.form", path, str(error))
        return []
    if path not in layout.protocol_paths(protocol.site, protocol.sha256):
        context.findings.add("protocol.hash", path, f"the protocol is {protocol.sha256} of {protocol.site}")
    return [protocol]


def _fixed(protocol: Protocol) -> ProtocolHeaders:
    scenarios = {word(scenario.id): scenario for scenario in protocol.scenarios.values()}
    inside = {
        name: _header(msgspec.structs.replace(protocol, profile=profile))
        for name, profile in protocol.scenario_profiles.items()
    }
    return ProtocolHeaders(
        _header(protocol), scenarios, planned_for_machines(protocol), inside, machine_stages(protocol)
    )


def _header(protocol: Protocol) -> dict[str, str]:
    fixed = fixed_by(protocol)
    header = {key: str(fixed[key]) for key in _FIXED} | {"Site": protocol.site}
    return header | {"Microphone": "\n".join(fixed["Microphone"])}


def _file(context: Context, path: str) -> dict[str, bytes]:
    """A file of a study, by its hash."""
    data = context.read(path)
    named = path.rpartition("/")[2].partition("_")[0]
    if data is None:
        return {}
    sha256 = hashlib.sha256(data).hexdigest()
    if not named or not sha256.startswith(named):
        context.findings.add("protocol.hash", path, "the content has another SHA-256 than its name")
        return {}
    return {sha256: data}


def _derived(context: Context, path: str, protocol: Protocol, files: dict[str, bytes]) -> None:
    """The protocol made again out of its files, where all of them are here and this version of Curtain can read them."""
    own = {name: files[sha256] for name, sha256 in protocol.files.items() if sha256 in files}
    if not own or len(own) < len(protocol.files) or len(own) > _MOST or any(map(leads_out, own)):
        return
    if sum(map(len, own.values())) > _LARGEST or (anew := _anew(own, protocol)) is None:
        return
    if anew.sha256 != protocol.sha256:
        context.findings.add("protocol.hash", path, f"its files give {anew.sha256}")
    said = _SAID + (("profile", "scenario_profiles") if f"profiles/{protocol.profile.name}.toml" in own else ())
    for key in said:
        if getattr(anew, key) != getattr(protocol, key):
            context.findings.add("protocol.derived", path, f"{key} is not what the study's files say")


def _anew(files: dict[str, bytes], protocol: Protocol) -> Protocol | None:
    """Return what these files say, the texts as under the protocol's own profile: one that ships may have changed since."""
    from session.study.folder import load
    from session.study.questionnaires import read_text  # which read TOML: a corpus without the files does without
    from session.study.toml_reader import StudyError

    with suppress(StudyError, OSError, ValueError), tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file_name, data in files.items():
            place = folder / file_name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        study = load(folder)
        consent, instructions, debriefing = (
            read_text(folder / file_name, protocol.profile)
            for file_name in ("consent.txt", study.instructions_of(protocol.condition), "debriefing.txt")
        )
        found = study.protocol(protocol.database_version, protocol.condition)
        return msgspec.structs.replace(found, consent_text=consent, instructions=instructions, debriefing=debriefing)
    return None
