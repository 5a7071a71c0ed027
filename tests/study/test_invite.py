"""What `curtain invite` prints: an address a line, and what is missing of it."""

import io
from pathlib import Path

from session.study.create import new
from session.values.clock import ManualClock
from study.invite_command import InviteOptions, invite_command


def test_an_address_without_its_host_says_what_stands_before_it(tmp_path: Path) -> None:
    study = new(tmp_path / "study")
    for at, told in (("", "Put the hub's own address before each"), ("https://lab.example.org", "")):
        out, err = io.StringIO(), io.StringIO()
        asked = InviteOptions(study=str(study.folder), until="2999-01-01", at=at)
        assert invite_command(asked, ManualClock(), out, err) == 0
        assert out.getvalue().startswith(f"{at}/join#")
        assert err.getvalue()[: len(told)] == told
        assert bool(err.getvalue()) is bool(told)
