"""Whatever a file holds, its reader gives a value, which is written and read again alike, or one clear refusal."""

import contextlib
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.formats import cat, com, lexicon, lsn, manifest, riff, sphere, spkrinfo, sql, squ, sro, win
from corpus.formats.errors import FormatFault
from corpus.formats.log import file
from corpus.formats.log.projection import logs_of
from tests.corpus.sessions import whole_session

READERS: dict[str, Callable[[bytes, str], object]] = {
    "cat": cat.parse,
    "com": com.parse,
    "lexicon": lexicon.parse,
    "log": file.parse,
    "lsn": lsn.parse,
    "manifest": manifest.parse,
    "squ": squ.parse,
    "riff": riff.parse,
    "spkrinfo": spkrinfo.parse,
    "sphere": sphere.parse,
    "sql": sql.parse,
    "sq2": sql.parse_blocks,
    "sro": sro.parse,
    "win": win.parse,
}
WRITERS: dict[str, Callable[..., bytes]] = {
    "cat": cat.render,
    "com": com.render,
    "lexicon": lexicon.render,
    "log": file.render,
    "lsn": lsn.render,
    "manifest": manifest.render,
    "squ": squ.render,
    "spkrinfo": spkrinfo.render,
    "sql": sql.render,
    "sq2": sql.render_blocks,
    "sro": sro.render,
    "win": win.render,
}
PIECES = [
    b"A:",
    b"X:",
    b"\r\n",
    b"\0",
    b"[Questionnaire:] a\\n",
    b"select 'a\t''b'",
    b"/*",
    b"!lo:ng",
    b"re(vo)-",
    b"[uh]",
    b"interp#1:",
    b"[Number:] 01\n",
    b"| ",
    b"\n",
    b"\t",
    b" ",
    b"-s3",
    b"9" * 5000,
    b"interp#" + b"9" * 5000 + b":",
    b"boston\t",
    b"\xef\xbb\xbf",
    b"NIST_1A\n",
    b"'",
    b"--",
    b";",
    b"~",
]
GARBAGE = st.binary(max_size=80) | st.lists(st.sampled_from(PIECES) | st.binary(max_size=3), max_size=20).map(b"".join)
LOG = file.render(logs_of(whole_session().facts)[1].log)


@pytest.mark.parametrize("kind", sorted(READERS))
@given(data=GARBAGE)
def test_garbage_is_read_or_refused_with_its_path(kind: str, data: bytes) -> None:
    fault: FormatFault | None = None
    try:
        READERS[kind](data, "somewhere")
    except FormatFault as refused:
        fault = refused
    assert fault is None or (str(fault).startswith("somewhere") and fault.found and fault.remedy)


@pytest.mark.parametrize("kind", sorted(WRITERS))
@given(data=GARBAGE)
def test_what_is_read_is_written_and_read_again_alike(kind: str, data: bytes) -> None:
    with contextlib.suppress(FormatFault):
        value = READERS[kind](data, "somewhere")
        written = WRITERS[kind](value)
        again = READERS[kind](written, "somewhere")
        assert WRITERS[kind](again) == written
        assert again == value or not unicodedata.is_normalized("NFC", data.decode())


@given(st.integers(0, len(LOG) - 1), st.integers(0, 40), st.sampled_from(PIECES) | st.binary(max_size=2))
def test_a_damaged_log_is_read_or_refused_with_its_line(place: int, length: int, piece: bytes) -> None:
    damaged = LOG[:place] + piece + LOG[place + length :]
    with contextlib.suppress(FormatFault):
        again = file.parse(damaged, "x.log")
        assert file.parse(file.render(again), "x.log").header == again.header
