"""The datasheet that goes with every package: information for users of the data, filled in from logs and protocols.

After Gebru et al., "Datasheets for datasets" (2021). What no log can know is said to be not recorded, and not made up.
"""

import re
import statistics
from collections import Counter
from collections.abc import Iterable

import msgspec

from corpus.analysis import paper_tables
from corpus.analysis.turns import Course
from corpus.analysis.wizard_errors import AbilityRow, ComparedRow, Right, wizard_figures
from corpus.dataset.reader import Corpus
from corpus.dataset.removals import held_in
from corpus.description.citation import words
from corpus.description.corpus_metadata import CorpusMetadata, described
from corpus.formats import layout, spkrinfo
from corpus.formats.errors import counted
from corpus.release import holdout_file
from corpus.release.utterance_status import POOL, RELEASE
from session.study.diff import diff
from session.study.settings import Protocol
from session.values.sanitize import inert

UNKNOWN = "not recorded"
_MARKDOWN = re.compile(r"[\\`*\[\]<>&]")
SETS = {
    RELEASE: "what is released; other speakers are held out for tests, of each site as near a fifth as whole speakers allow",
    POOL: "the test pool: speakers who are held out from all that is released; blind, so that no request, row or reply is in it",
    "": "no set of its own: it says nothing of speakers held out for tests",
}


class Facts(msgspec.Struct, frozen=True):
    """The courses of a corpus and the protocols they were run under."""

    corpus: Corpus
    courses: tuple[Course, ...]
    protocols: tuple[Protocol, ...]
    right: Right = msgspec.field(default_factory=dict)


def protocols_of(corpus: Corpus) -> tuple[Protocol, ...]:
    """The protocols that the corpus carries, by hash; those that this release cannot read are left out."""
    found: list[Protocol] = []
    for path in sorted(corpus.manifest.files):
        if layout.is_protocol(path):
            try:
                found.append(msgspec.json.decode(corpus.read(path), type=Protocol))
            except (msgspec.DecodeError, ValueError):
                continue
    return tuple(found)


def text(corpus: Corpus, found: tuple[Course, ...], right: Right | None = None) -> str:
    """The datasheet in Markdown, of a corpus whose courses have been read; `right` tells of replies whether they are what the
    reference answers say."""
    facts = Facts(corpus, found, protocols_of(corpus), right or {})
    sections = {
        "What is in it": _composition(facts),
        "Who spoke": _people(facts),
        "How it was collected": _collection(facts),
        "What was done to it": _processing(facts),
        "What is missing": _missing(facts),
        "Use and keeping": _use(facts),
    }
    parts = ["# Datasheet\n"]
    if corpus.manifest.rehearsal:
        parts.append("**A rehearsal with scripted people and made-up speech: no data.**\n")
    for title, lines in sections.items():
        parts.append(f"## {title}\n\n" + "".join(f"* {line}\n" for line in lines))
    return "\n".join(parts)


def _composition(facts: Facts) -> list[str]:
    turns = [turn for course in facts.courses for turn in course.turns]
    seconds, entries = sum(turn.speech_s or 0 for turn in turns), facts.corpus.manifest.sessions
    return [
        f"{counted(len(turns), 'utterance')}, {seconds / 3600:.2f} hours, in "
        f"{counted(len(facts.courses), 'subject-scenario')} of {counted(len(entries), 'session')}, "
        f"{sum(entry.pilot for entry in entries)} of them pilots, which are not data",
        f"sites: {_counted(course.header['Site'] for course in facts.courses)} (subject-scenarios)",
        f"frozen protocol: {_counted(course.header.get('Frozen', '') or 'none' for course in facts.courses)}",
        f"conditions: {_counted(course.header.get('Condition', '') or 'none' for course in facts.courses)}",
        f"outcomes of the scenarios: {_counted(_outcome(course) for course in facts.courses)}",
        f"classes of the utterances: {_counted(turn.evaluation or 'not yet classified' for turn in turns)}",
        *_classes(facts),
        f"set: {set_text(facts.corpus)}",
    ]


def _outcome(course: Course) -> str:
    return course.outcome or ("not known" if course.imported else "broken off")


def _classes(facts: Facts) -> list[str]:
    """The classified utterances of each site with per cent of its own (MADCOW 1993, table 2), pilots not counted."""
    data = (course for course in facts.courses if course.header["Pilot"] == "no")
    return [
        f"classified, {row.site}: "
        + ", ".join(
            f"{name} {count} ({share:.1f} %)"
            for name, count, share in zip(paper_tables.CLASSES, (row.a, row.d, row.x), row.percentages, strict=True)
        )
        + f" of {row.total}"
        for row in paper_tables.by_class(paper_tables.units_of(facts.corpus, data))
        if row.total
    ]


def set_text(corpus: Corpus) -> str:
    """Name the set that the corpus is, in words."""
    return SETS[holdout_file.set_of(corpus)]


def _people(facts: Facts) -> list[str]:
    speakers = list(facts.corpus.speakers().values())
    ages = sorted(info.age for info in speakers if info.age is not None)
    return [
        f"speakers: {spkrinfo.summary(speakers)} (number; M male, F female, X other or not stated)",
        f"age: {ages[0]} to {ages[-1]}, median {statistics.median(ages):g}, known of {len(ages)}"
        if ages
        else f"age: {UNKNOWN}",
        f"dialect: {_counted(info.dialect or UNKNOWN for info in speakers)}",
        f"recruited through: {_counted(info.recruitment or UNKNOWN for info in speakers)}",
        f"compensated by: {_counted(info.compensation or UNKNOWN for info in speakers)}",
    ]


