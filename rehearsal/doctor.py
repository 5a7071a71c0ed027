"""`curtain doctor`: looks at this machine as a wizard's or a subject's desk and says what would go wrong."""

import hashlib
import socket
import ssl
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TextIO

from rehearsal.checkup import CheckFinding, CheckLevel, disk, machine, network, study
from rehearsal.microphone_check import devices, end_pointer, microphone
from session.audio.devices import SoundDeviceLoudspeaker
from session.study.folder import load
from session.study.settings import MicrophoneChoice, Profile
from session.study.toml_reader import StudyError
from session.transport.websocket import Address
from subject.capture.microphones import RATE, opened, parsed
from subject.spool.spool_folder import spool_folder

MARKS = {CheckLevel.FINE: "  ok  ", CheckLevel.WARNING: " WARN ", CheckLevel.FAULT: "FAULT "}
SLOW_LINK_S = 0.1
Asking = Callable[[str], Iterable[CheckFinding]]
"""Asks for the keys of a desk."""


def doctor_command(
    target: str, record: bool, microphones: Sequence[str], out: TextIO, err: TextIO, *, playing: bool = True
) -> int:
    """Look at the machine, and at the study or the hub that `target` names (empty: at the machine alone).

    `record` listens to each microphone for three seconds (those given as `[LETTERS=]DEVICE[@RATE]`, otherwise those of the
    study's profile, otherwise the default one), `playing` lets them be heard again. 0 when a session can be held, 1 when
    there is a fault, 2 when the target is neither a folder nor an address, or a microphone is not named as it should be.
    """
    try:
        return _told(_all(target, parsed(microphones, RATE), record, playing, err), out)
    except ValueError as error:
        err.write(f"{error}\n")
        return 2


def keys_command(desk: str, terminal: bool, out: TextIO, err: TextIO, ask: Asking | None = None) -> int:
    """Ask for the keys of a desk and say which the terminal keeps; `terminal` tells whether there is one.

    0 when all that nothing replaces arrive, 1 when one of these does not, 2 without a terminal or for a desk that is none.
    """
    from rehearsal.key_findings import DESKS, keys

    if desk not in DESKS:
        err.write(f"--keys names a desk, {', '.join(DESKS)}; there is no {desk}\n")
        return 2
    if not terminal:
        err.write("--keys tests keys: run it in the desk's terminal\n")
        return 2
    return _told((ask or keys)(desk), out)


def _told(findings: Iterable[CheckFinding], out: TextIO) -> int:
    """Print the findings as they come; 1 where there is a fault among them."""
    faults = 0
    for finding in findings:
        faults += finding.level is CheckLevel.FAULT
        out.write(f"[{MARKS[finding.level]}] {finding.what}: {finding.found}\n")
        if finding.level is not CheckLevel.FINE and finding.remedy:
            out.write(f"         {finding.remedy}\n")
        out.flush()
    return 1 if faults else 0


def _all(
    target: str, named: tuple[MicrophoneChoice, ...], record: bool, playing: bool, err: TextIO
) -> Iterator[CheckFinding]:
    address = Address.parse(target) if target.startswith(("ws://", "wss://")) else None
    yield from machine()
    if address is not None:
        yield from disk(spool_folder(address.session).parent)
        yield hub(address)
    else:
        yield network()
        yield from disk(Path(target) if target and Path(target).is_dir() else Path.cwd())
        if target:
            yield from study(Path(target))
    profile = _profile(target) if target and address is None else None
    yield end_pointer(profile)
    found = list(devices())
    yield from found
    if record and all(finding.level is CheckLevel.FINE for finding in found):
        for choice in named or (profile and profile.microphones) or (MicrophoneChoice(),):
            err.write(f"{choice.device or 'default microphone'}: listening for three seconds, please say something …\n")
            err.flush()
            yield from microphone(partial(opened, choice), _loudspeaker if playing else None)


def _loudspeaker(rate: int) -> SoundDeviceLoudspeaker:
    """The default one, in long blocks: nobody waits for it, and it must not stutter on a busy machine."""
    return SoundDeviceLoudspeaker(None, rate, rate // 10)


def _profile(folder: str) -> Profile | None:
    """The study's profile; None if the study cannot be read, which has been told by then."""
    try:
        return load(Path(folder)).profile
    except StudyError:
        return None


def hub(address: Address) -> CheckFinding:
    """Check whether the hub answers, with the right certificate, and how long it takes; takes no place in the session."""
    began = time.perf_counter()
    try:
        with socket.create_connection((address.host, address.port), timeout=5) as plain:
            answer = _greeting(plain, address)
    except OSError as error:
        remedy = "is the hub running, and is there a firewall in between?"
        return CheckFinding("hub", CheckLevel.FAULT, f"{address.host}:{address.port} does not answer: {error}", remedy)
    took = time.perf_counter() - began
    if not answer:
        return CheckFinding(
            "hub", CheckLevel.FAULT, "its certificate is another one", "use the address that the hub prints now"
        )
    if b"hub is listening" not in answer:
        return CheckFinding(
            "hub", CheckLevel.FAULT, "something else answers there", "use the address that the hub prints now"
        )
    level = CheckLevel.FINE if took < SLOW_LINK_S else CheckLevel.WARNING
    return CheckFinding("hub", level, f"answers after {took * 1000:.0f} ms", "prefer a cable to a wireless link")


def _greeting(plain: socket.socket, address: Address) -> bytes:
    """Return the hub's response to a browser; empty when the certificate is not the one named in the address."""
    request = f"GET / HTTP/1.1\r\nHost: {address.host}\r\nConnection: close\r\n\r\n".encode()
    if not address.tls:
        plain.sendall(request)
        return plain.recv(4096)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    with context.wrap_socket(plain) as encrypted:
        shown = hashlib.sha256(encrypted.getpeercert(binary_form=True) or b"").hexdigest()
        if shown != address.fingerprint:
            return b""
        encrypted.sendall(request)
        return encrypted.recv(4096)
