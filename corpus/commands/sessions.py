"""`curtain sessions`: lists a study's sessions, and the share of the common scenario by site."""

from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.commands.session_lines import ListedSession, SessionLine, session_lines
from corpus.export.study_source import source_of
from corpus.formats.errors import FormatFault, counted, message_of, status_of
from corpus.io.staging import Refused, stopped
from corpus.release.utterance_status import CAPTION, StandingRow, table
from corpus.report.common_scenario import CommonShare, shares
from corpus.report.study_status import SessionVolume, standing_of_study
from corpus.verify.session_check import close
from session.state.fold import fold
from session.store.event_store import UNREADABLE, Store
from session.study.diff import diff
from session.study.folder import Study, load
from session.study.toml_reader import StudyError
from session.values.sanitize import inert


class SessionListing(msgspec.Struct, frozen=True):
    """Output of `curtain sessions --json`: the sessions, the shares of the common scenario, and where every utterance stands
    by site, those of all sites last; `standing` is None if that cannot be told."""

    sessions: list[ListedSession]
    common: tuple[CommonShare, ...]
    standing: list[StandingRow] | None


class SessionsOptions(msgspec.Struct, frozen=True):
    """Options of `sessions_command`."""

    study: str
    as_json: bool = False
    check: bool = False


def sessions_command(options: SessionsOptions, out: TextIO, err: TextIO) -> int:
    """A line per session of the study, the oldest first, and the sums; `check` tries each that has ended
    (`corpus.verify.session_check`).

    What an earlier call has made of a session's facts is kept; where much is still to be made, the lines come as they are made.
    `check` reads all of them again, and puts right what the
    store keeps for opening the next session. 1 when a session is damaged or does not get the green light, 2 when study or
    store cannot be read.
    """
    try:
        found = load(Path(options.study))
        store = Store(found.store_url)
        try:
            if options.check:
                for what in store.check_folds(mend=True):
                    err.write(f"put right: {what}\n")
            at_once = not options.as_json and not options.check
            lines = session_lines(
                store,
                source_of(found, store),
                anew=options.check,
                err=None if at_once and out.isatty() else err,
                tell=_Listing(out).add if at_once else list,
            )
        finally:
            store.close()
    except (Refused, KeyboardInterrupt) as error:
        err.write(stopped(error))
        return status_of(error)
    except (StudyError, *UNREADABLE) as error:
        err.write(f"{error}\n")
        return 2
    shown = [_checked(found, line.listed) if options.check else line.listed for line in lines]
    common = shares(scenario for line in lines for scenario in line.scenarios)
    volumes = [line.volume for line in lines if line.volume is not None]
    listing = SessionListing(shown, common, _standing(found.folder, volumes, err))
    if options.as_json:
        out.write(msgspec.json.format(msgspec.json.encode(listing), indent=1).decode() + "\n")
    elif shown:
        if options.check:
            _Listing(out).add_listed(shown)
        _tell(listing, options.study, err)
    else:
        err.write(f"{options.study} has no session yet; `curtain wizard {options.study}` opens one\n")
    return 1 if any(line.damage or line.stands_against for line in shown) else 0


def _standing(study: Path, sessions: Sequence[SessionVolume], err: TextIO) -> list[StandingRow] | None:
    """Return where the utterances stand; what keeps that from being told goes to `err`, for the list does not need it."""
    try:
        return standing_of_study(study, sessions)
    except (FormatFault, Refused, OSError) as error:
        err.write(f"the state of the utterances is unknown: {message_of(error)}\n")
        return None


class _Listing:
    """The list of sessions on its way out, its head before the first line."""

    def __init__(self, out: TextIO) -> None:
        self._out, self._head = out, f"{HEAD}\n"

    def add(self, lines: Sequence[SessionLine]) -> None:
        self.add_listed([line.listed for line in lines])

    def add_listed(self, sessions: Sequence[ListedSession]) -> None:
        """Write further lines, seen at once."""
        if sessions:
            self._out.write(self._head + "".join(f"{_line(listed)}\n" for listed in sessions))
            self._out.flush()
            self._head = ""


def _tell(listing: SessionListing, study: str, err: TextIO) -> None:
    for share in listing.common:
        err.write(f"common scenario, {share}\n")
    if listing.standing:
        err.write(f"{CAPTION}:\n{table(listing.standing)}")
    for listed in listing.sessions:
        if listed.erasure_requested:
            remedy = f"curtain withdraw {study} {listed.speaker}"
            err.write(
                f"erasure: session {listed.session}: speaker {listed.speaker} wants everything erased: run {remedy}\n"
            )
        err.write("".join(f"damaged: session {listed.session}: {what}\n" for what in listed.damage))
        err.write(
            "".join(f"not done: session {listed.session}: {inert(what)}\n" for what in listed.stands_against or ())
        )


def _checked(study: Study, line: ListedSession) -> ListedSession:
    """The line with what stands against the session; an erased one and one that goes on are not looked into."""
    if line.erased or not line.ended:
        return line
    return msgspec.structs.replace(line, stands_against=tuple(close(study, line.session)))


HEAD = "session                began                     spkr profile  kind        scen declared utts answered of about  state"


def _line(row: ListedSession) -> str:
    state = "withdrawn" if row.erased else "ended" if row.ended else "open"
    if row.damage:
        state = "damaged" if not row.began else f"{state}, damaged"
    if row.stopped:
        state += ", subject stopped"
    if row.erasure_requested:
        state += ", ERASURE REQUESTED"
    elif row.refused:
        state += f", no consent to: {' '.join(row.refused)}"
    if row.certified is False:
        state += ", wizard not certified"
    if row.stands_against is not None:
        state += ", RED" if row.stands_against else ", GREEN"
    if row.unconfirmed:
        state += f", {counted(row.unconfirmed, 'take')} not confirmed"
    return (
        f"{row.session:<22} {row.began:<25} {row.speaker:<4} {row.profile:<8} {row.kind:<11} {row.scenarios:>4} "
        f"{row.declared:>8} {row.utterances:>4} {row.answered:>8} {row.expected:>8}  {state}"
    )


def differences_command(study: str, first: str, second: str, out: TextIO, err: TextIO) -> int:
    """Print the differences between the protocols of two sessions, a line per key; 2 when there is no such session."""
    try:
        found = load(Path(study))
        store = Store(found.store_url)
        try:
            source = source_of(found, store, (first, second))
            states = {name: fold(source.collected(name).facts) for name in source.names}
        finally:
            store.close()
    except (StudyError, *UNREADABLE) as error:
        err.write(f"{error}\n")
        return 2
    opened = [states[name].opened if name in states else None for name in (first, second)]
    if opened[0] is None or opened[1] is None:
        missing = first if opened[0] is None else second
        err.write(f"{study} has no session {missing} that can be read; `curtain sessions {study}` lists them\n")
        return 2
    for difference in diff(opened[0].protocol, opened[1].protocol):
        out.write(f"{difference.key}: {inert(difference.first)} -> {inert(difference.second)}\n")
    return 0
