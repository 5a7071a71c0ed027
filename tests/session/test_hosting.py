"""A hub comes to life whole, and gives everything back whatever happens at its end."""

from pathlib import Path

import pytest

from session.clock import SystemClock
from session.hosting import hosted
from session.hub import Hub
from session.listening import Listening
from session.withdrawal import nobody_using
from tests.together.pipe import TOKENS, ToyDatabase


async def test_an_end_that_fails_in_one_place_gives_all_others_back(
    tmp_path: Path, connected: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(self: Hub) -> None:
        raise RuntimeError("a session does not end")

    monkeypatch.setattr(Hub, "close", fails)
    url = f"sqlite:///{tmp_path}/collection.sqlite"
    clock = SystemClock("hub")
    with pytest.raises(RuntimeError, match="does not end"):
        async with hosted(tmp_path, url, ToyDatabase, TOKENS.get, clock, Listening()):
            assert connected
    assert connected == []
    with nobody_using(tmp_path):
        pass
