"""A speaker's id changes wherever it stands, nothing else does, and whoever leaves is found under the new one."""

import io
import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

import curtain
from corpus.commands.export import ExportRequest, export_command
from corpus.commands.merge import MergeOptions, merge, merge_command
from corpus.commands.package import Package, package_command
from corpus.commands.rename import RenameOptions, rename, rename_command
from corpus.commands.withdraw import WithdrawOptions, withdraw_command
from corpus.dataset import removals
from corpus.dataset.reader import Corpus
from corpus.dataset.removals import Removal, Removals
from corpus.export.madcow import export
from corpus.formats import manifest, renames, sphere
from corpus.formats.errors import FormatFault
from corpus.formats.renames import Rename, Renames, followed
from corpus.io.staging import Refused, partial_of
from corpus.packages.formats import ExportFormat
from corpus.release import holdout_file
from corpus.release.holdout_file import HandedOver, Holdout
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from session.values.clock import ManualClock
from tests.corpus.commands.withdrawals import SAID, found, needles, said, script_saying, withdraw
from tests.corpus.corpora import SITE_STUDY, OfStudy, corpus_of, part, session_of
from tests.corpus.interruptions import bytes_of
from tests.corpus.studies import fill, made_study

DAY = "2026-11-22"


@pytest.fixture
def cmu(tmp_path: Path) -> Path:
    """A corpus with one speaker who will be renamed and one who stays."""
    (tmp_path / "new").mkdir()
    return corpus_of(tmp_path / "cmu", session_of("cmu", "8k1"), session_of("cmu", "8k2", "m", 2))


def renamed(root: Path, target: Path, *pairs: str, by: str = "") -> tuple[int, str]:
    err = io.StringIO()
    return rename_command(
        RenameOptions(str(root), str(target), pairs=pairs, by=by), ManualClock(), io.StringIO(), err
    ), err.getvalue()


def errors(root: Path) -> list[str]:
    return [str(finding) for finding in verify(root).findings if finding.severity is Severity.ERROR]


def test_the_id_changes_wherever_it_stands_and_nothing_else_does(cmu: Path, tmp_path: Path) -> None:
    assert renamed(cmu, tmp_path / "new/cmu", "8k1=9a1")[0] == 0
    after = tmp_path / "new/cmu"
    assert errors(after) == []
    old = re.compile(rb"(?<![0-9A-Za-z])8k1(?:[0-9a-z]{5})?(?![0-9A-Za-z])")
    naming = [path for path in sorted(after.rglob("*")) if path.is_file() and old.search(path.read_bytes())]
    assert naming == [after / "renames.json"]
    assert not any("8k1" in path.name for path in after.rglob("*"))
    for path in cmu.rglob("8k2*.*"):
        assert (after / path.relative_to(cmu)).read_bytes() == path.read_bytes()
    waves = sorted(cmu.rglob("8k1*.wav"))
    assert waves
    for path in waves:
        one = sphere.read(path)
        other = sphere.read(after / str(path.relative_to(cmu)).replace("8k1", "9a1"))
        assert other.data == one.data
        assert {name for name in one.header.by_name if one.header.get(name) != other.header.get(name)} == {
            "speaker_id",
            "utterance_id",
        }


def test_a_new_name_taken_back_gives_the_same_bytes(cmu: Path, tmp_path: Path) -> None:
    rename(cmu, tmp_path / "new/cmu", {"8k1": "9a1"}, DAY)
    (tmp_path / "back").mkdir()
    rename(tmp_path / "new/cmu", tmp_path / "back/cmu", {"9a1": "8k1"}, DAY)
    before, after = bytes_of(cmu), bytes_of(tmp_path / "back/cmu")
    assert {path for path in after if after[path] != before.get(path)} == {"renames.json", "manifest.json"}
    (left,) = renames.held_in(tmp_path / "back/cmu").renames
    assert (left.old, left.new, left.sessions) == ("9a1", "8k1", ("cmu-20261121-1",))


