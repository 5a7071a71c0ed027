"""Options of desks and hubs: called as a person calls them, they change what is on the screen, in the air or on the wire."""

import io
import os
import re
import signal
import threading
import urllib.request
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

import annotator.command
import annotator.opening
import curtain
import wizard.launch
from annotator.app import TranscriptionApp
from desk.app import DeskApp
from operators import command as operating
from operators.recognition import command as recognising
from operators.recognition.recogniser import MissingEngineError
from rehearsal import command as rehearsing
from rehearsal.replay import replay_command
from session.audio.devices import DeviceError
from session.audio.fake import FileLoudspeaker
from session.hub.access_tokens import load_tokens
from session.store.event_store import Store
from session.study.create import new
from session.study.folder import Study, load
from session.values.vocabulary import Role, Stage
from subject.app import SubjectApp
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.studies import fill, made_study
from tests.server.toy_study import toy_study
from wizard.app import WizardApp
from wizard.desk import WizardDesk
from wizard.launch import ConnectionTarget, ConsoleRun, Opening

NOWHERE = f"ws://{'0' * 64}@127.0.0.1:1/lab-20261122-1"


def called(*words: object) -> Result:
    return CliRunner().invoke(curtain.main, [str(word) for word in words], catch_exceptions=False)


@pytest.fixture
def screens(monkeypatch: pytest.MonkeyPatch) -> list[DeskApp[Any]]:
    """The apps that calls would show; each is left at once."""
    shown: list[DeskApp[Any]] = []

    async def left_at_once(app: Any) -> None:
        shown.append(app)

    for desk in (SubjectApp, WizardApp):
        monkeypatch.setattr(desk, "run_async", left_at_once)
    monkeypatch.setattr(TranscriptionApp, "run", lambda app: shown.append(app))
    monkeypatch.setattr(annotator.command, "on_a_terminal", lambda: None)
    return shown


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return toy_study(tmp_path / "study")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    corpus_of(tmp_path / "corpus", session_of("bbn", "8k1"))
    return tmp_path / "corpus"


@pytest.mark.parametrize("desk", ["subject", "wizard", "transcribe"])
def test_a_theme_is_the_colour_of_the_screen(
    desk: str, tmp_path: Path, corpus: Path, screens: list[DeskApp[Any]]
) -> None:
    calls = {
        "subject": ("subject", NOWHERE, "--spool", tmp_path / "spool"),
        "wizard": ("wizard", NOWHERE),
        "transcribe": ("transcribe", corpus, "--person", "anna"),
    }
    for theme in ((), ("--theme", "light"), ("--theme", "plain")):
        assert called(*calls[desk], *theme).exit_code == 0
    assert [app.get_css_variables()["background"] for app in screens] == ["#0D1117", "#FFFFFF", "ansi_default"]


def test_the_work_is_the_persons_who_was_named(corpus: Path, screens: list[Any]) -> None:
    for name in ("anna", "bert"):
        assert called("transcribe", corpus, "--person", name).exit_code == 0
    assert [app.transcribing._desk.person for app in screens] == ["anna", "bert"]


def test_a_loudspeaker_is_opened_by_its_name(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, screens: list[DeskApp[Any]]
) -> None:
    opened: list[object] = []

    def loudspeaker(device: object) -> FileLoudspeaker:
        opened.append(device)
        return FileLoudspeaker()

    monkeypatch.setattr(annotator.opening, "SoundDeviceLoudspeaker", loudspeaker)
    monkeypatch.setattr(wizard.launch, "SoundDeviceLoudspeaker", loudspeaker)

    async def heard(app: WizardApp) -> None:
        sitting._opened_loudspeaker()

    monkeypatch.setattr(WizardApp, "run_async", heard)
    made = wizard.launch.ConsoleRun

    def run(*given: Any) -> wizard.launch.ConsoleRun:
        nonlocal sitting  # type: ignore[misc]
        sitting = made(*given)
        return sitting

    sitting: Any = None
    monkeypatch.setattr("wizard.command.ConsoleRun", run)
    for words in (("transcribe", corpus, "--person", "anna"), ("wizard", NOWHERE)):
        assert called(*words).exit_code == 0
        assert called(*words, "--loudspeaker", "Sennheiser").exit_code == 0
        assert called(*words, "--loudspeaker", "3").exit_code == 0
    assert opened == [None, "Sennheiser", 3] * 2


# --- a hub ----------------------------------------------------------------------------------------------------------------


