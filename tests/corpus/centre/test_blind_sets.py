"""Test sets: chosen evenly by subject-scenario, packed without an answer, scored, adjudicated, repeated bit for bit."""

import contextlib
import hashlib
import io
import re
import shutil
import tarfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from corpus.centre import facts as f
from corpus.centre.balanced_selection import BalancedSelection, PooledScenario, choose, outliers, report, shares
from corpus.centre.centre_folder import centre_command
from corpus.centre.centre_settings import Outliers
from corpus.centre.centre_state import CentreState
from corpus.centre.histories import history
from corpus.centre.releases import ReleaseOptions, release_command
from corpus.centre.weekly_report import weekly_command
from curtain import main
from evaluation.commands.testset import OfficialOptions, official_command
from tests import ROOT
from tests.corpus.annotated import annotated
from tests.corpus.centre.world import World, answered


def unit(site: str, speaker: str, number: int, utterances: int, **more: int) -> PooledScenario:
    name = f"spon/{speaker}/{number}"
    return PooledScenario(
        name, f"{site}-1-{speaker}", site, speaker, "mf"[number % 2], f"s{number % 4}", utterances, **more
    )


def test_a_test_is_even_over_sites_and_leaves_out_what_is_unlike_all_others() -> None:
    pool = [
        unit(site, f"{at}{n:02}", k, 5 + (n * 7 + k) % 9)
        for at, site in enumerate(("att", "bbn", "cmu", "mit", "sri"))
        for n in range(12)
        for k in range(1, 5)
    ]
    odd = [unit("bbn", "1zz", 1, 90), unit("cmu", "2zz", 2, 9, unevaluable=9), unit("mit", "3zz", 3, 9, repeats=8)]
    found = choose([*pool, *odd], 1000, Outliers(), "1")
    sums = shares(found)
    assert sums.keys() == {"att", "bbn", "cmu", "mit", "sri"}
    assert max(sums.values()) - min(sums.values()) <= 13
    assert abs(sum(sums.values()) - 1000) <= 30
    assert {left.speaker for left, _ in found.left_out} == {"1zz", "2zz", "3zz"}
    assert found == choose([*odd, *reversed(pool)], 1000, Outliers(), "1")
    assert not outliers([*pool, *odd], Outliers(unevaluable=False, length=False, repeats=False))
    assert "1zz" in report(found)
    first = [unit("att", "000", 1, 10, second=4, unclassified=7), unit("att", "001", 2, 10, unevaluable=1)]
    page = report(BalancedSelection((first[0],), (), 10, 10, tuple(first)))
    assert "second microphone: wanted 20.0 % as in the pool\n  40.0 %, 4 of 10 utterances" in page
    assert "classified so far: 3 of 10 utterances, 0 as X\n  7 are not, and will not be scored" in page
    small = choose([entry for entry in pool if entry.site != "att" or entry.speaker == "000"], 1000, Outliers(), "1")
    assert "no more than" in report(small)
    assert max(shares(small).values()) - min(shares(small).values()) <= 13


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Two sites with annotated pools."""
    world = World(tmp_path)
    for site, first in (("bbn", "8k"), ("cmu", "ab")):
        corpus = world.site(site, *(f"{first}{n}" for n in range(1, 6)))
        assert world.receive(world.pack(corpus, f"{site}.tar"))[0] == 0
        with world.centre() as centre:
            (held,) = (speaker for speaker in CentreState(centre).held_out if speaker.startswith(first))
        made: dict[str, Any] = {}
        for number in ("01", "02"):
            made |= answered(held, number)
            made |= {
                path.replace("/1/", "/2/").replace("1sx.", "2sx."): data
                for path, data in answered(held, number).items()
            }
        corpus = annotated(corpus, made)
        assert world.receive(world.pack(corpus, f"{site}_ann.tar", annotations="pool"))[0] == 0, world.err
    return world


def call(world: World, name: str, **more: Any) -> tuple[int, str]:
    out, err = io.StringIO(), io.StringIO()
    status = official_command(OfficialOptions(str(world.root), name, **more), world.clock, out, err)
    world.err = err.getvalue()
    return status, out.getvalue()


def packed(archive: Path) -> dict[str, bytes]:
    with tarfile.open(archive) as tar:
        found = {member.name.partition("/")[2]: tar.extractfile(member) for member in tar}
        return {name: data.read() for name, data in found.items() if data is not None}


def answers(world: World, name: str, wrong: str = "") -> Path:
    """A system that knows all answers, but for one."""
    lines = (world.root / "tests" / name / "key/references.cas").read_text().splitlines()
    path = world.folder / f"{name}.cas"
    path.write_text("".join(f"{line.split()[0]} ((7))\n" if wrong and wrong in line else f"{line}\n" for line in lines))
    return path


def scored_by_its_site(world: World, name: str) -> list[str]:
    """What a site prints that scores its system by the key that was handed out, before and after rulings, as text and JSON: it
    types what its page says, but for a system that is not in this test."""
    return typed_by_its_site(world, name, "cmusys.cas", "score", ("bbnsys=bbnsys.cas ", ""))


def heard_by_its_site(world: World, name: str) -> list[str]:
    """What a site prints that scores its recogniser so."""
    return typed_by_its_site(
        world, name, "asr.trn", "wer", ("bbnsys=bbnsys.trn", "asr=asr.trn"), ("nov26_", f"{name}_")
    )


def typed_by_its_site(world: World, name: str, sent: str, command: str, *others: tuple[str, str]) -> list[str]:
    """What the lines of a site's page with a command print beside what a centre hands out, some words in them replaced."""
    folder, home = world.root / "tests" / name, world.folder / "site"
    home.mkdir()
    shutil.unpack_archive(folder / f"{name}_key.tar", home)
    shutil.copytree(folder / "adjudicated", home / "adjudicated")
    shutil.copy(folder / "submissions" / sent, home)
    page = (ROOT / "docs/how-to/deliver-to-a-centre.md").read_text(encoding="utf-8")
    typed = re.findall(rf"(?m)^    curtain ({command} .+)$", page)
    assert len(typed) == 2
    for here, there in others:
        typed = [line.replace(here, there) for line in typed]
    with contextlib.chdir(home):
        return [CliRunner().invoke(main, [*line.split(), *more]).output for line in typed for more in ([], ["--json"])]


