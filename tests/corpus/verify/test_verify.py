import io
import json
import os
import pickle
import shutil
import tempfile
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.export.madcow import export
from corpus.export.session_files import ExportOptions
from corpus.formats import riff, sphere
from corpus.formats.sphere import SphereFile, SphereHeader
from corpus.io.parallel import Jobs
from corpus.verify.batches import Batch
from corpus.verify.rules.catalogue import ALL as RULES
from corpus.verify.rules.context import CorpusFacts
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import VerifyOptions, verify, verify_command
from tests.corpus.sessions import MemorySource, whole_session
from tests.corpus.verify import breakages
from tests.corpus.verify.broken import CAT, CROWN, LOG, ONE, SRO, WAV, Breakage, Corpus, good_corpus


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return good_corpus(tmp_path_factory.mktemp("good") / "corpus").root


@pytest.fixture
def corpus(good: Path, tmp_path: Path) -> Corpus:
    shutil.copytree(good, tmp_path / "corpus")
    return Corpus(tmp_path / "corpus")


def test_an_unbroken_corpus_gives_no_finding(good: Path) -> None:
    report = verify(good)
    assert report.findings == ()
    assert (report.scenarios, report.utterances) == (4, 14)


@pytest.mark.parametrize("options", [ExportOptions(), ExportOptions(riff=True), ExportOptions(unnumbered=True)])
def test_what_is_exported_has_no_error(tmp_path: Path, options: ExportOptions) -> None:
    for show_answers in (True, False):
        target = tmp_path / str(show_answers)
        export(MemorySource(whole_session(show_answers=show_answers)), target, options)
        assert not [finding for finding in verify(target).findings if finding.severity is Severity.ERROR]


@pytest.mark.parametrize("breakage", breakages.ALL, ids=lambda breakage: f"{breakage.rule}-{breakage.name}")
def test_each_breakage_is_caught_by_its_rule(corpus: Corpus, breakage: Breakage) -> None:
    breakage.act(corpus)
    if breakage.resealed:
        corpus.reseal()
    found = verify(corpus.root).findings
    caught = [finding for finding in found if finding.rule == breakage.rule]
    assert caught, sorted(str(finding) for finding in found)
    assert all(finding.message and finding.remedy and finding.path for finding in caught)


def test_another_process_knows_of_the_whole_what_this_one_does() -> None:
    known = CorpusFacts(Path("corpus"), True, None, {}, {}, frozenset({"a.wav"}), True, frozenset({"c3"}))
    there = pickle.loads(pickle.dumps(Batch(known, (), ("a.drf",))))
    assert (there.known, there.drafts) == (known, ("a.drf",))
    changed = {field.name for field in fields(known) if getattr(known, field.name) == field.default}
    assert changed == {"manifest"}, "each other fact is another one than it is unsaid"


def test_there_are_many_breakages_and_none_is_told_twice() -> None:
    assert len({breakage.name for breakage in breakages.ALL}) == len(breakages.ALL) >= 150


def test_no_rule_is_without_a_breakage() -> None:
    assert {rule.id for rule in RULES} == {breakage.rule for breakage in breakages.ALL}


