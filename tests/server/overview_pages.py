"""An experimenter's page that is open in a test."""

import json
from typing import Any

from server.overview.overview_page import Overview

PLACE, TOKEN = "p" * 24, "t-overview"


class Looked:
    """An open page: every frame that it was told."""

    def __init__(self, overview: Overview) -> None:
        self.told: list[dict[str, Any]] = []
        self.connection = overview.connection(lambda frame: self.told.append(json.loads(frame)), lambda why: None)

    async def say(self, **message: str) -> None:
        await self.connection.receive(json.dumps(message))

    def last(self, kind: str) -> dict[str, Any]:
        return [message for message in self.told if message["m"] == kind][-1]