@pytest.mark.parametrize("kind", ["speech", "text"])
def test_a_package_tells_no_answer_and_its_key_does(world: World, kind: str) -> None:
    out, err = io.StringIO(), io.StringIO()
    assert release_command(ReleaseOptions(str(world.root)), world.clock, out, err) == 0
    assert call(world, "dry", size=14, kind=kind, trial=True)[0] == 0, world.err
    folder = world.root / "tests/dry"
    package, key = packed(folder / "dry.tar"), packed(folder / "dry_key.tar")
    kinds = {path.rpartition(".")[2] for path in package}
    assert kinds == {"log", "ndx", "txt"} | ({"wav"} if kind == "speech" else {"sro", "lsn"})
    text = b"".join(data for path, data in package.items() if not path.endswith(".wav"))
    for told in (b"SELECT", b"Query_returned", b"Answer_sent", b"[Sentence", b"flight_id"):
        assert told not in text, told
    assert (b"[Utterance:]" in text) == (kind == "text")
    assert {"cat", "ref", "rf2", "sql", "sq2", "win", "sro", "log"} <= {path.rpartition(".")[2] for path in key}
    released = {path.name for path in (world.root / "releases").rglob("*.log")}
    assert not released & {path.rpartition("/")[2] for path in package if path.endswith(".log") and "spon" in path}
    order = package["test.ndx"].decode().splitlines()[1:]
    assert order == sorted(order)
    assert len(order) == 14


def test_an_official_test_follows_a_dry_run_and_repeats_bit_for_bit(world: World) -> None:
    assert call(world, "nov26")[0] == 2
    assert "no dry run" in world.err
    assert call(world, "dry", size=6, trial=True)[0] == 0, world.err
    assert call(world, "dry", score=True)[0] == 2
    assert call(world, "dry", submit=f"bbnsys={answers(world, 'dry')}")[0] == 0, world.err
    assert call(world, "dry", score=True)[0] == 0, world.err
    assert call(world, "nov26", size=8)[0] == 0, world.err
    with world.centre() as centre:
        tests = CentreState(centre).tests
        assert not {*tests["dry"].units} & {*tests["nov26"].units}
    name = next(line.split()[0] for line in (world.root / "tests/nov26/key/references.cas").read_text().splitlines())
    (world.folder / "bad.cas").write_text("8k9999sx ((1))\n")
    assert call(world, "nov26", submit=f"bad={world.folder / 'bad.cas'}")[0] == 2
    assert call(world, "nov26", submit=f"cmusys={answers(world, 'nov26', name)}")[0] == 0, world.err
    assert call(world, "nov26", submit=f"cmusys={answers(world, 'nov26')}")[0] == 2
    assert call(world, "nov26", score=True)[0] == 0, world.err
    rulings = world.folder / "rulings.tsv"
    rulings.write_text(
        f"utterance\truling\tclass\treference\tmaximum\treason\n{name}\tupheld\t\t((7))\t((7))\tthe log says so\n"
    )
    good = rulings.read_text()
    rulings.write_text(good.replace("((7))\t((7))", "((7)\t((7))"))
    assert call(world, "nov26", adjudicate=str(rulings))[0] == 2
    assert "a closing parenthesis" in world.err
    rulings.write_text(good)
    assert call(world, "nov26", adjudicate=str(rulings))[0] == 0, world.err
    status, said = call(world, "nov26", score=True)
    assert (status, "ref:minmax" in said) == (0, True), world.err
    assert call(world, "nov26", submit=f"late={answers(world, 'nov26')}")[0] == 2
    assert "scored already" in world.err
    status, said = call(world, "nov26", repeat=True)
    assert (status, said.count("the same bytes")) == (0, 2)
    assert scored_by_its_site(world, "nov26") == [
        (world.root / f"tests/nov26/scores_{state}.{kind}").read_text()
        for state in ("preliminary", "final")
        for kind in ("txt", "json")
    ]
    with world.centre() as centre:
        assert [fact.state for fact in centre.facts(f.TestScored) if fact.test == "nov26"] == ["preliminary", "final"]
    with world.centre() as centre:
        told = [line for _, line in (line.split(":", 1) for line in history(centre, name))]
        assert any("in the test nov26, to " in line for line in told)
        assert any(f"adjudicated in nov26: {name}" in line for line in told)
        assert not any("in the trial dry" in line for line in told)
        told = [*history(centre, "nov26")]
    assert [any(word in line for line in told) for word in ("answered by cmusys", "scored, final", name)] == [True] * 3
    out = io.StringIO()
    assert weekly_command(str(world.root), "", world.clock, out, io.StringIO()) == 0
    assert [word in out.getvalue() for word in ("nov26 scored, final: cmusys", "nov26: 1 ruling")] == [True] * 2
    for kept in ("nov26.tar", "nov26_key.tar", "submissions/cmusys.cas", "adjudicated/rulings.tsv"):
        whole = (path := world.root / "tests/nov26" / kept).read_bytes()
        path.write_bytes(whole.replace(b"7", b"8"))
        assert standing(world) == [f"{path} is not as it was recorded; restore it from a copy"]
        path.write_bytes(whole)
    assert standing(world) == []
    (world.root / "tests/nov26/key/references.cas").write_text(f"{name} ((9))\n")
    assert call(world, "nov26", repeat=True)[0] in (1, 2)


