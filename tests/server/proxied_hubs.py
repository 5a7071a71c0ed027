"""Two hubs on one store, each a process, behind HAProxy, for the tests that need one."""

import asyncio
import contextlib
import multiprocessing
import shutil
import socket
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from tests import ROOT

Serve = Callable[[int, Path, str, Connection], Awaitable[None]]
"""Serves hub number so and so on the store at a URL, and sends its ports, until something comes."""


@contextlib.contextmanager
def proxied(folder: Path, url: str, serve: Serve) -> Iterator["Hubs"]:
    """Two hubs behind HAProxy; a test that wants them is passed over where that is not installed."""
    if shutil.which("haproxy") is None:
        pytest.skip("haproxy is not installed")
    made = Hubs(folder, url, serve)
    try:
        yield made
    finally:
        made.close()


def _live(serve: Serve, number: int, folder: Path, url: str, pipe: Connection) -> None:
    async def served() -> None:
        await serve(number, folder, url, pipe)

    with contextlib.suppress(EOFError):
        asyncio.run(served())


class Hubs:
    """Two hubs on one store, each a process, and HAProxy in front as docs/how-to/serve-many-people.md has it."""

    def __init__(self, folder: Path, url: str, serve: Serve) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.processes: list[Any] = []
        self.pipes: list[Connection] = []
        self.ports: list[tuple[int, int]] = []
        for number in range(2):
            ours, theirs = spawn.Pipe()
            process = spawn.Process(target=_live, args=(serve, number, folder, url, theirs), daemon=True)
            process.start()
            self.pipes.append(ours)
            self.ports.append(ours.recv())
            self.processes.append(process)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        text = (ROOT / "docs" / "examples" / "haproxy.cfg").read_text(encoding="utf-8")
        text = text.replace("bind :8765 ssl crt /etc/curtain/hub.pem", f"bind 127.0.0.1:{self.port}")
        for number, (port, metrics) in enumerate(self.ports, start=1):
            text = text.replace(f"hub{number}:8765 check port 9101", f"127.0.0.1:{port} check port {metrics}")
        (folder / "haproxy.cfg").write_text(text, encoding="utf-8")
        self.proxy = subprocess.Popen(["haproxy", "-db", "-f", str(folder / "haproxy.cfg")], stderr=subprocess.DEVNULL)

    def close(self) -> None:
        self.proxy.kill()
        self.proxy.wait()
        for process in self.processes:
            process.kill()
            process.join()
