"""A transcription server of a test's own, and the domain of a few words that a recogniser learns there."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

Reply = Callable[["Handler"], object]


class Handler(BaseHTTPRequestHandler):
    """One request: remembered, then answered as the test says."""

    server: "FakeServer"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked.append((self.path, dict(self.headers), body))
        self.server.reply(self)

    def give(self, raw: bytes, status: int = 200, length: int | None = None, to: str = "") -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(raw) if length is None else length), "Location": to}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)

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
        self.reply: Reply = lambda handler: handler.give(json.dumps({"text": "Show me flights."}).encode())
        self.release = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1/audio/transcriptions"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is no event."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    fake = FakeServer()
    thread = threading.Thread(target=fake.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield fake
    fake.release.set()
    fake.shutdown()
    fake.server_close()
    thread.join()