def standing(world: World) -> list[str]:
    """What is wrong with the centre."""
    err = io.StringIO()
    centre_command(str(world.root), world.clock, io.StringIO(), err)
    return err.getvalue().splitlines()


def test_what_recognisers_heard_is_scored_ruled_on_and_repeated_elsewhere(world: World, tmp_path: Path) -> None:
    assert call(world, "dry", size=6, trial=True)[0] == 0, world.err
    key = world.root / "tests/dry/key/references.trn"
    said = key.read_text().splitlines()
    assert len(said) == 7
    assert {*packed(world.root / "tests/dry/dry_key.tar")} >= {"references.trn"}
    heard = tmp_path / "heard.trn"
    heard.write_text("".join(f"{line}\n" for line in said[:-1]))
    assert call(world, "words", size=6, kind="text", trial=True)[0] == 0, world.err
    assert call(world, "words", submit=f"asr={heard}")[0] == 2
    assert "nothing to hear" in world.err
    assert call(world, "dry", submit=f"asr={heard}")[0] == 2
    assert said[-1].rpartition("(")[2].rstrip(")") in world.err
    heard.write_text("".join(f"{line}\n" for line in (*said[:-1], "something else (" + said[-1].rpartition("(")[2])))
    assert call(world, "dry", submit=f"asr={heard}") == (0, f"asr: 7 utterances, {sha256(heard)}\n")
    assert call(world, "dry", submit=f"asr={heard}")[0] == 2
    assert call(world, "dry", submit=f"asr={answers(world, 'dry')}")[0] == 0, world.err
    status, told = call(world, "dry", score=True)
    assert (status, "WER|" in told, "CAS|" in told) == (0, True, True)
    assert error(told) > 0
    name = said[-1].rpartition("-")[2].rstrip(")")
    rulings = tmp_path / "rulings.tsv"
    columns = "utterance\truling\tclass\treference\tmaximum\treason\twords\n"
    rulings.write_text(f"{columns}{name}\tupheld\t\t\t\theard again\tsomething else\n")
    assert call(world, "dry", adjudicate=str(rulings))[0] == 0, world.err
    status, told = call(world, "dry", score=True)
    assert (status, error(told)) == (0, 0), world.err
    assert str(world.root) not in (world.root / "tests/dry/words_final.json").read_text()
    assert heard_by_its_site(world, "dry") == [
        (world.root / f"tests/dry/words_{state}.{kind}").read_text()
        for state in ("preliminary", "final")
        for kind in ("txt", "json")
    ]
    world.root = Path(shutil.copytree(world.root, tmp_path / "elsewhere"))
    status, told = call(world, "dry", repeat=True)
    assert (status, told.count("the same bytes")) == (0, 2)
    with world.centre() as centre:
        assert any("heard by asr: 7 utterances" in line for line in history(centre, "dry"))
    kept = world.root / "tests/dry/words_final.txt"
    kept.write_text((whole := kept.read_text()).replace("Systems", "System"))
    assert call(world, "dry", repeat=True)[0] == 1
    kept.write_text(whole)
    own = world.root / "tests/dry/submissions/asr.trn"
    own.write_text(own.read_text().replace("something", "anything"))
    assert call(world, "dry", repeat=True)[0] == 2
    assert "asr.trn differs from the submission" in world.err


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def error(told: str) -> float:
    """The word error of the recogniser asr in a report."""
    return float(next(line.split()[7] for line in told[told.index("WER|") :].splitlines() if line.startswith("  asr")))
