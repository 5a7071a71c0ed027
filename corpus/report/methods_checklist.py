"""The methods checklist for Wizard-of-Oz studies (Riek 2012), filled in from logs and protocols.

Of 54 papers that she read, 4 % measured the wizard's errors and 5 % reported the wizard's training. What the logs know is stated
here; what only people know is asked for by name instead of being left out.
"""

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from corpus.analysis.turns import Course
from corpus.analysis.wizard_errors import ComparedRow
from corpus.analysis.word_alignment import WordErrors
from corpus.dataset.reader import Corpus
from corpus.formats import spkrinfo
from corpus.formats.errors import counted
from corpus.formats.log.projection import PLANNED
from session.study.settings import Protocol
from session.values.vocabulary import Operator

ASK = "not in the logs: state it in the paper"


class ChecklistItem(msgspec.Struct, frozen=True):
    """One question of the checklist and its answer; `known` is False if people have to add it."""

    part: str
    question: str
    answer: str
    known: bool = True


def checklist(
    corpus: Corpus, every: Sequence[Course], protocols: Sequence[Protocol], compared: Sequence[ComparedRow] = ()
) -> list[ChecklistItem]:
    """Return all items in their order; pilots are counted and are in no other answer. `compared` are wizards against
    references."""
    found = [course for course in every if course.header["Pilot"] == "no"]
    return [
        *_system(found, protocols),
        *_users(corpus, found, protocols),
        *_wizards(found, protocols, compared),
        *_general(corpus, found, protocols),
    ]


def _system(found: Sequence[Course], protocols: Sequence[Protocol]) -> list[ChecklistItem]:
    part = "System"
    databases = {
        f"{'' if protocol.database_version.startswith(protocol.domain) else f'{protocol.domain} '}{protocol.database_version}"
        for protocol in protocols
    }
    return [
        ChecklistItem(part, "What was the system to be?", _list(course.header.get("Domain", "") for course in found)),
        ChecklistItem(
            part, "Which parts were simulated, and by whom?", _list(course.header["Mode"] for course in found)
        ),
        ChecklistItem(part, "What did it stand on?", ", ".join(sorted(databases)) or ASK, bool(databases)),
    ]


def _users(corpus: Corpus, found: Sequence[Course], protocols: Sequence[Protocol]) -> list[ChecklistItem]:
    part, took_part = "Users", {course.header["Speaker"] for course in found}
    under = {(course.header["Speaker"], course.header.get("Condition", "")) for course in found}
    speakers = [info for info in corpus.speakers().values() if info.speaker in took_part]
    ages = sorted(info.age for info in speakers if info.age is not None)
    shown = f", aged {ages[0]} to {ages[-1]}, median {statistics.median(ages):g}" if ages else ""
    instructed = any(protocol.instructions for protocol in protocols)
    forms = [form for course in found for form in course.forms]
    asked = sum(form.name == "belief" or any(_about_belief(item) for item, _ in form.answers) for form in forms)
    debriefed = len({course.header["Session"] for course in found if course.debriefed})
    deceived = _list(course.header["Deception"] for course in found)
    return [
        ChecklistItem(part, "How many took part, and who were they?", f"{spkrinfo.summary(speakers)}{shown}"),
        ChecklistItem(part, "How many under which condition?", _list(
            (condition for _, condition in under), "all under the same" if found else ASK)),
        ChecklistItem(part, "How were they found and paid?", _list(
            f"{info.recruitment or 'not recorded'}; {info.compensation or 'not recorded'}" for info in speakers)),
        ChecklistItem(part, "What were they told?", "instructions.txt, in doc/protocol" if instructed else ASK, instructed),
        ChecklistItem(part, "Did they believe that it was a machine?",
             f"asked in {counted(asked, 'questionnaire')}" if asked else ASK, bool(asked)),
        ChecklistItem(part, "Were they deceived, and told so afterwards?",
             f"deceived: {deceived}; {counted(debriefed, 'session')} with a debriefing in the log", bool(debriefed)),
    ]  # fmt: skip


def _about_belief(item: str) -> bool:
    return any(word in item.lower() for word in ("machine", "computer", "human", "believ", "real"))


def _wizards(
    found: Sequence[Course], protocols: Sequence[Protocol], compared: Sequence[ComparedRow]
) -> list[ChecklistItem]:
    part = "Wizard"
    turns = [turn for course in found for turn in course.turns]
    replies = sum(turn.answered for turn in turns)
    wrong, canned = sum(turn.marked_wrong for turn in turns), sum(bool(turn.canned) for turn in turns)
    failures, requests = sum(turn.failures for turn in turns), sum(turn.requests for turn in turns)
    held_against = sum(row.compared for row in compared)
    differ = held_against - sum(row.right for row in compared)
    against = f"{differ} of {held_against} differ from the reference answers ({_percent(differ, held_against)}); "
    messages = max((len(protocol.canned_messages) for protocol in protocols), default=0)
    profiles = [one for protocol in protocols for one in (protocol.profile, *protocol.scenario_profiles.values())]
    free = any(profile.free_text for profile in profiles)
    bound = f"answers from the database, {counted(messages, 'canned message')}" + (
        ", free text" if free else ", no free text"
    )
    return [
        ChecklistItem(part, "How many wizards?", _list(map(_wizard, found))),
        ChecklistItem(part, "Who were they, and what did they know of the hypotheses?", ASK, False),
        _trained(part, found),
        ChecklistItem(part, "What could they say?", f"{bound}; {canned} of {replies} replies were canned"),
        ChecklistItem(part, "What could they perceive?", _recognition(found, protocols)),
        ChecklistItem(part, "Which errors were simulated?", _put_in(found)),
        ChecklistItem(part, "Which errors did they make?",
             f"{wrong} of {replies} replies marked as wrong ({_percent(wrong, replies)}); "
             f"{against if held_against else ''}{failures} of {requests} requests "
             f"to the database failed ({_percent(failures, requests)}); "
             f"{counted(sum(turn.limit_reached for turn in turns), 'turn')} passed the limit for a reply"),
    ]  # fmt: skip