def _collection(facts: Facts) -> list[str]:
    lines = [
        f"method: {_counted(course.header['Collection_method'] for course in facts.courses)}",
        f"operators of the stages: {_counted(course.header['Mode'] or UNKNOWN for course in facts.courses)}",
        f"profile: {_counted(course.header['Profile'] or UNKNOWN for course in facts.courses)}",
        f"subjects were deceived: {_counted(course.header['Deception'] or UNKNOWN for course in facts.courses)}",
        f"recording: {_counted(course.header['Recording_control'] or UNKNOWN for course in facts.courses)}",
    ]
    for protocol in facts.protocols:
        microphones = ", ".join(sorted(protocol.equipment.microphones.values()))
        versions = f"database {protocol.domain} {protocol.database_version}, of {protocol.today}"
        details = f"{microphones}; {versions}; consent text {protocol.consent_version or UNKNOWN}"
        under = f", condition {protocol.condition}" if protocol.condition else ""
        lines.append(_plain(f"protocol {protocol.sha256[:12]}{under}: {details}"))
        for name, profile in protocol.scenario_profiles.items():
            changed = "; ".join(f"{one.key} {one.second}" for one in diff(protocol.profile, profile))
            lines.append(_plain(f"scenarios under {name}: {changed or 'as the profile has it'}"))
    return lines


def _processing(facts: Facts) -> list[str]:
    turns = [turn for course in facts.courses for turn in course.turns]
    drafts = sum(turn.draft for turn in turns)
    done = sum(turn.words is not None for turn in turns)
    listed = facts.corpus.manifest.files
    checked = sum(bool(entry.work and entry.work.checker) for path, entry in listed.items() if path.endswith(".sro"))
    typed = "imported texts" if facts.corpus.manifest.imported else "what the wizard typed"
    masked = sum(bool(entry.masked) for path, entry in listed.items() if path.endswith(".wav"))
    return [
        f"{counted(done - drafts, 'utterance')} transcribed in a pass of their own, {drafts} by drafts of {typed}, "
        f"{len(turns) - done} not at all",
        f"transcriptions checked by a second person: {checked}",
        f"waveforms with a tone over what would tell who somebody is: {masked}; [masked] is there in the "
        "detailed transcription, and nothing in the lexical one",
        "the lexical form (.lsn) is derived from the detailed one (.sro) by program",
        "speech is otherwise neither filtered nor normalised; what a device lost is noted in the log, sample by sample",
    ]


def _missing(facts: Facts) -> list[str]:
    manifest = facts.corpus.manifest
    gone = held_in(facts.corpus.root)
    return [
        f"{counted(len(manifest.withheld), 'waveform')} (of all microphones) withheld, because their speakers did not agree to "
        "hand over audio",
        f"{counted(len(manifest.missing), 'waveform')} missing, because their samples were lost or altered",
        f"speakers who have withdrawn: {len(gone.speakers)}; removals.json names what earlier copies must drop",
    ]


def _use(facts: Facts) -> list[str]:
    wrong = sum(turn.marked_wrong for course in facts.courses for turn in course.turns)
    collected = [
        "made for: training and testing of spoken language systems",
        "people spoke to a simulated system, which shapes how they speak",
        f"answers are those that were given, not reference answers; those that the wizard marked as wrong: {wrong}",
        *_wizards(facts),
    ]
    imported = [
        "recorded elsewhere and imported: for what, to whom people spoke and what they agreed to is not known here"
    ]
    return [
        *(imported if facts.corpus.manifest.imported else collected),
        "do not try to identify a speaker; the key from pseudonym to person is not part of it",
        *_stated(described(facts.corpus)),
    ]


def _wizards(facts: Facts) -> list[str]:
    """The errors of each wizard with 95 % intervals, pilots not counted."""
    data = [course for course in facts.courses if course.header["Pilot"] == "no"]
    found = wizard_figures(data, facts.right)
    told: dict[str, str] = {}
    for one in found.compared:
        told[one.wizard] = _share(one, one.compared, "are what the reference answers say")
    for kept in found.ability:
        told[kept.wizard] = told.get(kept.wizard, "") + _share(kept, kept.told, "kept to the written ability")
    lines = []
    for row in found.rows:
        took = "" if row.seconds is None else f", median {row.seconds:.1f} s to a reply"
        wrong = f"{row.percent:.1f} % of {row.replies} replies marked as wrong ({row.low:.1f} to {row.high:.1f})"
        lines.append(f"wizard {_plain(row.wizard)}: {wrong}{told.get(row.wizard, '')}{took}")
    return lines


def _share(row: ComparedRow | AbilityRow, number: int, what: str) -> str:
    return f"; {row.percent:.1f} % of {number} {what} ({row.low:.1f} to {row.high:.1f})"


def _stated(found: CorpusMetadata | None) -> list[str]:
    """Licence, contact and ethical review, as far as they are stated."""
    if found is None:
        return ["this package has no licence, contact or ethical review: ask its provider"]
    said = {
        "licence": (found.licence,),
        "contact": found.contacts,
        "ethics approval": found.ethics,
        "funding": found.funding,
        "to be cited": (words(found),),
    }
    return [f"{what}: {_plain('; '.join(filter(None, texts)) or UNKNOWN)}" for what, texts in said.items()]


def _counted(values: Iterable[str]) -> str:
    found = Counter(values)
    ordered = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{_plain(value)} {count}" for value, count in ordered)


def _plain(text: str) -> str:
    """Return what somebody typed, on one line of Markdown that shows it as it is.

    >>> _plain("<b>\\n* 3")
    '\\\\<b\\\\>␊\\\\* 3'
    """
    return _MARKDOWN.sub(r"\\\g<0>", inert(text))