def test_riff_waveforms_are_renamed_too(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    root = corpus_of(tmp_path / "cmu", session_of("cmu", "8k1"), riff=True)
    assert renamed(root, tmp_path / "new/cmu", "8k1=9a1")[0] == 0
    assert errors(tmp_path / "new/cmu") == []
    (path,) = root.rglob("8k1011ss.wav")
    assert (tmp_path / "new/cmu/spon/9a1/1/9a1011ss.wav").read_bytes() == path.read_bytes()


def test_sites_with_one_id_can_be_merged_when_one_of_them_has_been_renamed(cmu: Path, tmp_path: Path) -> None:
    bbn = corpus_of(tmp_path / "bbn", session_of("bbn", "8k1"))
    (tmp_path / "holdout.json").write_bytes(holdout_file.render(Holdout("1", {"8k1": "pool", "8k2": "release"})))
    with pytest.raises(Refused, match="curtain rename"):
        merge([bbn, cmu], tmp_path / "all")
    assert renamed(cmu, tmp_path / "new/cmu", "8k1=9a1")[0] == 0
    assert holdout_file.parse((tmp_path / "new/holdout.json").read_bytes(), "").sets == {
        "8k2": "release",
        "9a1": "pool",
    }
    merge([bbn, tmp_path / "new/cmu"], tmp_path / "all")
    assert sorted(Corpus(tmp_path / "all").speakers()) == ["8k1", "8k2", "9a1"]
    assert [(rename.site, rename.old, rename.new) for rename in renames.held_in(tmp_path / "all").renames] == [
        ("cmu", "8k1", "9a1")
    ]
    alike = ("log.take", "wave.duplicate")  # what was said at both sites is the same here
    assert [error for error in errors(tmp_path / "all") if not any(rule in error for rule in alike)] == []


def test_a_part_keeps_its_set(cmu: Path, tmp_path: Path) -> None:
    whole = part(cmu, tmp_path / "pool", "pool")
    rename(whole, tmp_path / "new/pool", {"8k1": "9a1"}, DAY)
    sets = holdout_file.parse((tmp_path / "new/pool/doc/holdout.json").read_bytes(), "")
    assert (sets.of, sets.sets) == ("pool", {"8k2": "pool", "9a1": "pool"})
    before, after = ((root / "doc/pool.ndx").read_text("utf-8") for root in (whole, tmp_path / "new/pool"))
    assert sorted(before.replace("8k1", "9a1").splitlines()) == after.splitlines()
    assert errors(tmp_path / "new/pool") == []


def test_a_list_is_followed_where_its_people_still_bear_the_old_ids(cmu: Path, tmp_path: Path) -> None:
    rename(cmu, tmp_path / "new/cmu", {"8k1": "9a1", "8k2": "9a2"}, DAY)
    part(cmu, tmp_path / "handed", "release")
    (tmp_path / "there").mkdir()
    assert renamed(tmp_path / "handed", tmp_path / "there/handed", by=str(tmp_path / "new/cmu/renames.json"))[0] == 0
    assert sorted(Corpus(tmp_path / "there/handed").speakers()) == ["9a1", "9a2"]
    bbn = corpus_of(tmp_path / "bbn", session_of("bbn", "8k1"))
    status, err = renamed(bbn, tmp_path / "there/bbn", by=str(tmp_path / "new/cmu/renames.json"))
    assert (status, "no speaker of" in err) == (2, True)


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        (("8k7=9a1",), "no speaker 8k7; doc/spkrinfo.log lists"),
        (("8k1=8k2",), "8k2 would be the id of two speakers"),
        (("8k1=9a1", "8k2=9a1"), "9a1 would be the id of two speakers"),
        (("8k1=9a1", "8k1=9a2"), "one speaker is to get two ids"),
        (("8k1",), "write OLD=NEW"),
        (("8k1=9a",), "not a speaker's id"),
        (("8k1=8k9",), "8k9 was another person's id"),
        (("8k1=8k3",), "8k3 was another person's id"),
        (("8k1=8l1",), "8l1 is in the block of cmu, 8l0 to 8lz"),
        (("8k1=9p1",), "released by"),
        ((), "no speaker of"),
    ],
)
def test_an_id_that_cannot_be_given_is_refused(tmp_path: Path, pairs: tuple[str, ...], message: str) -> None:
    export(OfStudy(SITE_STUDY.format("cmu", "8l0", "8lz"), session_of("cmu", "8k1")), tmp_path / "one")
    root = tmp_path / "cmu"
    merge([tmp_path / "one", corpus_of(tmp_path / "two", session_of("cmu", "8k2", "m", 2))], root)
    (root / "removals.json").write_bytes(removals.render(Removals((Removal("8k9", "cmu", DAY, (), (), ()),))))
    (root / "renames.json").write_bytes(
        renames.render(Renames((Rename("cmu", "8k3", "8k2", DAY, ("cmu-20261121-2",)),)))
    )
    (tmp_path / "holdout.json").write_bytes(holdout_file.render(Holdout("1", {"8k1": "pool"})))
    (tmp_path / "new").mkdir()
    (tmp_path / "new/holdout.json").write_bytes(holdout_file.render(Holdout("1", {"9p1": "release"})))
    status, err = renamed(root, tmp_path / "new/cmu", *pairs)
    assert (status, message in err, (tmp_path / "new/cmu").exists()) == (2, True, False), err