def _trained(part: str, found: Sequence[Course]) -> ChecklistItem:
    question = "How and how long were they trained?"
    told = [course.header["Wizard_certified"] for course in found if "Wizard_certified" in course.header]
    if not told:
        return ChecklistItem(part, question, ASK, False)
    return ChecklistItem(
        part,
        question,
        f"by drills with the study's pass mark; {told.count('yes')} of {len(told)} subject-scenarios by a certified wizard",
    )


def _wizard(course: Course) -> str:
    """Return the wizard's name, `unnamed` without one, or `nobody` where machines operated every stage."""
    named = course.header.get("Wizard", "")
    return (named or "unnamed") if _by_people(course) else "nobody"


def _by_people(course: Course) -> bool:
    return any(f"={kind}" in course.header["Mode"] for kind in (Operator.HUMAN, Operator.CORRECTED))


def _put_in(found: Sequence[Course]) -> str:
    """The recognition errors that were made on purpose, out of the engine's own words that the logs keep."""
    made = [turn.recognised.put_in for course in found for turn in course.turns if turn.recognised is not None]
    total = sum((errors for errors in made if errors is not None), WordErrors())
    if not total.errors:
        return "none by the program; a deviation would be noted"
    return (
        f"recognition errors, {total.errors} in {counted(total.words, 'word')} ({_percent(total.errors, total.words)})"
    )


def _recognition(found: Sequence[Course], protocols: Sequence[Protocol]) -> str:
    known = {protocol.sha256: protocol for protocol in protocols}
    operators = Counter(_perceived(course, known.get(course.header["Protocol"])) for course in found)
    meanings = {
        "nobody": "nothing, no person took part",
        "none": "nothing, there was no speech",
        "human": "the speech itself",
        "machine": "a recogniser's output",
        "corrected": "speech and a recogniser's output",
        "unheard": "a recogniser's output; the wizard did not hear the speech",
    }
    shares = (f"{meanings.get(name, name)} ({counted(count, 'scenario')})" for name, count in sorted(operators.items()))
    return ", ".join(shares) or ASK


def _perceived(course: Course, protocol: Protocol | None) -> str:
    """Return who recognised the words that the person behind the curtain had; `unheard` where the audio was kept from her."""
    if not _by_people(course):
        return "nobody"
    recognition = course.header["Mode"].split(" ")[0].partition("=")[2]
    if protocol is None or recognition in ("none", Operator.HUMAN):
        return recognition
    profile = protocol.scenario_profiles.get(course.header.get("Condition", ""), protocol.profile)
    return recognition if profile.subject_heard else "unheard"


def _general(corpus: Corpus, found: Sequence[Course], protocols: Sequence[Protocol]) -> list[ChecklistItem]:
    part = "General"
    pilots = sum(entry.pilot for entry in corpus.manifest.sessions)
    files = {
        protocol.sha256: tuple(sorted(protocol.files.items())) for protocol in protocols
    }  # those of all conditions
    versions = {files.get(entry.protocol, entry.protocol) for entry in corpus.manifest.sessions}
    deviations = sum(course.deviations for course in found)
    lost = sum(turn.troubles > 0 for course in found for turn in course.turns)
    return [
        ChecklistItem(part, "Where was the wizard, where the subject?", ASK, False),
        ChecklistItem(
            part,
            "In which surroundings?",
            " / ".join(sorted(set(map(_surroundings, protocols)))) or ASK,
            bool(protocols),
        ),
        ChecklistItem(
            part,
            "Which procedure was followed?",
            ", ".join(sorted({_procedure(protocol) for protocol in protocols})) or ASK,
            bool(protocols),
        ),
        ChecklistItem(
            part,
            "What were the scenarios?",
            f"{len({course.header['Scenario'] for course in found})}, with their texts in doc/protocol",
        ),
        ChecklistItem(
            part,
            "Was it tried and changed before?",
            f"{counted(pilots, 'pilot session')}, {counted(len(versions), 'version')} of the protocol",
        ),
        ChecklistItem(
            part,
            "Where did sessions depart from the protocol?",
            f"{counted(deviations, 'deviation')} noted, with reasons in the .com files{_for_machines(found)}",
        ),
        ChecklistItem(
            part,
            "What are its limits?",
            f"{counted(lost, 'utterance')} with trouble in the sound; what else is {ASK}",
            False,
        ),
    ]


def _for_machines(found: Sequence[Course]) -> str:
    people = sum(course.header["Collection_method"].startswith(PLANNED) for course in found)
    return f"; people did what the profile gives to machines in {counted(people, 'scenario')}" if people else ""


def _procedure(protocol: Protocol) -> str:
    profile = protocol.profile
    return f"{profile.name} {profile.version}{f': {profile.description}' if profile.description else ''}"


def _surroundings(protocol: Protocol) -> str:
    equipment = protocol.equipment
    microphones = " and ".join(sorted(equipment.microphones.values()))
    setting = "; ".join(filter(None, (equipment.room, equipment.noise, microphones, equipment.digitiser)))
    return f"{protocol.site}: {setting or 'not recorded'}"


def _list(values: Iterable[str], none: str = ASK) -> str:
    found = Counter(value for value in values if value)
    return ", ".join(f"{value} ({count})" for value, count in sorted(found.items())) or none


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "none"