def test_a_file_that_vanishes_while_it_is_read_is_reported(good: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = os.open

    def failing(path: str, flags: int) -> int:
        if str(path).endswith(SRO):
            raise OSError(5, "Input/output error")
        return opened(path, flags)

    monkeypatch.setattr("corpus.verify.rules.context.os.open", failing)
    (finding,) = [finding for finding in verify(good).findings if finding.rule == "file.unreadable"]
    assert (finding.path, finding.message) == (SRO, "Input/output error")


@pytest.mark.parametrize(
    ("module", "path"),
    [("log", LOG), ("completeness", CROWN), ("waveforms", WAV), ("transcriptions", SRO), ("reference_answers", CAT)],
)
def test_a_rule_that_fails_on_one_file_is_a_finding_and_hides_no_other(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, module: str, path: str
) -> None:
    rules = import_module(f"corpus.verify.rules.{module}")
    check = rules.check

    def failing(*args: object) -> object:
        if path in args or path in (*getattr(args[0], "waves", {}).values(), *getattr(args[0], "files", {}).values()):
            raise RuntimeError("nobody thought of this")
        return check(*args)

    monkeypatch.setattr(rules, "check", failing)
    corpus.write(f"{ONE}/8k8021sx.sro", b"flights 7\n")
    found = verify(corpus.root).findings
    assert "sro.form" in {finding.rule for finding in found}
    assert {finding.path for finding in found if finding.rule == "file.unreadable"} >= {path}
    assert all("RuntimeError: nobody" in finding.message for finding in found if finding.rule == "file.unreadable")


@given(cut=st.integers(0, 1100), junk=st.binary(max_size=5), path=st.sampled_from([WAV, CROWN]), as_riff=st.booleans())
def test_a_waveform_of_any_length_is_checked(good: Path, cut: int, junk: bytes, path: str, as_riff: bool) -> None:
    whole = (good / path).read_bytes()
    if as_riff:
        whole = riff.render(riff.pcm_file(bytes(sphere.read(good / path).data)[:1000], 16_000))
    with tempfile.TemporaryDirectory() as folder:
        corpus = Corpus(Path(folder))
        data = whole[: len(whole) - cut] + junk
        corpus.write(path, data)
        rules = {finding.rule for finding in verify(corpus.root).findings}
    assert "file.unreadable" not in rules
    if len(data) < len(whole) or (
        len(data) > len(whole) and not as_riff
    ):  # behind RIFF's samples other chunks may follow
        assert rules & {"wave.length", "wave.form"}


@pytest.mark.parametrize(
    ("width", "peak", "rules"), [(1, 3, set()), (3, 40_000, set()), (3, 3, {"wave.silent"}), (1, 127, {"wave.clipped"})]
)
def test_silent_and_clipped_are_shares_of_full_scale_at_every_width(
    corpus: Corpus, width: int, peak: int, rules: set[str]
) -> None:
    sample = peak.to_bytes(width, "little")
    header = sphere.read(corpus.root / WAV).header
    fields = tuple(
        (name, {"sample_n_bytes": width, "sample_count": 4000}.get(name, value)) for name, value in header.fields
    )
    corpus.write(WAV, sphere.render(SphereFile(SphereHeader(fields), sample * 4000)))
    found = {finding.rule for finding in verify(corpus.root).findings if finding.path == WAV}
    assert found & {"wave.silent", "wave.clipped"} == rules


def test_a_request_with_an_evaluable_one_to_hang_on_keeps_its_class(corpus: Corpus) -> None:
    corpus.write(f"{ONE}/8k8021sx.cat", b"X: responding context-dependent:Q1\n")
    corpus.write(f"{ONE}/8k8031sx.cat", b"D: wh-question context-dependent:Q1|Q2\n")
    assert "cat.unevaluable" not in {finding.rule for finding in verify(corpus.root).findings}


def test_a_chain_that_hangs_on_class_x_is_told_link_by_link_at_once(corpus: Corpus) -> None:
    corpus.write(CAT, b"X: ill-formed\n")
    corpus.write(f"{ONE}/8k8021sx.cat", b"D: wh-question context-dependent:Q1\n")
    corpus.write(f"{ONE}/8k8031sx.cat", b"D: wh-question context-dependent:Q2\n")
    messages = [finding.message for finding in verify(corpus.root).findings if finding.rule == "cat.unevaluable"]
    assert messages == [
        "class D, but hangs on Q1, which cannot be evaluated",
        "class D, but hangs on Q2, which cannot be evaluated",
    ]


def test_findings_name_the_line(corpus: Corpus) -> None:
    corpus.edit(LOG, r"^\[Language:\] english", "[Language:] klingon")
    (finding,) = [finding for finding in verify(corpus.root).findings if finding.rule == "log.form"]
    line = (corpus.root / LOG).read_text("utf-8").splitlines()[finding.line - 1]
    assert line == "[Language:] klingon"


def test_all_findings_come_at_once_and_sorted(corpus: Corpus) -> None:
    corpus.edit(SRO, "flights", "flights 7")
    corpus.remove(WAV)
    corpus.edit(LOG, "database=machine", "database=magic")
    findings = verify(corpus.root).findings
    assert {"sro.form", "set.waveform-missing", "log.mode", "manifest.absent"} <= {finding.rule for finding in findings}
    assert list(findings) == sorted(findings)


def test_several_processes_find_the_same(corpus: Corpus) -> None:
    corpus.swap(WAV, f"{ONE}/8k8021ss.wav")
    corpus.edit(SRO, "flights", "flights 7")
    assert verify(corpus.root, jobs=Jobs(2)) == verify(corpus.root)


def test_headers_alone_leave_out_what_needs_samples_and_say_so(corpus: Corpus) -> None:
    corpus.samples(WAV, lambda samples: samples[::-1])
    corpus.header(f"{ONE}/8k8021ss.wav", "sample_rate", 8000)
    corpus.reseal()
    rules = {finding.rule for finding in verify(corpus.root, headers=True).findings}
    assert "wave.rate" in rules
    assert not rules & {rule.id for rule in RULES if rule.samples}
    err = io.StringIO()
    verify_command(VerifyOptions(str(corpus.root), headers=True), io.StringIO(), err)
    assert "samples were not read (--headers)" in err.getvalue()


def test_headers_alone_are_held_against_the_manifest(corpus: Corpus) -> None:
    corpus.alter(WAV, lambda data: data.replace(b"spontaneous", b"spontaneouS"))
    found = {(finding.rule, finding.path) for finding in verify(corpus.root, headers=True).findings}
    assert ("manifest.hash", WAV) in found


def test_a_manifest_without_hashes_of_headers_serves_as_well(corpus: Corpus) -> None:
    corpus.mark(WAV, header="")
    assert verify(corpus.root).findings == ()
    corpus.alter(WAV, lambda data: data[:-2] + b"ab")
    assert ("manifest.hash", WAV) in {(finding.rule, finding.path) for finding in verify(corpus.root).findings}


@pytest.mark.parametrize(
    ("strict", "status"),
    [(False, 0), (True, 1)],
)
def test_warnings_count_only_when_strict(corpus: Corpus, strict: bool, status: int) -> None:
    corpus.mark(SRO, draft=True, work=None)
    assert verify_command(VerifyOptions(str(corpus.root), strict=strict), io.StringIO(), io.StringIO()) == status


def test_an_error_gives_status_1_and_a_line_that_names_everything(corpus: Corpus) -> None:
    corpus.edit(SRO, "flights", "flights 7")
    out = io.StringIO()
    assert verify_command(VerifyOptions(str(corpus.root)), out, io.StringIO()) == 1
    assert f"{SRO}:1: error: column 17: digits in '7' [sro.form]; write numbers in words" in out.getvalue()


def test_a_file_full_of_faults_fills_no_list(corpus: Corpus) -> None:
    corpus.write(SRO, b"7\n" * 1200)
    found = [finding for finding in verify(corpus.root).findings if finding.rule == "sro.form"]
    assert len(found) == 1000
    assert found[-1].message.startswith("more of this kind than are listed; the last that is: column 1: digits in '7'")


def test_json_has_the_same_findings(corpus: Corpus) -> None:
    corpus.edit(SRO, "flights", "flights 7")
    out = io.StringIO()
    verify_command(VerifyOptions(str(corpus.root), as_json=True), out, io.StringIO())
    messages = json.loads(out.getvalue())
    assert {finding["rule"] for finding in messages["findings"]} == {
        finding.rule for finding in verify(corpus.root).findings
    }
    assert messages["headers"] is False


def test_no_directory_is_a_fault_of_the_call(tmp_path: Path) -> None:
    err = io.StringIO()
    assert verify_command(VerifyOptions(str(tmp_path / "none")), io.StringIO(), err) == 2
    assert "is not a directory" in err.getvalue()


def test_an_empty_directory_lacks_what_every_corpus_has(tmp_path: Path) -> None:
    assert {finding.rule for finding in verify(tmp_path).findings} == {
        "lexicon.missing",
        "manifest.missing",
        "readme.missing",
        "speakers.missing",
    }