def test_a_target_that_cannot_be_made_is_refused_and_nothing_is_noted(cmu: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    assert renamed(cmu, tmp_path / "none/cmu", "8k1=9a1") == (
        2,
        f"{tmp_path / 'none'} is not a directory; make it first\n",
    )
    assert "exists already" in renamed(cmu, tmp_path / "new", "8k1=9a1")[1]
    assert sorted(tmp_path.iterdir()) == before


def test_a_target_beside_the_corpus_is_refused(cmu: Path, tmp_path: Path) -> None:
    status, err = renamed(cmu, tmp_path / "cmu-2", "8k1=9a1")
    assert (status, "name a directory in another folder" in err) == (2, True)


@pytest.mark.parametrize(
    ("name", "spoil", "what"),
    [
        ("8k1001sx.log", lambda data: data.replace(b"[Speaker:] 8k1", b"[Speaker:] 8k4"), "not of speaker 8k1"),
        ("8k1011ss.wav", lambda data: data.replace(b"speaker_id -s3 8k1", b"speaker_id -s3 8k4"), "in the header"),
    ],
)
def test_a_file_that_says_it_is_somebody_elses_is_refused(
    cmu: Path, tmp_path: Path, name: str, spoil: Callable[[bytes], bytes], what: str
) -> None:
    path = f"spon/8k1/1/{name}"
    data = spoil((cmu / path).read_bytes())
    (cmu / path).write_bytes(data)
    corpus = Corpus(cmu)
    files = corpus.manifest.files | {path: manifest.entry_of(data)}
    (cmu / "manifest.json").write_bytes(manifest.render(msgspec.structs.replace(corpus.manifest, files=files)))
    with pytest.raises(FormatFault, match=what):
        rename(cmu, tmp_path / "new/cmu", {"8k1": "9a1"}, DAY)
    assert list((tmp_path / "new").iterdir()) == []


def test_what_was_interrupted_goes_on_and_gives_the_same_bytes(cmu: Path, tmp_path: Path) -> None:
    def stop(files: int) -> None:
        if files == 40:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rename(cmu, tmp_path / "new/cmu", {"8k1": "9a1"}, DAY, stop)
    assert any(partial_of(tmp_path / "new/cmu").rglob("9a1*.wav"))
    rename(cmu, tmp_path / "new/cmu", {"8k1": "9a1"}, DAY)
    (tmp_path / "again").mkdir()
    rename(cmu, tmp_path / "again/cmu", {"8k1": "9a1"}, DAY)
    assert bytes_of(tmp_path / "new/cmu") == bytes_of(tmp_path / "again/cmu")


def test_words_that_name_the_old_id_are_told_and_stay(cmu: Path, tmp_path: Path) -> None:
    (remarks,) = (path for path in cmu.rglob("8k2*.com"))
    data = remarks.read_bytes() + b"wizard: sounds like 8k1021sx\n"
    remarks.write_bytes(data)
    corpus = Corpus(cmu)
    files = corpus.manifest.files | {str(remarks.relative_to(cmu)): manifest.entry_of(data)}
    (cmu / "manifest.json").write_bytes(manifest.render(msgspec.structs.replace(corpus.manifest, files=files)))
    status, err = renamed(cmu, tmp_path / "new/cmu", "8k1=9a1")
    assert (status, f"in the words of {remarks.relative_to(cmu)}" in err) == (0, True)


def test_who_took_back_the_sound_stands_in_the_list_under_the_new_id(cmu: Path, tmp_path: Path) -> None:
    call = WithdrawOptions("8k1", sound=True)
    assert withdraw_command(str(cmu), call, ManualClock(), io.StringIO(), io.StringIO()) == 0
    assert renamed(cmu, tmp_path / "new/cmu", "8k1=9a1")[0] == 0
    (listed,), (before,) = (removals.held_in(root).removals for root in (tmp_path / "new/cmu", cmu))
    assert (listed.speaker, listed.sessions) == ("9a1", before.sessions)
    assert set(listed.files) == {path.replace("8k1", "9a1") for path in before.files}
    assert set(listed.files) == set(Corpus(tmp_path / "new/cmu").manifest.withheld)
    assert errors(tmp_path / "new/cmu") == []


def test_who_has_withdrawn_leaves_the_id_to_the_person_of_another_site(cmu: Path, tmp_path: Path) -> None:
    bbn = corpus_of(tmp_path / "bbn", session_of("bbn", "8k1"))
    rename(cmu, tmp_path / "new/cmu", {"8k1": "9a1"}, DAY)
    assert withdraw(cmu, "8k1")[0] == 0
    with pytest.raises(Refused, match=r"8k1 of site cmu has withdrawn, and .*bbn has another person .* curtain rename"):
        merge([bbn, cmu], tmp_path / "all")
    (tmp_path / "later").mkdir()
    assert renamed(cmu, tmp_path / "later/cmu", by=str(tmp_path / "new/cmu/renames.json"))[0] == 0
    (gone,) = removals.held_in(tmp_path / "later/cmu").removals
    assert (gone.speaker, gone.utterances[0], gone.files[0][:9]) == ("9a1", "9a1011sx", "doc/draft")
    merge([bbn, tmp_path / "later/cmu"], tmp_path / "all")
    assert errors(tmp_path / "all") == []


def test_earlier_names_lead_to_the_one_of_today() -> None:
    def one(old: str, new: str, session: str = "cmu-20261121-1") -> Rename:
        return Rename("cmu", old, new, DAY, (session,))

    first = followed(Renames(), [one("8k1", "9a1"), one("8k2", "9a2", "cmu-20261121-2")])
    assert followed(first, [one("9a1", "zz1")]).renames == (
        one("8k1", "zz1"),
        one("8k2", "9a2", "cmu-20261121-2"),
        one("9a1", "zz1"),
    )


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """A study, its corpus, that renamed, and two packages of it."""
    study = made_study(tmp_path / "study")
    fill(study, script_saying("8k9", SAID))
    fill(study, script_saying("8k8", "show me the fares to Omaha"))
    (tmp_path / "new").mkdir()
    assert export_command(ExportRequest(str(study), str(tmp_path / "whole")), io.StringIO(), io.StringIO()) == 0
    assert renamed(tmp_path / "whole", tmp_path / "new/whole", "8k9=zz9")[0] == 0
    for form in ("kaldi", "stm"):
        request = ExportRequest(str(tmp_path / "new/whole"), str(tmp_path / "new" / form), form)
        assert export_command(request, io.StringIO(), io.StringIO()) == 0
    return tmp_path


def test_copies_in_which_the_person_has_another_id_are_named_by_it(lab: Path) -> None:
    message_of = withdraw(lab / "study", "8k9")[2]
    assert f"{lab / 'new/whole'} still holds zz9: curtain withdraw {lab / 'new/whole'} zz9" in message_of
    assert f"{lab / 'new/kaldi'}, kaldi, written" in message_of
    assert withdraw(lab / "new/whole", "zz9")[0] == 1
    assert said(found(lab / "new/whole", needles(script_saying("8k9", SAID), SAID))) == []
    assert errors(lab / "new/whole") == []
    assert "zz9" not in withdraw(lab / "study", "8k9")[2].replace(f"{lab / 'new/kaldi'}", "")


def test_a_speaker_is_renamed_from_the_command_line(cmu: Path, tmp_path: Path) -> None:
    call = ["rename", str(cmu), str(tmp_path / "new/cmu"), "8k1=9a1"]
    first, again = (CliRunner().invoke(curtain.main, call) for _ in range(2))
    assert (first.exit_code, first.stdout) == (0, f"{tmp_path / 'new/cmu'}\n")
    assert "1 speaker renamed" in first.stderr
    assert (again.exit_code, again.stdout, "exists already" in again.stderr) == (2, "", True)


def test_two_people_who_had_one_id_are_never_taken_for_each_other_in_the_assignments(tmp_path: Path) -> None:
    for folder in ("bbn", "cmu", "new"):
        (tmp_path / folder).mkdir()
    bbn = corpus_of(tmp_path / "bbn/corpus", session_of("bbn", "8k1"))
    cmu = corpus_of(tmp_path / "cmu/corpus", session_of("cmu", "8k1"))
    gone = tmp_path / "gone"
    assert package_command(str(cmu), str(gone), Package(ExportFormat.CSV), io.StringIO(), io.StringIO()) == 0
    assert renamed(cmu, tmp_path / "new/corpus", "8k1=9a1")[0] == 0
    sites = [str(bbn), str(tmp_path / "new/corpus")]
    assert merge_command(MergeOptions(sites, str(tmp_path / "all")), io.StringIO(), io.StringIO()) == 0
    (tmp_path / "holdout.json").write_bytes(
        holdout_file.render(Holdout("1", {"8k1": "pool"}, handed=(HandedOver(str(gone), ("9a1",)),)))
    )
    known = {root: holdout_file.known(root) for root in (bbn, cmu, tmp_path / "new/corpus", tmp_path / "all")}
    every = {root.parent.name: found.every if found else {} for root, found in known.items()}
    both = {"8k1": "pool", "9a1": "release"}
    assert every == {"bbn": both, "cmu": {"8k1": "release"}, "new": both, tmp_path.name: both}
