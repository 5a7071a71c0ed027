"""A hub alone: addresses for every role, another session on request, an orderly end."""

import io
import os
import resource
import shlex
import socket
from contextlib import closing
from pathlib import Path

import pytest

from corpus.commands.withdraw import WithdrawOptions, withdraw_command
from rehearsal.checkup import CheckLevel
from rehearsal.checkup import study as examine
from server.hub_command import (
    MOST_FILES,
    HubOptions,
    connect_command,
    encryption_warning,
    hub_command,
    keep_port,
    warnings_of,
    with_last_port,
)
from session.collection.open_session import session_names
from session.collection.study_lock import exclusive_lock
from session.events import SessionOpened
from session.hub.access_tokens import Tokens, load_tokens
from session.rules.stage_holding import STAGE_OF
from session.store.event_store import Store
from session.study.create import new
from session.study.folder import load
from session.transport.listen_address import ListenAddress, reachable_host
from session.transport.websocket import Address
from session.values.clock import ManualClock
from session.values.vocabulary import Role
from tests.server.toy_study import EndsAfter, toy_study


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return toy_study(tmp_path / "study")


def test_every_session_gets_an_address_for_each_role_and_the_end_is_orderly(study: Path) -> None:
    out, err = EndsAfter(2), io.StringIO()
    assert hub_command(str(study), HubOptions(sessions=2), out, err) == 0
    lines = out.getvalue().splitlines()
    names = [line for line in lines if not line.startswith(" ")]
    assert len(names) == 2
    with closing(Store(load(study).store_url)) as store:
        roles = load_tokens(study).with_store(store)
        _each_role_has_its_own(roles, names, lines)
    for name in names:
        assert f"{name}: chain head " in err.getvalue()
    assert roles.console in err.getvalue()


def _each_role_has_its_own(roles: Tokens, names: list[str], lines: list[str]) -> None:
    named = [role for role in Role if role not in STAGE_OF]
    apart = 1 + len(named)
    for place, name in enumerate(names):
        other = names[1 - place]
        for role, line in zip(named, lines[apart * place + 1 : apart * (place + 1)], strict=True):
            program, _, rest = line.partition("'")
            address = Address.parse(rest.rstrip("'"))
            assert program.split()[0] == role
            assert (address.session, roles.role(address.token, name)) == (name, role)
            assert roles.role(address.token, other) is None
            assert roles.role(address.token, "bbn-20261121-99") is None


def apart(study: Path) -> None:
    """Have each of SRI's machines come in from elsewhere."""
    settings = study / "study.toml"
    text = settings.read_text(encoding="utf-8").replace('profile = "BBN-89"', 'profile = "SRI"')
    machines = '\n[machines]\nrecognition = "apart"\nunderstanding = "apart"\nresponse = "apart"\n'
    settings.write_text(text + machines, encoding="utf-8")


def test_the_command_of_each_machine_that_is_apart_can_be_typed_as_it_stands(study: Path) -> None:
    apart(study)
    out = EndsAfter(1, "responder")
    assert hub_command(str(study), HubOptions(), out, io.StringIO()) == 0
    lines = [line.split(maxsplit=1)[1] for line in out.getvalue().splitlines() if " operate " in line]
    commands = [shlex.split(line) for line in lines]
    assert [command[:2] for command in commands] == [["curtain", "operate"]] * 3
    given = [command[3:] for command in commands]
    assert given == [
        ["--stage", "recognition", "--study", str(study)],
        ["--stage", "understanding", "--engine", "english"],
        ["--stage", "response"],
    ]
    with closing(Store(load(study).store_url)) as store:
        tokens = load_tokens(study).with_store(store)
        for command, role in zip(commands, STAGE_OF, strict=True):
            address = Address.parse(command[2])
            assert tokens.role(address.token, address.session) is role


