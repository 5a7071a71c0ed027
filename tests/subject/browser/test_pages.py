"""The page over HTTP: its own files and nothing else, headers that let nothing in from elsewhere, its own Origin alone."""

import asyncio
import base64
from collections.abc import AsyncIterator

import pytest

from server.hub_command import page_names
from session.hub.connection import connection_factory
from session.study.screen_words import ENGLISH
from session.study.settings import MicrophoneChoice, Profile
from session.study.toml_reader import StudyError
from session.transport.address import Address
from session.transport.listen_address import ListenAddress
from session.transport.websocket import HubServer, RunningServer
from session.values.vocabulary import RecordingControl
from subject.browser.pages import STATIC, Pages
from tests.subject.browser.traffic import REVEALING
from tests.together.pipe import SESSION, Bench, admit, opened

LARGEST = 300_000


@pytest.fixture
async def server() -> AsyncIterator[RunningServer]:
    bench = Bench()
    await bench.hub.open(SESSION, opened())
    pages = Pages(Profile(name="test"), ("127.0.0.1",))
    running = await HubServer(connection_factory(bench.hub, admit, bench.clock), bench.clock, pages).start(
        "127.0.0.1", 0, None
    )
    yield running
    await running.close()
    await bench.close()


async def asked(server: RunningServer, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of one request."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    lines = {"Host": f"127.0.0.1:{server.port}", **headers}
    text = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in lines.items())
    writer.write(f"GET {path} HTTP/1.1\r\n{text}\r\n".encode())
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    status, *fields = head.strip().split("\r\n")
    named = dict(line.split(": ", 1) for line in fields)
    body = await reader.readexactly(int(named.get("Content-Length", 0)))
    writer.close()
    return int(status.split()[1]), named, body


async def test_the_page_comes_with_headers_that_let_nothing_in_from_elsewhere(server: RunningServer) -> None:
    status, headers, body = await asked(server, f"/visit/{SESSION}")
    assert status == 200
    assert b'<html lang="en" dir="ltr">' in body
    assert ENGLISH["headline.connecting"].encode() in body
    assert b"$" not in body
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'")
    assert "unsafe" not in policy
    assert "*" not in policy
    assert "http" not in policy
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "Server" not in headers


@pytest.mark.parametrize("name", sorted(path.name for path in STATIC.iterdir()))
async def test_every_file_is_served_as_what_it_is(server: RunningServer, name: str) -> None:
    status, headers, body = await asked(server, f"/static/{name}")
    if name == "index.html":
        assert status == 404
        return
    assert (status, body) == (200, (STATIC / name).read_bytes())
    assert headers["Content-Type"].split(";")[0] in ("text/javascript", "text/css", "image/svg+xml")


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/static/",
        "/static/../gateway.py",
        "/static/%2e%2e/pages.py",
        "/static/nothing.js",
        "/visit/",
        "/visit/../x",
    ],
)
async def test_nothing_else_is_there(server: RunningServer, path: str) -> None:
    status, _, body = await asked(server, path)
    assert REVEALING.findall(body.decode()) == []
    assert (status, body.decode()) == (404, f"{ENGLISH['page.not_admitted']}\n")


@pytest.mark.parametrize(
    ("path", "origin", "status"),
    [
        (f"/visit/{SESSION}/link", "http://127.0.0.1:{port}", 101),
        (f"/visit/{SESSION}/link", "https://127.0.0.1:{port}", 403),
        (f"/visit/{SESSION}/link", "http://127.0.0.1:1", 403),
        (f"/visit/{SESSION}/link", "http://example.org", 403),
        (f"/visit/{SESSION}/link", "null", 403),
        (f"/{SESSION}", "http://127.0.0.1:{port}", 403),
        (f"/{SESSION}", "", 101),
    ],
)
async def test_a_socket_is_for_the_page_s_own_origin_alone(
    server: RunningServer, path: str, origin: str, status: int
) -> None:
    answered, headers, body = await handshake(server, path, origin.format(port=server.port))
    assert answered == status
    assert REVEALING.findall(f"{headers} {body.decode()}") == []


async def test_a_name_that_is_not_this_machine_s_is_nobody_s_own(server: RunningServer) -> None:
    named = f"elsewhere.example:{server.port}"
    status, _, _ = await handshake(server, f"/visit/{SESSION}/link", f"http://{named}", Host=named)
    assert status == 403


@pytest.mark.parametrize(
    ("host", "origin", "own"),
    [
        ("lab.example:8443", "https://lab.example:8443", True),
        ("lab.example", "https://lab.example", True),
        ("lab.example:8443", "http://lab.example:8443", False),
        ("lab.example:8443", "https://elsewhere.example", False),
        ("127.0.0.1:8765", "https://127.0.0.1:8765", False),
        ("elsewhere.example", "https://elsewhere.example", False),
    ],
)
def test_behind_a_proxy_the_page_s_own_origin_is_the_public_address(host: str, origin: str, own: bool) -> None:
    names = page_names(ListenAddress.parse("127.0.0.1:8765", behind="lab.example:8443"))
    assert Pages(Profile(name="test"), names).own(origin, host, encrypted=True) is own


async def handshake(server: RunningServer, path: str, origin: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    asks = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13", **headers}
    asks["Sec-WebSocket-Key"] = base64.b64encode(bytes(16)).decode()
    return await asked(server, path, **asks, **({"Origin": origin} if origin else {}))


def test_the_page_is_small() -> None:
    assert sum(path.stat().st_size for path in STATIC.iterdir()) < LARGEST


def test_the_token_stands_where_no_browser_sends_it() -> None:
    address = Address("10.0.0.7", 8765, SESSION, "t0ken", tls=True, fingerprint="0" * 64)
    assert address.page == f"https://10.0.0.7:8765/visit/{SESSION}#t0ken"


def test_a_profile_with_several_microphones_or_no_end_pointer_is_refused_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    several = Profile(name="two", microphones=(MicrophoneChoice(letters="sc"),))
    with pytest.raises(StudyError, match="name one microphone"):
        Pages(several, ())
    ends = Profile(name="ends", recording=RecordingControl.ENDPOINTED)
    monkeypatch.setattr("subject.browser.pages.endpointer", lambda: "pocketsphinx")
    Pages(ends, ())
    monkeypatch.setattr("subject.browser.pages.endpointer", str)
    with pytest.raises(StudyError, match="set `recording` to hold, press"):
        Pages(ends, ())
