"""The chain as pure bytes, and the golden store that must be readable for ever."""

import hashlib
import json
import shutil
import typing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from session import events as e
from session.events import VERSIONS
from session.store import hash_chain
from session.store.event_store import Store
from session.store.hash_chain import GENESIS, Envelope, StoredEvent
from tests import ROOT
from tests.session.examples import at
from tests.session.golden_store import EVERY, GONE, write

GOLDEN = ROOT / "tests" / "golden" / "session"
HEADS = {
    "store-1": {  # older than several facts, and than fields that have a default
        EVERY: "1961f18bc96dff0609f09cb37d69f5fe29f63e0feeffd1a4012b37c557f6ed9d",
        GONE: "2fc7d1e4b3e8f85d52966e7f8b6d22fb01fdff22dd6476957e62dc394341ad9e",
    },
    "store-1-complete": {
        EVERY: "5ab4eeed97f2f5e8e5696f1613cf3bcafedfc50dd12b82750d10bd3589679e81",
        GONE: "08d7ae99bb1601d0bee8babf7251c929eaeccc3bb8f2ec69ed3d49dfad948b04",
    },
    "store-1-invalidating": {
        EVERY: "b83fc8836ae7d764a04dd4a481ff3c57a671950895df80682081c35eea2a8298",
        GONE: "08d7ae99bb1601d0bee8babf7251c929eaeccc3bb8f2ec69ed3d49dfad948b04",
    },
    "store-1-correcting": {
        EVERY: "25e441a69e9e5310e99e1b371e167c9bdc829c674f56de4ac99005107f63f82b",
        GONE: "08d7ae99bb1601d0bee8babf7251c929eaeccc3bb8f2ec69ed3d49dfad948b04",
    },
    "store-1-operators": {
        EVERY: "f685d27814dab14e0b9a1a966bbf4e649de6082fc1861c95db0bdf2787cfd7bb",
        GONE: "7aa44f4501dda4d1dd2fbfe86fe936fd25aa2ebe414ae806950112edb8309f36",
    },
    "store-1-voices": {
        EVERY: "a8366d748ae1d9e95b2dcae12a32b8e11a56a2756942c53fd60c89bef5f6eaab",
        GONE: "deaf3603d712b7858807f0c49a213bdf551ff506b7743e1a04d60755c41f62a5",
    },
    "store-1-pages": {
        EVERY: "c0f839fb80dc3b8ad01c958a309348f4f0c935444ba1f1a4bc66538bcd439ef1",
        GONE: "deaf3603d712b7858807f0c49a213bdf551ff506b7743e1a04d60755c41f62a5",
    },
    "store-1-refused-desks": {
        EVERY: "3483745c331fd81cc44980ff2e57f53f8bc86e8a2e2e4b9995f610c1e216e9ac",
        GONE: "f02013b34ecf42e039327777687a59ddb4653421823871980b38018eb2726a10",
    },
    "store-1-deviations": {
        EVERY: "74334187cac28abd641a50ee294a81bc0e5b2df09417c6b24c80312c30ca69ae",
        GONE: "4d101cac8ea2419ccde707cb625c39c36e618e14601e7f5b6561d6813c4ea1a3",
    },
}


def built(payloads: list[bytes]) -> list[StoredEvent]:
    links: list[StoredEvent] = []
    prev = GENESIS
    for seq, payload in enumerate(payloads, start=1):
        salt = bytes([seq % 256]) * 16
        envelope = Envelope("s", seq, "NoteWritten", 1, at(seq), "hub", "", hash_chain.commitment(salt, payload))
        links.append(hash_chain.linked(envelope, prev, salt, payload))
        prev = links[-1].digest
    return links


def test_a_link_is_the_hash_over_the_last_digest_and_the_envelope_s_bytes() -> None:
    first, second = built([b"a", b"b"])
    assert first.prev == bytes(32)
    assert first.digest == hashlib.sha256(bytes(32) + first.envelope).digest()
    assert second.digest == hashlib.sha256(first.digest + second.envelope).digest()
    assert json.loads(second.envelope)["payload"] == hashlib.sha256(b"\x02" * 16 + b"b").hexdigest()


