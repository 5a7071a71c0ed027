"""A corpus annotated by two scripted people from end to end: doubles, checks, disagreement, ruling, release, scores."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.annotation import annotation_rules as rules
from annotator.annotation.annotating import Annotating
from annotator.rules import NotNow
from corpus.dataset.reader import Corpus
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from session.annotation.store import Work
from session.annotation.work_merge import merge
from tests.annotator.annotation_world import (
    AIR,
    FIRST,
    FLIGHTS,
    SECOND,
    THIRD,
    Bench,
    annotated,
    excluded,
    own_schema,
    reader,
    wh,
    yes_no,
)
from tests.evaluation.commands import score

ONE = "spon/8k8/1"
FIGURE_3 = "List food services for flights from pittsburgh to boston flying on 9/4/91 and airline code US and flight number 732"
HOTELS = excluded("outside", "domain")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    found = Bench(tmp_path)
    yield found
    found.close()


def annotate_everything(bench: Bench) -> None:
    """Anna and Bea: one session twice, of the other one utterance, checked."""
    assert bench.run(double=0.5, seed=2)[1] == "bbn-20261121-1\n"
    anna, bea = bench.person("anna"), bench.person("bea")
    for desk in (anna, bea):  # the first session is annotated twice, neither seeing the other
        annotated(desk, FIRST, wh(FLIGHTS if desk is anna else f"show me {FLIGHTS}"))
        annotated(desk, SECOND, HOTELS)
        annotated(desk, THIRD, yes_no(f"{FLIGHTS} in the morning", "Q1") if desk is anna else wh(FLIGHTS))
        assert desk.hand.theirs is None
        told = bench.run(show="csv")[1].splitlines()[1:]
        assert len(told) == (0 if desk is anna else 4)  # each could read the other's: two agree by now, and one differs
    annotated(anna, "8k9011sx", wh(FLIGHTS))  # the second one once, and checked by the other
    with pytest.raises(NotNow, match="nothing to check"):
        anna.check()
    bea.list.look_around()
    bea.open("8k9011sx")
    assert bea.hand.theirs is not None
    assert bea.hand.theirs.by == "anna"
    bea.check()


def test_two_people_annotate_a_corpus_a_third_rules_and_systems_are_scored(bench: Bench, tmp_path: Path) -> None:
    annotate_everything(bench)
    anna = bench.person("anna")
    anna.open(FIRST)
    status, table, _ = bench.run(show="agreement")
    assert status == 0
    found = {line.split("  ")[0]: line.split() for line in table.splitlines()}
    assert found["class"][1:3] == ["3", "0.667"]
    assert found["answer"][1:3] == ["3", "0.667"]  # other words, the same rows
    assert "Cohen, class, anna/bea: 0.500" in table

    assert "8k8031sx: anna and bea differ in class, context, tags, readings" in bench.run(show="queue")[1]
    (tmp_path / "mit").write_text(f"{THIRD} TRUE\n8k9011sx ((1) (2))\n")
    scored, printed, err = bench.run(score=(f"mit={tmp_path / 'mit'}",), show="scores")
    rows = [" ".join(line.split()) for line in printed.splitlines()]
    assert (scored, rows[1:]) == (
        0, ["mit 0 2 requests: 0 right, 1 wrong, 1 without answer; weighted error 150.0 %"]
    ), err  # fmt: skip
    asked = {"utterance": "8k9011sx", "site": "cmu", "request": "only mornings", "evidence": "the task says so"}
    (tmp_path / "asked.json").write_text(json.dumps(asked) + "\n")
    assert bench.run(requests=str(tmp_path / "asked.json"))[0] == 0
    first = released(bench, tmp_path / "one")
    assert first == {
        f"{ONE}/{FIRST}.ref",
        f"{ONE}/{FIRST}.cat",
        f"{ONE}/{SECOND}.cat",
    }  # nothing that waits for a ruling

    cleo = bench.person("cleo")
    waiting = {one.utterance: one for one in cleo.queue()}
    assert {*waiting} == {THIRD, "8k9011sx"}
    with pytest.raises(NotNow, match="are involved in this case"):
        anna.rule(waiting[THIRD], anna.annotation, "mine")
    cleo.rule(waiting[THIRD], waiting[THIRD].held["anna"].annotation, "it asks whether, and for which")
    cleo.rule(waiting["8k9011sx"], waiting["8k9011sx"].held["anna"].annotation, "the task binds nobody")
    new = tmp_path / "two"
    assert f"{ONE}/{THIRD}.ref" in released(bench, new)
    assert (new / ONE / f"{THIRD}.win").read_text() == f"{FLIGHTS} in the morning\n"
    assert (new / ONE / f"{THIRD}.ref").read_text().startswith("(TRUE\n OR ((")
    category = (new / ONE / f"{THIRD}.cat").read_text()
    assert "interp#1: yes/no context-dependent:Q1\ninterp#2: wh-question context-dependent:Q1\n" in category
    assert "principles" in category
    errors = [str(one) for one in verify(new).findings if one.severity is Severity.ERROR]
    assert errors == []

    (tmp_path / "system").write_text(f"{FIRST} {(new / ONE / (FIRST + '.ref')).read_text().strip()}\n{THIRD} FALSE\n")
    scored, printed, err = score(str(new), [str(tmp_path / "system")])
    assert (scored, "3 requests scored" in printed) == (1, True), err
    (tmp_path / "scores.txt").write_text(printed.splitlines()[0])
    bench.run(scores=str(tmp_path / "scores.txt"))
    check_told(bench)


def check_told(bench: Bench) -> None:
    """Scores before and after, rulings, minutes and reasons, as they are printed at the end."""
    after = bench.run(show="scores")[1]
    assert "3 requests: 1 right, 1 wrong, 1 without answer; weighted error 100.0 %" in after
    assert f"mit, {THIRD}: not scored → correct (ruling 1 by cleo: it asks whether, and for which)\n" in after
    assert bench.run(show="scores")[1] == after  # nobody has ruled since
    rulings = bench.run(show="rulings")[1]
    assert "scores of mit after 0 rulings: 2 requests" in rulings
    assert "it asks whether, and for which" in rulings
    assert "scores after 2 rulings: 3 requests scored" in rulings
    effort = bench.run(show="effort")[1]
    assert "anna, annotating: 4 utterances" in effort
    assert "cleo, ruling: 2 utterances" in effort
    assert "3 of 4 in force can be evaluated (75.0 %)\n     1  outside / domain" in bench.run(show="reasons")[1]


def released(bench: Bench, target: Path) -> set[str]:
    status, _, err = bench.run(out=str(target))
    assert status == 0, err
    paths = Corpus(target).manifest.files
    return {path for path in paths if path.endswith(("sx.ref", "sx.cat")) and path.startswith(ONE)}


def test_a_tag_of_a_proposal_that_no_specification_has_is_the_site_s_own(bench: Bench, tmp_path: Path) -> None:
    table = tmp_path / "old.csv"
    table.write_text(
        f"utterance,class,tags,sentences,reading_tags\n{FIRST},A,wh-question early-bird,{FLIGHTS},night-owl\n"
    )
    assert bench.run(load=str(table), source="program 1")[0] == 0
    anna = bench.person("anna")
    anna.open(FIRST)
    anna.accept("program 1")
    anna.submit()
    bea = bench.person("bea")
    bea.open(FIRST)
    bea.check()
    assert bench.run(out=str(tmp_path / "new"))[0] == 0
    written = (tmp_path / "new" / ONE / f"{FIRST}.cat").read_text()
    assert "site-tags early-bird night-owl" in written


def test_proposals_are_nobody_s_work_until_a_person_takes_them_over(bench: Bench, tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.mkdir()
    (old / f"{FIRST}.cat").write_text("A: wh-ques early-bird ; category-1989 0\n")
    (old / f"{FIRST}.win").write_text(f"{FLIGHTS}\n")
    assert "1 proposals of nist-1993" in bench.run(load=str(old), source="nist-1993")[2]
    assert "0 proposals" in bench.run(load=str(old), source="nist-1993")[2]
    assert bench.run(load=str(old))[0] == 2
    anna = bench.person("anna")
    anna.open(FIRST)
    assert not bench.person("bea").standings()["8k8A1"].held
    anna.accept("nist-1993")
    anna.change(rules.tagged(anna.annotation, "night-owl"))
    anna.submit()
    bea = bench.person("bea")
    bea.open(FIRST)
    bea.check()
    shown = bench.run(show="csv")[1]
    assert f"{FIRST},in force,A,0,wh-question,early-bird night-owl,,,,{FLIGHTS}," in shown
    (tmp_path / "again.csv").write_text(shown)
    (tmp_path / "again.json").write_text(bench.run(show="json")[1])
    for name in ("again.csv", "again.json"):
        assert bench.run(load=str(tmp_path / name), source=name)[0] == 0
    cleo = bench.person("cleo")
    cleo.open(FIRST)
    read = {source: (one.site_tags, one.readings[0].sentence) for source, one in cleo.proposals().items()}
    assert read["again.csv"] == read["again.json"] == (("early-bird", "night-owl"), FLIGHTS)
    with pytest.raises(NotNow, match="in force"):
        cleo.change(rules.classed(cleo.annotation, "A"))


def test_figure_3_of_1992_goes_through_as_it_was_printed(bench: Bench, tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.mkdir()
    (old / f"{SECOND}.cat").write_text("D:\ninterp#1: yes/no context-dep:Q1\ninterp#2: wh-ques context-dep:Q1\n")
    (old / f"{SECOND}.win").write_text(FIGURE_3 + "\n")
    bench.run(load=str(old), source="figure")
    anna, bea = bench.person("anna"), bench.person("bea")
    annotated(anna, FIRST, wh(FLIGHTS))
    anna.open(SECOND)
    anna.accept("figure")
    printed = anna.annotation
    anna.undo()
    anna.change(yes_no(FIGURE_3, "Q1")(anna.annotation))  # the same by the keys of the desk
    assert rules.sentences(anna.annotation) == rules.sentences(printed) == (FIGURE_3,)
    assert printed.cited == ("2.5.1",)
    anna.submit()
    bea.list.look_around()
    for stem in (FIRST, SECOND):
        bea.open(stem)
        bea.check()
    (tmp_path / "said.csv").write_text(bench.run(show="csv")[1])
    bench.run(load=str(tmp_path / "said.csv"), source="csv")
    cleo = bench.person("cleo")
    cleo.open(SECOND)
    assert [one.tags for one in cleo.proposals()["csv"].readings] == [("yes/no",), ("wh-question",)]
    new = tmp_path / "new"
    released(bench, new)
    category = (new / ONE / f"{SECOND}.cat").read_text()
    head = "D: testably-ambiguous\ninterp#1: yes/no context-dependent:Q1\ninterp#2: wh-question context-dependent:Q1\n"
    assert category == f"{head}; principles 1991-11-20+5: 2.5.1\n"
    assert (new / ONE / f"{SECOND}.win").read_text() == FIGURE_3 + "\n"
    assert len((new / ONE / f"{SECOND}.sql").read_text().split(";")) == 2  # one statement
    assert (new / ONE / f"{SECOND}.ref").read_text() == "(FALSE\n OR ())\n"
    assert [str(one) for one in verify(new).findings if one.severity is Severity.ERROR] == []


def test_two_desks_open_at_once_do_not_give_out_the_same_utterance(bench: Bench) -> None:
    anna, bea = bench.person("anna"), bench.person("bea")
    todo = bea.list.filters()["t"][1]
    anna.open(FIRST)
    bea.open(THIRD)
    anna.change(wh(FLIGHTS)(anna.annotation))
    assert bea.list.beside(SECOND, -1, todo) is None  # anna has it in hand by now
    anna.submit()
    bea.open(FIRST)
    assert bea.list.beside(SECOND, -1, todo) == FIRST  # and now it waits for bea's check
    bea.check()
    anna.open(FIRST)
    assert anna.hand.standing is not None
    assert anna.editable().startswith("It is in force")


def test_separate_copies_merge_without_loss(bench: Bench, tmp_path: Path) -> None:
    other = Work(tmp_path / "copy.sqlite")
    there = bench.person("bea")
    there._work = there.list._work = other
    there.list.look_around()
    annotated(there, FIRST, wh(FLIGHTS))
    annotated(bench.person("anna"), FIRST, wh(FLIGHTS))
    done = merge(bench.work, other)
    assert (done.streams, done.facts, done.diverged) == (1, 4, ())
    assert merge(bench.work, other).facts == 0
    assert {*bench.person("cleo").standings()["8k8A1"].held} == {"anna", "bea"}
    assert bench.work.verify() == []
    other.close()
    assert bench.run(merge=str(tmp_path / "copy.sqlite"))[0] == 0


def test_what_a_speaker_takes_back_is_gone_from_every_desk_and_no_copy_brings_it_back(
    bench: Bench, tmp_path: Path
) -> None:
    anna = bench.person("anna")
    annotated(anna, FIRST, wh(FLIGHTS))
    other = Work(tmp_path / "copy.sqlite")
    merge(other, bench.work)
    takes = {item.take: item.stem for item in anna.list.items() if item.stem.startswith("8k8")}
    bench.work.shut("8k8", takes, bench.clock.stamp(), "experimenter")
    assert bench.work.withdraw("8k8", takes, bench.clock.stamp(), "experimenter") > 0
    assert bench.person("bea").standings() == {}
    assert {item.stem[:3] for item in bench.person("bea").list.items()} == {"8k9"}
    done = merge(bench.work, other)
    assert (done.facts, done.gone) == (0, (f"annotation/{FIRST}/anna/8k8A1",))
    assert bench.work.verify() == []
    other.close()


def test_a_changed_principle_puts_what_cites_it_back_into_the_queue(bench: Bench, tmp_path: Path) -> None:

    anna, bea = bench.person("anna"), bench.person("bea")
    assert bench.run(show="status")[0] == 0
    for stem, sentence in ((FIRST, FLIGHTS), (SECOND, f"{FLIGHTS} in the morning")):
        anna.open(stem)
        anna.change(rules.citing(wh(sentence)(anna.annotation), anna.read(sentence).principles))
        anna.submit()
        bea.list.look_around()
        bea.open(stem)
        bea.check()
    folder = tmp_path / "domain"
    shutil.copytree(AIR, folder)
    path = folder / "principles.toml"
    kept = [line for line in path.read_text().splitlines() if not line.startswith("frozen_sha256")]
    text = "\n".join(kept).replace(
        "The morning lies between 0000 and 1200; end points are not part of it.", "From midnight to noon."
    )
    path.write_text(text)
    status, _, err = bench.run(domain=str(folder), show="status")
    assert (status, "give it a new one" in err) == (2, True)
    path.write_text(text.replace('version = "1991-11-20+5"', 'version = "1991-11-20+6"'))
    queue = bench.run(domain=str(folder), show="queue")[1]
    assert "8k8021sx: made under 1991-11-20+5, since when changed: 2.4.4.morning" in queue
    assert FIRST not in queue


@pytest.mark.postgres
def test_two_desks_work_at_once_over_one_postgresql_database(bench: Bench) -> None:
    server = os.environ.get("CURTAIN_POSTGRES_URL")
    if not server:
        pytest.skip("CURTAIN_POSTGRES_URL names no server")
    with own_schema(server) as url:
        works = [Work(url), Work(url)]
        desks = [
            Annotating(Corpus(bench.root), work, name, bench.clock, reader())
            for name, work in zip(("anna", "bea"), works, strict=True)
        ]
        anna, bea = desks
        for desk in desks:
            desk.open(FIRST)
        for desk in desks:  # both have begun it in the same moment: both count
            desk.change(HOTELS(desk.annotation))
            desk.submit()
        annotated(anna, SECOND, HOTELS)
        bea.open(SECOND)
        bea.check()
        anna.open(SECOND)
        assert anna.hand.standing is not None
        found = {one.utterance: (one.waits, *sorted(one.held)) for one in anna.standings().values()}
        assert found == {FIRST: ("in force", "anna", "bea"), SECOND: ("in force", "anna")}
        assert works[0].verify() == []
        for work in works:
            work.close()
