"""`curtain domain grow`: what wizards reworded becomes lines of the domain, none that breaks what was right."""

import io
import shutil
from pathlib import Path

import pytest

import scenarios
from domain.commands.grow_domain import grow_command
from domain.growth.verified_requests import VerifiedRequests
from session import events as e
from session.study.folder import load
from session.values.clock import Stamp
from session.values.vocabulary import Language
from tests.domain.growth.logs import KEPT, LibraryStudy, Said

TOMES = Said("show me tomes in norton", "show me books in norton")


def grow(study: LibraryStudy, *accepted: int) -> tuple[int, list[str]]:
    out, err = io.StringIO(), io.StringIO()
    status = grow_command(str(study.folder), accepted, out, err)
    return status, (out.getvalue() + err.getvalue()).replace(f"{study.folder}/", "").splitlines()


def proposed(study: LibraryStudy) -> list[str]:
    return [line.partition(". ")[2] for line in grow(study)[1] if line[:1].isdigit() and line[1:3] == ". "]


def test_a_reworded_request_becomes_a_word_of_the_domain_with_its_provenance(tmp_path: Path) -> None:
    study = LibraryStudy(tmp_path / "study")
    name = study.hold(TOMES, Said("books by ann lee"), Said("tomes by ben oak", "books by ben oak"))
    status, lines = grow(study)
    assert status == 0
    assert lines[:3] == [
        '1. [entity.book] words: "tomes"',
        f"   for      {name}:1 “show me tomes in norton”, sent as “show me books in norton”",
        f"   for      {name}:3 “tomes by ben oak”, sent as “books by ben oak”",
    ]
    assert "5 requests with an answer: 3 come out as they were sent, 2 would by a line above, 0 by none" in lines
    assert study.file.read_text() == KEPT, "listing writes nothing"
    assert not study.engine().ask(TOMES.text).readings
    assert grow(study, 1) == (0, ['domain/domain.toml: [entity.book] words: "tomes"'])
    comment = f"# “tomes” by `curtain domain grow` from {name}:1, {name}:3\n"
    grown = KEPT.replace("words = [  # as", f"{comment}words = [  # as").replace(
        '"books",  # many\n', '"books",  # many\n  "tomes",\n'
    )
    assert study.file.read_text() == grown
    engine = study.engine()
    assert engine.ask(TOMES.text).readings[0].sql == engine.ask(TOMES.asked).readings[0].sql
    assert proposed(study) == []


def test_what_no_line_helps_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("domain.commands.grow_domain._LISTED", 1)
    study = LibraryStudy(tmp_path / "study")
    unread = [Said(f"paperbacks unless bound {count}", "cheapest book") for count in range(3)]
    name = study.hold(TOMES, *unread)
    lines = grow(study)[1]
    at = lines.index("no line would answer as it was sent")
    assert lines[at + 1] == f"   {name}:2 “paperbacks unless bound 0”, sent as “cheapest book”"
    assert lines[at + 2 : at + 4] == ["   and 2 more", ""]


@pytest.mark.parametrize("refused", ["record", "transcribe", "publish_text"])
def test_what_may_not_be_studied_or_handed_over_teaches_a_domain_nothing(tmp_path: Path, refused: str) -> None:
    study = LibraryStudy(tmp_path / "study")
    stamp = Stamp("subject", 1, 1)
    study.hold(TOMES, then=e.ConsentConfirmed(at=stamp, version="1", sha256="0" * 64, scopes={refused: False}))
    status, lines = grow(study)
    assert status == 0
    assert not any("tomes" in line for line in lines)
    study.hold(TOMES, then=e.ConsentConfirmed(at=stamp, version="1", sha256="0" * 64, scopes={"contact": False}))
    assert proposed(study)[:1] == ['[entity.book] words: "tomes"']


def test_a_statement_by_hand_names_a_value(tmp_path: Path) -> None:
    study = LibraryStudy(tmp_path / "study")
    sql = "SELECT title FROM book JOIN branch USING (branch_code) WHERE town = 'SUTTON'"
    study.hold(Said("books in stickytown", sql, Language.SQL))
    assert proposed(study)[:1] == ['[kind.town] also: "stickytown" = "SUTTON"']
    assert grow(study, 1)[0] == 0
    assert '"stickytown" = "SUTTON"' in study.file.read_text()
    assert study.engine().ask("books in stickytown").readings[0].paraphrase == "books in Sutton"


