"""A server outside of the house as a test plays it: what it was asked is remembered, what it answers is the test's choice."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

Reply = Callable[["Handler"], object]


class Handler(BaseHTTPRequestHandler):
    """One request: remembered, then answered as the test says."""

    server: "FakeServer"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self._answer(body)

    def do_GET(self) -> None:
        self._answer(b"")

    def _answer(self, body: bytes) -> None:
        self.server.asked.append((self.path, dict(self.headers), body))
        self.server.arrived.set()
        self.server.reply(self)

    def give(self, raw: bytes, status: int = 200, length: int | None = None, to: str = "") -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(raw) if length is None else length), "Location": to}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)

    def drip(self) -> None:
        """Send a space now and then for as long as the test lasts."""
        self.send_response(200)
        self.end_headers()
        while not self.server.release.wait(0.005):
            self.wfile.write(b" ")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its own name
        """Nothing on the screen."""

    def handle(self) -> None:
        try:
            super().handle()
        except ConnectionError:
            self.close_connection = True  # whoever asked has gone


class FakeServer(ThreadingHTTPServer):
    """A server on a port of its own; `release` lets go of a handler that waits."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, dict[str, str], bytes]] = []
        self.reply: Reply = lambda handler: handler.give(b"{}")
        self.arrived, self.release = threading.Event(), threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1/asked"

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """What was asked, of requests in JSON."""
        return [json.loads(body) for _, _, body in self.asked]

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is no event."""


@pytest.fixture
def fake_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    server = FakeServer()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.release.set()
    server.shutdown()
    server.server_close()
    thread.join()
