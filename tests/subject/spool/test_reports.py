from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subject.spool.reports import Damage, Outbox


def test_reports_stay_until_they_are_acknowledged_and_through_restarts(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path / "reports")
    for number in range(3):
        outbox.add(f"r{number}", b'{"n": %d}' % number)
    outbox.acknowledge("r1")
    outbox.acknowledge("unknown")
    expected = [("r0", b'{"n":0}'), ("r2", b'{"n":2}')]
    assert [identifier for identifier, _ in outbox.pending()] == ["r0", "r2"]
    outbox.close()
    again = Outbox(tmp_path / "reports")
    assert again.pending() == expected
    assert again.damage == []
    again.close()


def test_the_same_report_twice_is_kept_once(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path / "reports")
    outbox.add("r", b"1")
    outbox.add("r", b"2")
    assert outbox.pending() == [("r", b"1")]
    assert (tmp_path / "reports").read_bytes().count(b"\n") == 1
    outbox.close()


@given(st.integers(0, 200))
def test_a_torn_last_line_costs_that_line_alone(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    path = tmp_path_factory.mktemp("outbox") / "reports"
    outbox = Outbox(path)
    for number in range(4):
        outbox.add(f"r{number}", b'{"text":"\xc3\xbc"}')
    outbox.close()
    whole = path.read_bytes()
    torn = whole[: max(0, len(whole) - cut)]
    path.write_bytes(torn)
    complete = torn.count(b"\n") + (torn.endswith(b"}}"))
    again = Outbox(path)
    assert [identifier for identifier, _ in again.pending()] == [f"r{number}" for number in range(complete)]
    assert len(again.damage) == (1 if torn and not torn.endswith((b"\n", b"}}")) else 0)
    again.add("after", b"{}")
    again.close()
    last = Outbox(path)
    assert last.pending()[-1] == ("after", b"{}")
    last.close()


def test_a_damaged_line_is_named_and_left_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / "reports"
    path.write_bytes(b'{"id":"a","report":1}\nnonsense\n{"id":"b","report":2}\n')
    outbox = Outbox(path)
    assert outbox.damage == [Damage(2, b"nonsense")]
    assert outbox.pending() == [("a", b"1"), ("b", b"2")]
    outbox.close()
    assert b"nonsense\n" in path.read_bytes()


def test_a_report_that_is_no_json_is_refused(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path / "reports")
    with pytest.raises(ValueError, match="not a JSON document"):
        outbox.add("r", b"{")
    assert outbox.pending() == []
    outbox.close()


def test_a_report_of_several_lines_stays_one_line(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path / "reports")
    outbox.add("r", b'{\n "a": "x\\ny"\n}')
    outbox.close()
    assert (tmp_path / "reports").read_bytes() == b'{"id":"r","report":{"a":"x\\ny"}}\n'


def test_a_full_disk_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    outbox = Outbox(tmp_path / "reports")
    outbox.add("a", b"1")
    write = os.write
    with monkeypatch.context() as patch:
        patch.setattr("subject.spool.reports.os.write", lambda file, data: write(file, data[:5]))
        with pytest.raises(OSError, match="No space"):
            outbox.add("b", b"2")
    outbox.add("c", b"3")
    outbox.close()
    again = Outbox(tmp_path / "reports")
    assert [identifier for identifier, _ in again.pending()] == ["a", "c"]
    assert again.damage == []
    again.close()


def test_a_journal_of_things_long_done_is_cut_short(tmp_path: Path) -> None:
    path = tmp_path / "reports"
    lines = [f'{{"id":"r{n}","report":{n}}}\n{{"done":"r{n}"}}\n' for n in range(2_000)]
    path.write_text("".join(lines) + '{"id":"last","report":0}\n')
    outbox = Outbox(path)
    assert outbox.pending() == [("last", b"0")]
    outbox.close()
    assert path.read_bytes() == b'{"id":"last","report":0}\n'


def test_a_journal_stays_short_however_long_the_desk_runs(tmp_path: Path) -> None:
    path = tmp_path / "reports"
    outbox = Outbox(path)
    longest = 0
    for number in range(1_500):
        outbox.add(f"r{number}", b"{}")
        if number != 3:
            outbox.acknowledge(f"r{number}")
        longest = max(longest, path.stat().st_size)
    outbox.close()
    assert longest < 50_000
    again = Outbox(path)
    assert again.pending() == [("r3", b"{}")]
    again.close()


def test_a_disk_without_room_for_a_shorter_journal_keeps_the_longer_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "reports"
    lines = [f'{{"id":"r{n}","report":{n}}}\n{{"done":"r{n}"}}\n' for n in range(2_000)]
    path.write_text("".join(lines) + '{"id":"last","report":0}\n')
    with monkeypatch.context() as patch:
        patch.setattr("subject.spool.reports.os.write", lambda file, data: len(data) - 1)
        outbox = Outbox(path)
    assert outbox.pending() == [("last", b"0")]
    outbox.add("more", b"1")
    outbox.close()
    again = Outbox(path)
    assert again.pending() == [("last", b"0"), ("more", b"1")]
    again.close()
