"""Waveforms that are read ahead: what is measured is what whoever reads the file himself would find."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

from corpus.formats import pcm, riff, sphere
from corpus.io import waves_ahead as ahead
from corpus.io.waves_ahead import AHEAD, MeasuredWave, waves_ahead
from corpus.verify import batches
from corpus.verify.verify import verify
from tests.corpus.verify.broken import Corpus, good_corpus

LOUD = np.array([5, -32_768, 32_767, 0, -9], "<i2").tobytes()


def _sphere(body: bytes) -> bytes:
    fields = (("sample_count", len(body) // 2), ("sample_rate", 16_000), ("channel_count", 1), ("sample_n_bytes", 2))
    return sphere.render_header(sphere.fitting(fields)) + body


@pytest.mark.parametrize("body", [LOUD, b"", LOUD + b"\x01"])
@pytest.mark.parametrize("form", ["sphere", "riff"])
def test_samples_are_measured_as_by_whoever_reads_the_file(body: bytes, form: str, tmp_path: Path) -> None:
    data = _sphere(body) if form == "sphere" else riff.render(riff.pcm_file(LOUD, 16_000))[:44] + body
    (tmp_path / "a.wav").write_bytes(data)
    with waves_ahead(str(tmp_path), ["a.wav"]) as reading:
        assert reading is not None
        found = reading.take("a.wav")
    offset = 1024 if form == "sphere" else 44
    low, high = (-32_768, 32_767) if body else (0, 0)
    digests = hashlib.sha256(data[:offset]).hexdigest(), hashlib.sha256(body).digest()
    assert found == MeasuredWave(data, offset, *digests, low, high, pcm.checksum(body, 2, big_endian=False))


def test_whatever_order_they_are_asked_for_each_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"{number}.wav" for number in range(4 * AHEAD)]
    for number, name in enumerate(names):
        (tmp_path / name).write_bytes(_sphere(bytes([number, 0])))
    read, measured = list[str](), ahead._measured

    def noted(path: str) -> MeasuredWave | None:
        read.append(Path(path).name)
        return measured(path)

    monkeypatch.setattr(ahead, "_measured", noted)
    order = [*names[AHEAD + 1 : AHEAD + 3], *names[:AHEAD][::-1], *names[AHEAD : AHEAD + 1], *names[AHEAD + 3 :]]
    with waves_ahead(str(tmp_path), names) as reading:
        assert reading is not None
        found = {name: reading.take(name) for name in order}
    left = [name for name, wave in found.items() if wave is None]
    assert left == names[AHEAD + 1 : AHEAD + 3]  # nobody had begun with them: whoever asks reads them
    assert sorted(read) == sorted({*names} - {*left})
    assert all(wave.minimum == names.index(name) for name, wave in found.items() if wave is not None)


def test_what_is_not_there_or_too_large_is_for_whoever_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "large.wav").write_bytes(_sphere(LOUD))
    (tmp_path / "odd.wav").write_bytes(b"no waveform")
    monkeypatch.setattr(ahead, "LARGEST", 100)
    with waves_ahead(str(tmp_path), ["none.wav", "large.wav", "odd.wav"]) as reading:
        assert reading is not None
        assert reading.take("none.wav") is reading.take("large.wav") is None
        assert reading.take("odd.wav") == MeasuredWave(b"no waveform", 0, "", b"", 0, 0, 0)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return good_corpus(tmp_path_factory.mktemp("good") / "corpus")


def test_findings_are_the_same_whether_or_not_a_thread_reads_ahead(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    waves = sorted(corpus.root.glob("spon/**/*.wav"))
    for place, wave in enumerate(waves):
        data = wave.read_bytes()
        body = [b"", data[1024:-2], bytes(len(data) - 1024), b"\xff\x7f" * 500, data[1024:] + b"\0\0\0"][place % 5]
        wave.write_bytes((data[:1024] + body) if place % 6 else b"broken")
    read_ahead = verify(corpus.root)
    monkeypatch.setattr(batches, "_waves", lambda batch: [])
    assert verify(corpus.root) == read_ahead
    assert len({finding.rule for finding in read_ahead.findings if finding.rule.startswith("wave.")}) > 4