class Fetches(io.StringIO):
    """Fetches the address that `sign` names as soon as it is written, then presses Ctrl-C; `answer` is what came."""

    def __init__(self, sign: str = "") -> None:
        super().__init__()
        self._sign = re.compile(sign)
        self.answer = ""

    def write(self, text: str) -> int:
        if found := self._sign.search(text):
            threading.Thread(target=self._fetch, args=(found[1] if found.groups() else "",)).start()
        return super().write(text)

    def _fetch(self, address: str) -> None:
        try:
            if address:
                with urllib.request.urlopen(address, timeout=30) as response:
                    self.answer = response.read().decode()
        finally:
            os.kill(os.getpid(), signal.SIGINT)


def served(monkeypatch: pytest.MonkeyPatch, study: Path, *words: str, out: str = "x^", err: str = "x^") -> Any:
    """What a hub says, and what is found at an address of which it tells."""
    said, told = Fetches(out), Fetches(err)
    monkeypatch.setattr(
        "cli.session.sys", SimpleNamespace(stdin=io.StringIO(), stdout=said, stderr=told, exit=lambda _: None)
    )
    curtain.main(["hub", str(study), *words], standalone_mode=False)
    return SimpleNamespace(out=said.getvalue(), err=told.getvalue(), answer=said.answer + told.answer)