def test_a_further_domain_of_a_study_grows_by_its_own_sessions_alone(tmp_path: Path) -> None:
    study = LibraryStudy(tmp_path / "study")
    books = study.folder / "domains" / "books"
    shutil.copytree(study.folder / "domain", books)
    (books / "scenarios").mkdir()
    (books / "scenarios" / "shelf.toml").write_text('id = "shelf"\ntitle = "A"\nkind = "problem"\ntext = "Look."\n')
    settings = study.folder / "study.toml"
    text = settings.read_text() + (
        '[domains.books]\ndatabase = "sqlite:///library.sqlite"\n'
        '[factor.of.levels]\nown = {domain = "air_travel"}\nother = {domain = "books"}\n'
    )
    settings.write_text(text)
    study.world.study = load(study.folder)
    held = {study.hold(TOMES): study.world.plan for _ in range(2)}
    of = {name: study.world.store.read(name)[0].event for name in held}
    (other,) = [name for name, opened in of.items() if getattr(opened, "condition", "") == "of=other"]
    out, err = io.StringIO(), io.StringIO()
    assert grow_command(str(study.folder), (), out, err, "books") == 0, err.getvalue()
    assert f"   for      {other}:1 " in out.getvalue()
    assert out.getvalue().count("   for ") == 1
    assert f"curtain domain grow {study.folder} --domain books --accept N" in out.getvalue()
    assert grow_command(str(study.folder), (1,), out, err, "books") == 0, err.getvalue()
    assert '"tomes"' in (books / "domain.toml").read_text()
    assert '"tomes"' not in study.file.read_text()
    assert grow_command(str(study.folder), (), out, err, "boks") == 2
    assert "has no domain 'boks'; did you mean `books`?" in err.getvalue()


def test_a_word_that_changes_nothing_beside_a_named_thing_is_passed_over(tmp_path: Path) -> None:
    study = LibraryStudy(tmp_path / "study")
    sql = "SELECT book_id FROM book WHERE branch_code = 'S'"
    study.hold(Said("books in sutton forsooth", sql, Language.SQL))
    assert proposed(study) == ['fillers: "forsooth"']
    other = LibraryStudy(tmp_path / "other")
    other.hold(
        Said("gimme tomes in sutton", sql, Language.SQL),
        Said("cheapish books in sutton", f"{sql} AND price < 25", Language.SQL),
    )
    assert proposed(other) == ['[entity.book] words: "tomes"'], "what is cheapish says no word of the domain"


def test_a_line_that_breaks_what_was_answered_as_it_was_read_is_not_offered(tmp_path: Path) -> None:
    study = LibraryStudy(tmp_path / "study")
    reworded = Said("show me tomes in westbury", "show me novels in westbury")
    study.hold(reworded)
    assert proposed(study)[0] == '[flag.fiction] words: "tomes"'
    study.hold(Said("books in norton tomes"))
    assert not [line for line in proposed(study) if "flag" in line], "its rows went out, novels or not"


def test_a_kept_request_is_not_broken_either(tmp_path: Path) -> None:
    study = LibraryStudy(tmp_path / "study")
    study.hold(Said("show me tomes in westbury", "show me novels in westbury"))
    kept = '{"question": "books in norton tomes", "sql": "SELECT book_id FROM book WHERE branch_code = \'N\'"}'
    (study.file.parent / "requests.jsonl").write_text(kept)
    assert not [line for line in proposed(study) if "flag" in line]


def test_lines_are_accepted_together_where_they_go_together(tmp_path: Path) -> None:
    study = LibraryStudy(tmp_path / "study")
    study.hold(TOMES, Said("books by the bard", "books by ben oak"))
    assert proposed(study) == ['[entity.book] words: "tomes"', '[kind.author] also: "bard" = "BEN OAK"']
    assert grow(study, 1, 2)[0] == 0
    assert study.engine().ask("tomes by the bard").readings[0].paraphrase == "books by Ben Oak"