def test_a_hub_may_have_as_many_files_open_as_the_system_allows(study: Path) -> None:
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(512, limits[1]), limits[1]))
        assert hub_command(str(study), HubOptions(sessions=1), EndsAfter(1), io.StringIO()) == 0
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == min(limits[1], MOST_FILES)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_a_line_opens_another_session(study: Path) -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading) as requests, os.fdopen(writing, "w") as keyboard:
        keyboard.write("\n")
        keyboard.flush()
        out = EndsAfter(2)
        assert hub_command(str(study), HubOptions(), out, io.StringIO(), requests=requests) == 0
    assert out.getvalue().count("subject ") == 4


def enter_details(study: Path, line: str, out: io.StringIO, err: io.StringIO) -> int:
    """What the hub ends with to which somebody has typed one line."""
    reading, writing = os.pipe()
    with os.fdopen(reading) as requests, os.fdopen(writing, "w") as keyboard:
        keyboard.write(line)
        keyboard.flush()
        return hub_command(str(study), HubOptions(sessions=0), out, err, requests=requests)


def test_a_line_may_tell_of_the_sessions_subject(study: Path) -> None:
    out = EndsAfter(1)
    assert enter_details(study, "speaker=00c sex=f age=31 recruitment='civic organisation'\n", out, io.StringIO()) == 0
    with closing(Store(load(study).store_url)) as store:
        (name,) = session_names(store)
        opened = store.read(name)[0].event
    assert isinstance(opened, SessionOpened)
    speaker = opened.speaker
    assert (speaker.id, speaker.sex, speaker.age, speaker.recruitment) == ("00c", "f", 31, "civic organisation")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("sex=woman\n", "write f, m or x"),
        ("age='31\n", "No closing quotation"),
        ("Ann\n", "KEY=VALUE"),
        ("speaker=001 speaker=002\n", "a session has one"),
        ("speaker=Ann Example\n", "KEY=VALUE"),
    ],
)
def test_a_line_that_says_nothing_of_a_subject_is_answered_and_opens_none(study: Path, line: str, why: str) -> None:
    out, err = io.StringIO(), EndsAfter(1, why)
    assert enter_details(study, line, out, err) == 0
    assert out.getvalue() == ""


@pytest.mark.parametrize(
    ("folder", "listen", "sessions", "said"),
    [
        ("no", "127.0.0.1:0", 1, "study"),
        (".", "port", 1, "HOST:PORT"),
        (".", "127.0.0.1:0", 1001, "between 0 and 1000"),
    ],
)
def test_a_hub_that_cannot_start_says_why(tmp_path: Path, folder: str, listen: str, sessions: int, said: str) -> None:
    out, err = io.StringIO(), io.StringIO()
    assert hub_command(str(tmp_path / folder), HubOptions(listen=listen, sessions=sessions), out, err) == 2
    assert said in err.getvalue()
    assert out.getvalue() == ""


def test_a_study_whose_takes_would_end_with_the_hub_opens_nothing(study: Path) -> None:
    settings = study / "study.toml"
    settings.write_text('recordings = "memory://takes"\n' + settings.read_text())
    assert hub_command(str(study), HubOptions(), out := io.StringIO(), err := io.StringIO()) == 2
    assert "`recordings` in study.toml names memory://takes, which loses every take when the hub ends" in err.getvalue()
    assert (out.getvalue(), err.getvalue().count("\n")) == ("", 1)
    [found] = [one for one in examine(study) if one.what == "recordings"]
    assert (found.level, "loses every take" in found.found) == (CheckLevel.FAULT, True)