@given(payloads=st.lists(st.binary(max_size=8), max_size=6), data=st.data())
def test_no_byte_of_a_chain_changes_unnoticed(payloads: list[bytes], data: st.DataObject) -> None:
    links = built(payloads)
    assert hash_chain.findings(links, links[-1].digest.hex() if links else "") == []
    if links:
        index = data.draw(st.integers(0, len(links) - 1))
        field = data.draw(st.sampled_from(["envelope", "prev", "digest", "salt", "payload"]))
        old = getattr(links[index], field)
        at_byte = data.draw(st.integers(0, max(0, len(old) - 1)))
        new = (
            old[:at_byte] + bytes([(old[at_byte] if old else 0) ^ data.draw(st.integers(1, 255))]) + old[at_byte + 1 :]
        )
        links[index] = StoredEvent(
            **{**{name: getattr(links[index], name) for name in links[index].__struct_fields__}, field: new}
        )
        assert hash_chain.findings(links) != []


@given(payloads=st.lists(st.binary(max_size=3), min_size=2, max_size=6), data=st.data())
def test_no_event_is_dropped_or_moved_unnoticed(payloads: list[bytes], data: st.DataObject) -> None:
    links = built(payloads)
    head = links[-1].digest.hex()
    kept = [link for link in links if data.draw(st.booleans())]
    if len(kept) < len(links):
        assert hash_chain.findings(kept, head) != []
    turned = data.draw(st.permutations(links))
    if turned != links:
        assert hash_chain.findings(turned, head) != []


def test_an_envelope_that_is_none_is_a_finding_and_no_traceback() -> None:
    (link,) = built([b"a"])
    broken = StoredEvent(link.stream, link.seq, b"{}", link.prev, link.digest, link.salt, link.payload)
    assert any("no readable envelope" in finding for finding in hash_chain.findings([broken]))


def holds(now: Any, then: Any) -> bool:
    """Whether `now` says all that `then` said; fields that came later may stand beside."""
    if isinstance(then, dict):
        return all(key in now and holds(now[key], value) for key, value in then.items())
    if isinstance(then, list):
        return len(now) == len(then) and all(map(holds, now, then))
    return bool(now == then)


@pytest.mark.parametrize("golden", HEADS)
def test_a_golden_store_is_read_as_it_was_written(golden: str, tmp_path: Path) -> None:
    heads = HEADS[golden]
    shutil.copy(GOLDEN / f"{golden}.sqlite", tmp_path)
    store = Store(f"sqlite:///{tmp_path}/{golden}.sqlite")
    assert {info.stream: info.head for info in store.streams()} == heads
    assert [finding for name in heads for finding in store.verify(name, heads[name])] == []
    read = [recorded for name in (EVERY, GONE) for recorded in store.read(name)]
    written = [json.loads(line) for line in (GOLDEN / f"{golden}.jsonl").read_text().splitlines()]
    assert [(fact.session, fact.seq, fact.cause) for fact in read] == [
        (line["session"], line["seq"], line["cause"]) for line in written
    ]
    assert [type(fact.event).__name__ for fact in read] == [line["event"]["type"] for line in written]
    assert [type(fact.event).__name__ for fact in store.read(GONE)] == ["Redacted", "Redacted", "SpeakerWithdrawn"]
    for fact, line in zip(read, written, strict=True):
        if VERSIONS.get(line["event"]["type"], 1) == 1:
            assert holds(msgspec.to_builtins(fact.event), line["event"]), line
    store.close()


def test_the_newest_golden_store_holds_every_fact_there_is() -> None:
    lines = (GOLDEN / f"{list(HEADS)[-1]}.jsonl").read_text().splitlines()
    assert {json.loads(line)["event"]["type"] for line in lines} == {
        "Redacted",
        *(kind.__name__ for kind in typing.get_args(e.Fact)),
    }


def test_the_next_golden_store_can_be_written(tmp_path: Path) -> None:
    write(tmp_path / "next.sqlite")
    with pytest.raises(SystemExit, match="never written again"):
        write(tmp_path / "next.sqlite")