def test_figures_are_at_the_address_that_was_asked_for(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = served(monkeypatch, study, "--metrics", "127.0.0.1:0", err=r"(http://[^ ]*/metrics)")
    assert "curtain_sessions" in hub.answer


def test_the_page_is_served_where_a_browser_is_wanted(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = served(monkeypatch, study, "--browser", out=r"browser +(http://[^#\n]*)")
    assert "<!doctype html" in hub.answer.lower()
    assert "browser" not in served(monkeypatch, study, err="listening on").out


def test_the_lobby_keeps_a_services_ids_in_the_file_that_was_named(
    study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (study / "study.toml").write_text((study / "study.toml").read_text() + '\n[lobby]\nparticipant = "PID"\n')

    def told(*words: object) -> str:
        return str(served(monkeypatch, study, "--browser", *map(str, words), err="listening on").err)

    assert "--participants FILE" in told()
    assert f"{study / 'ids.csv'} would be in the study" in told("--participants", study / "ids.csv")
    assert "would be" not in told("--participants", study.parent / "ids.csv")


def test_behind_a_proxy_desks_are_given_its_address(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = served(monkeypatch, study, "--behind", "lab.example:8443", err="listening on")
    assert re.search(r"wss://[^@]+@lab\.example:8443/", hub.out)


def test_only_the_roles_that_are_named_lose_their_addresses(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    served(monkeypatch, study, err="listening on")
    made = load(study)

    def tokens() -> dict[Role, str]:
        with closing(Store(made.store_url)) as store:
            roles = load_tokens(study).with_store(store)
            return {role: roles.of(role, session) for role in Role}

    [session] = re.findall(r"(?m)^(\S+)$", served(monkeypatch, study, err="listening on").out)
    before = tokens()
    assert called("revoke", study, session, "--role", "subject").exit_code == 0
    assert {role for role, token in tokens().items() if token != before[role]} == {Role.SUBJECT}
    assert called("revoke", study, session).exit_code == 0
    assert all(token != before[role] for role, token in tokens().items())


# --- a console with a hub of its own --------------------------------------------------------------------------------------


def sat_at(monkeypatch: pytest.MonkeyPatch, study: Path, *words: str) -> tuple[Role | None, ConnectionTarget]:
    """As whom a console over the study comes to its hub, and what it is told there."""
    seen: list[tuple[Role | None, ConnectionTarget]] = []

    async def console(self: ConsoleRun, opening: Opening, log: Path, *, english: bool) -> None:
        desk = WizardDesk(None, self.clock, lambda: None, loudspeaker=FileLoudspeaker)
        async with opening(desk) as place:
            with closing(Store(load(study).store_url)) as store:
                roles = load_tokens(study).with_store(store)
            seen.append((roles.role(place.address.token, place.address.session), place))
        desk.close()

    monkeypatch.setattr(ConsoleRun, "console", console)
    assert called("wizard", study, *words).exit_code == 0
    return seen[0]


def test_a_console_sits_in_the_chair_that_was_named(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sat_at(monkeypatch, study)[0] is Role.WIZARD
    assert sat_at(monkeypatch, study, "--as", "observer")[0] is Role.OBSERVER


def test_a_console_invites_to_the_page_where_a_browser_is_wanted(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sat_at(monkeypatch, study)[1].invitation.startswith("curtain subject ")
    assert re.match(r"http://127\.0\.0\.1:\d+/visit/", sat_at(monkeypatch, study, "--browser")[1].invitation)


def test_a_console_keeps_a_services_ids_in_the_file_that_was_named(
    study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (study / "study.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[lobby]\nopen = true\nparticipant = "PID"\n')
    sat_at(monkeypatch, study, "--browser", "--participants", str(study.parent / "ids.csv"))
    inside = called("wizard", study, "--browser", "--participants", study / "ids.csv")
    assert inside.exit_code != 0
    assert f"{study / 'ids.csv'} would be in the study" in inside.output


def test_off_loopback_a_console_encrypts_unless_it_is_told_not_to(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, kept = sat_at(monkeypatch, study, "--listen", "0.0.0.0:0")
    _, told = sat_at(monkeypatch, study, "--listen", "0.0.0.0:0", "--insecure")
    assert ("wss://" in kept.invitation, "ws://" in told.invitation) == (True, True)
    assert ("NOT ENCRYPTED" in kept.notice, "NOT ENCRYPTED" in told.notice) == (False, True)


# --- machines, and time ----------------------------------------------------------------------------------------------------


def test_a_machine_apart_has_the_stage_the_engine_and_the_study_that_were_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[tuple[str, str, str]] = []

    def machine(stage: Stage, engine: str, study: Study | None, url: str) -> None:
        made.append((stage, engine, study.folder.name if study else ""))

    async def operated(*_: object) -> None:
        return None

    monkeypatch.setattr(operating, "machine", machine)
    monkeypatch.setattr(operating, "operate_apart", operated)
    new(tmp_path / "lab")
    for words in (
        ("response",),
        ("response", "--engine", "other"),
        ("understanding", "--engine", "english", "--study", tmp_path / "lab"),
    ):
        assert called("operate", NOWHERE, "--stage", *words).exit_code == 0
    assert made == [("response", "rows", ""), ("response", "other", ""), ("understanding", "english", "lab")]


def test_a_recogniser_learns_the_domain_that_was_named_and_is_given_so_many_seconds(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str, float]] = []

    def sources(domain: Path, english: str) -> None:
        asked.append((domain.name, english, 0.0))

    def recogniser(name: str, gathered: Any, *_: object, seconds: float, warn: object) -> Any:
        gathered()
        asked[-1] = (*asked[-1][:2], seconds)
        raise MissingEngineError("enough was asked")

    monkeypatch.setattr(recognising, "recogniser", recogniser)
    monkeypatch.setattr(recognising, "english_of", lambda domain, url, _: url)
    monkeypatch.setattr(recognising, "sources_of", sources)
    monkeypatch.setattr(recognising, "open_database", lambda *_: SimpleNamespace(url="the domain's own"))
    (tmp_path / "toys").mkdir()
    words = ("recognise", corpus, "--engine", "pocketsphinx", "--domain", tmp_path / "toys")
    assert called(*words).exit_code == 2
    assert called(*words, "--database", "sqlite:///other", "--seconds", "3").exit_code == 2
    assert asked == [("toys", "the domain's own", 20.0), ("toys", "sqlite:///other", 3.0)]


def test_a_rehearsal_is_as_fast_as_visible_and_as_mechanical_as_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stages: list[tuple[float, bool, bool, bool]] = []

    class Plan:
        def __init__(self, *given: Any, machines: object, condition: str, transcriber: str) -> None:
            stages.append((given[3], given[5] is not None, machines is not None, bool(transcriber)))

        async def perform(self) -> None:
            raise DeviceError("enough was seen")

    monkeypatch.setattr(rehearsing, "RehearsalPlan", Plan)
    for number, words in enumerate(((), ("--pace", "8"), ("--watch",), ("--machines",), ("--transcriber",))):
        assert called("rehearse", "--out", tmp_path / str(number), *words).exit_code == 2
    assert stages == [
        (stages[0][0], False, False, False),
        (8.0, False, False, False),
        (stages[0][0], True, False, False),
        (stages[0][0], False, True, False),
        (stages[0][0], False, False, True),
    ]
    assert stages[0][0] != 8.0


def test_a_replay_waits_as_long_as_its_pace_says(tmp_path: Path) -> None:
    made_study(tmp_path / "study")
    fill(tmp_path / "study", session_of("bbn", "8k1"))
    with closing(Store(load(tmp_path / "study").store_url)) as store:
        [name] = store.lengths()

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    def waited(pace: float) -> float:
        waits: list[float] = []
        assert replay_command(str(tmp_path / "study"), name, pace, Terminal(), io.StringIO(), waits.append) == 0
        return sum(waits)

    assert waited(4.0) > waited(400.0) > waited(0.0) == 0.0