def test_a_place_where_a_hub_cannot_listen_is_named_with_the_remedy(study: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        taken = f"127.0.0.1:{other.getsockname()[1]}"
        for listen, why in ((taken, "Address already in use"), ("127.0.0.1:1x", "not of the form")):
            out, err = io.StringIO(), io.StringIO()
            assert hub_command(str(study), HubOptions(listen=listen), out, err) == 2
            assert why in err.getvalue()
            assert listen in err.getvalue()
            assert "HOST:PORT" in err.getvalue()
            assert err.getvalue().count("\n") == 1


def test_a_hub_comes_back_at_its_port(study: Path) -> None:
    ports = []
    for _ in range(2):
        out = EndsAfter(1)
        assert hub_command(str(study), HubOptions(), out, io.StringIO()) == 0
        ports.append(Address.parse(out.getvalue().split("'")[1]).port)
    assert ports[0] == ports[1]


def test_a_port_that_is_taken_or_no_port_is_no_obstacle(tmp_path: Path) -> None:
    anywhere = ListenAddress("127.0.0.1", 0)
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        keep_port(tmp_path, other.getsockname()[1])
        assert with_last_port(tmp_path, anywhere) == anywhere
    for nonsense in ("99999", "-1", "x", ""):
        (tmp_path / "hub.port").write_text(nonsense, encoding="ascii")
        assert with_last_port(tmp_path, anywhere) == anywhere
    named = ListenAddress("127.0.0.1", 4711)
    assert with_last_port(tmp_path, named) == named


def test_the_subject_s_command_is_safe_to_paste() -> None:
    address = Address("lab", 8765, "bbn-20261121-1", "t", tls=True, fingerprint="f" * 64)
    assert connect_command(address, Role.SUBJECT) == f"curtain subject 'wss://t@lab:8765/bbn-20261121-1#{'f' * 64}'"


def test_a_named_host_is_what_it_is_and_everywhere_becomes_a_place() -> None:
    assert reachable_host("lab.example") == "lab.example"
    assert reachable_host("0.0.0.0") not in ("", "0.0.0.0")


def test_voices_in_the_open_are_said_to_be() -> None:
    assert "NOT ENCRYPTED" in encryption_warning(ListenAddress("0.0.0.0", 0, insecure=True))
    assert not encryption_warning(ListenAddress("0.0.0.0", 0))
    assert not encryption_warning(ListenAddress("127.0.0.1", 0, insecure=True))


def test_a_study_that_needs_an_end_pointer_says_when_none_is_here(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = study / "study.toml"
    settings.write_text(settings.read_text(encoding="utf-8").replace('"BBN-89"', '"SRI"'), encoding="utf-8")
    monkeypatch.setattr("session.study.extras.find_spec", lambda package: None)
    out, err = EndsAfter(1), io.StringIO()
    assert hub_command(str(study), HubOptions(sessions=1), out, err) == 0
    assert "pip install 'curtain-woz[recogniser]'" in err.getvalue()


class Withdraws(EndsAfter):
    """Tries to withdraw while the hub runs, then presses Ctrl-C."""

    def __init__(self, study: Path) -> None:
        super().__init__(1)
        self.printed = io.StringIO()
        self._study = study

    def write(self, text: str) -> int:
        if "observer" in text:
            call = WithdrawOptions(next(iter(load(self._study).settings.speakers)).first)
            assert withdraw_command(str(self._study), call, ManualClock(), io.StringIO(), self.printed) == 2
        return super().write(text)


def test_nobody_withdraws_from_a_study_that_a_hub_serves_nor_is_one_served_meanwhile(study: Path) -> None:
    out = Withdraws(study)
    assert hub_command(str(study), HubOptions(), out, io.StringIO()) == 0
    assert "a hub serves this study" in out.printed.getvalue()
    err = io.StringIO()
    with exclusive_lock(study):
        assert hub_command(str(study), HubOptions(), io.StringIO(), err) == 2
    assert "a withdrawal or a correction is running in this study" in err.getvalue()


def test_instructions_that_are_not_true_of_a_condition_are_told_before_anybody_sits_down(tmp_path: Path) -> None:
    folder = new(tmp_path / "study", profile="BBN-92").folder
    settings, listening = folder / "study.toml", ListenAddress.parse("127.0.0.1:0")
    text = settings.read_text("utf-8")
    conditions = text.replace("conditions = []", 'conditions = ["plain", "voice"]')
    settings.write_text(f'{conditions}\n[condition.voice]\nspoken = "answer"\n', "utf-8")
    told = [line for line in warnings_of(load(folder), listening) if "instructions" in line]
    assert told == [
        "instructions.txt is not true of condition voice, which changes spoken; write instructions_voice.txt; subjects of that "
        "condition read it instead."
    ]
    (folder / "instructions_voice.txt").write_text("The system speaks.\n", "utf-8")
    assert [line for line in warnings_of(load(folder), listening) if "instructions" in line] == []
