"""`README.txt`: describes a corpus for readers without any program."""

from collections.abc import Sequence

from corpus.formats import spkrinfo
from corpus.formats.manifest import SessionEntry
from corpus.formats.spkrinfo import SpeakerTable

_TEXT = """\
SPOKEN LANGUAGE COLLECTED WITH A WIZARD OF OZ
=============================================

{mark}People talked to what seemed to be a machine that answers questions about a database; a hidden person, the
wizard, heard them, wrote down what they said and sent answers. This directory holds what was said and what happened.

    sites      {sites}
    sessions   {sessions}
    speakers   {speakers}  (number; M male, F female, X other or not stated)
    scenarios  {scenarios}
    utterances {utterances}{left_out}

What lies where
---------------
spon/SPEAKER/SCENARIO/          spontaneous speech; vspn/ the same where the system answered by voice alone
    XXXUUSMP.wav                one utterance, one microphone ({format})
    XXXUUSMP.sro                what was said, with noises, in detail
    XXXUUSMP.lsn                the same as a recogniser ought to put it out
    XXX00SMx.log                everything that happened in the scenario, with times
    XXX00SMx.com                remarks of wizard and experimenter
    XXX00SMx.squ                what the subject answered in questionnaires
doc/spkrinfo.log                the speakers, by pseudonym
doc/protocol/                   how each session was run
doc/drafts/                     answers as the wizard's database gave them, unchecked
manifest.json                   size and SHA-256 of every file

XXX is the speaker, UU the utterance within the scenario (00 for files of the whole scenario), S the scenario, each in base
36; M is s for spontaneous and v for voice only, P the microphone: s the primary one, c the second, x all.

What to be careful about
------------------------
Files marked "draft" in manifest.json were made from what the wizard typed during the session; nobody has checked them.
doc/holdout.json, where there is one, says whether this is what is released or the test pool; doc/release.ndx or doc/pool.ndx
then names the utterances that are data, without pilots and scenarios declared invalid. Without them this is a whole corpus:
before any of it is handed over, hold speakers out for tests (curtain holdout), for whoever was handed over can never be one.
All times are UTC. In the logs, what the subject could not see or hear is marked "hidden".
Names and formats follow the ATIS corpora of 1991 to 1994 as far as they are publicly known; the .log is of our own making.

To check that nothing is damaged: curtain verify THIS-DIRECTORY
"""


_IMPORTED = """\
SPOKEN LANGUAGE THAT WAS RECORDED ELSEWHERE
===========================================

This directory holds speech and transcriptions that were imported from another layout. How they were
collected, with which microphone, and what the speakers agreed to is not known here: ask whoever imported them.

    sites      {sites}
    sessions   {sessions}
    speakers   {speakers}  (number; M male, F female, X other or not stated)
    utterances {utterances}

What lies where
---------------
spon/SPEAKER/SCENARIO/          the speech of a session
    XXXUUSMP.wav                one utterance ({waveform})
    XXXUUSMP.sro                what was said, in detail
    XXXUUSMP.lsn                the same as a recogniser ought to put it out
    XXX00SMx.log                which utterances there are, and the seals of their samples
doc/spkrinfo.log                the speakers, by pseudonym
manifest.json                   size and SHA-256 of every file

XXX is the speaker, UU the utterance within the session's part S (00 for files of the whole), each in base 36. Files marked
"draft" in manifest.json came with digits or signs that nobody has put into words yet. Dates in the names of sessions and
all times in the logs are those of the import.

To check that nothing is damaged: curtain verify THIS-DIRECTORY
"""


def of_imported(sessions: Sequence[SessionEntry], speakers: SpeakerTable, utterances: int, waveform: str) -> bytes:
    """The bytes of the README of a corpus that was imported."""
    return _IMPORTED.format(
        waveform=waveform,
        sites=", ".join(sorted({entry.site for entry in sessions})),
        sessions=len(sessions),
        speakers=spkrinfo.summary(speakers.speakers),
        utterances=utterances,
    ).encode()


def text(
    sessions: Sequence[SessionEntry],
    speakers: SpeakerTable,
    utterances: int,
    waveform: str,
    rehearsal: bool,
    left_out: int = 0,
) -> bytes:
    """The bytes of the README; `left_out` more utterances were collected, in sessions of which nothing is here."""
    more = f"  (and {left_out} that were collected and left out whole: not agreed to, or not fit to be written)"
    mark = "THIS IS A REHEARSAL with scripted people and made-up speech; it is not data.\n\n" if rehearsal else ""
    return _TEXT.format(
        mark=mark,
        sites=", ".join(sorted({entry.site for entry in sessions})) or "none",
        sessions=len(sessions),
        speakers=spkrinfo.summary(speakers.speakers),
        scenarios=sum(len(entry.scenarios) for entry in sessions),
        utterances=utterances,
        left_out=more if left_out else "",
        format=waveform,
    ).encode()