def test_what_a_line_would_change_is_told(tmp_path: Path) -> None:
    study = LibraryStudy(tmp_path / "study")
    name = study.hold(TOMES, Said("all tomes please", "SELECT 17", Language.SQL))
    _, lines = grow(study)
    assert proposed(study) == ['[entity.book] words: "tomes"'], "no name of Norton, which the request names"
    assert f"   changes  {name}:2 “all tomes please”: now not understood, then “books”" in lines


def test_rehearsals_and_whoever_has_withdrawn_teach_nothing(tmp_path: Path) -> None:
    study = LibraryStudy(tmp_path / "study")
    study.hold(TOMES, rehearsal=True)
    study.hold(TOMES, then=e.SpeakerWithdrawn(speaker="001", erased=0))
    assert grow(study) == (
        0,
        [
            "0 requests with an answer: 0 come out as they were sent, 0 would by a line above, 0 by none",
            "left out: 2 of 2 sessions (1 a rehearsal, 1 withdrawn)",
        ],
    )


@pytest.mark.parametrize(("number", "there"), [(2, "there are 1"), (0, "there are 1"), (-1, "there are 1")])
def test_a_number_that_no_proposal_has_is_refused(tmp_path: Path, number: int, there: str) -> None:
    study = LibraryStudy(tmp_path / "study")
    study.hold(TOMES)
    status, lines = grow(study, number)
    remedy = f"curtain domain grow {study.folder} lists them"
    assert (status, lines) == (2, [f"--accept {number}: no such proposal: {there}; {remedy}"])
    assert study.file.read_text() == KEPT


def test_a_domain_of_the_program_is_not_written_to(tmp_path: Path) -> None:
    study = LibraryStudy(tmp_path / "study")
    for path in study.file.parent.rglob("*"):
        if path.is_file():
            path.unlink()
    study.file.parent.rename(tmp_path / "gone")
    study.file.parent.symlink_to(Path(scenarios.__file__).parent / "air_travel")
    status, lines = grow(study, 1)
    assert status == 2
    assert lines[0].endswith("which all studies share; put a copy of that folder there")


def test_a_study_without_a_front_end_is_told_how_it_gets_one(tmp_path: Path) -> None:
    study = LibraryStudy(tmp_path / "study")
    study.file.unlink()
    status, lines = grow(study)
    assert (status, lines) == (2, ["domain/domain.toml: no such file; `curtain learn URL DIR` writes a first one"])


def test_what_was_sent_is_remembered_and_runs_when_it_is_said_again(tmp_path: Path) -> None:
    study = LibraryStudy(tmp_path / "study")
    dear = "SELECT book_id FROM book WHERE price > 15"
    name = study.hold(TOMES, Said("what is dear here", dear, Language.SQL), Said("books by ann lee"))
    again = study.hold(Said("something cheap", dear, Language.SQL))
    study.hold(Said("Something cheap?", "SELECT book_id FROM book WHERE price < 15", Language.SQL))
    out, err = io.StringIO(), io.StringIO()
    assert grow_command(str(study.folder), (), out, err, remember=True) == 0, err.getvalue()
    told = out.getvalue().replace(f"{study.folder}/", "").splitlines()
    assert told[:3] == [
        f"domain/requests.jsonl: “show me tomes in norton” [{name}:1]",
        f"domain/requests.jsonl: “what is dear here” [{name}:2]",
        "domain/requests.jsonl: 2 requests more are remembered",
    ]
    assert told[3].startswith("answered in two ways, and left out: ")
    assert f"{again}:1" in told[3]
    memory = VerifiedRequests.of(study.file.parent)
    # what came before is what the wizard asked for it, as in a session
    found = memory.find("Uh, what is dear here?", ["show me books in norton"], alone=False)
    assert found is not None
    assert (found.sql, found.origin) == (dear, f"requests.jsonl:2, {name}:2, sent in SQL")
    assert memory.find("what is dear here", ["books in sutton"], alone=False) is None, (
        "after other requests it is another"
    )
    assert memory.find("something cheap", [], alone=True) is None
    assert study.file.read_text() == KEPT
    assert grow_command(str(study.folder), (), out, err, remember=True) == 0
    assert "0 requests more are remembered" in out.getvalue(), "once is enough"
