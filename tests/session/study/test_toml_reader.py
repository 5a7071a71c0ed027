"""An error in a study's file names file, line, key, what was found, and what was probably meant."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session.study.message_files import MessageFile
from session.study.settings import Profile, Scenario
from session.study.study_file import StudyFile
from session.study.toml_reader import StudyError, nearest, read

SCENARIO = 'title = "T"\nkind = "trip"\ntext = "Go."\n'
STUDY = 'site = "bbn"\nprofile = "BBN-89"\ntoday = 1991-07-01\n[[speakers]]\nfirst = "001"\nlast = "00z"\n'


def fault(tmp_path: Path, text: str | bytes, kind: type) -> str:
    path = tmp_path / "x.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(StudyError) as raised:
        read(path, kind, {"id": "x"} if kind is Scenario else None)
    message = str(raised.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message.removeprefix(str(path))


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        (Profile, 'name = "x"\nrecordin = "hold"\n', ":2: `recordin` is not a key here; did you mean `recording`?"),
        (Profile, 'name = "x"\n\necho = "befor_query"\n', ":3: `echo` cannot be 'befor_query'; did you mean `before_query`?"),
        (Profile, 'name = "x"\n[operators]\ndatabase = "robot"\n', ":3: `operators.database` cannot be 'robot'; it may be "),
        (Profile, 'name = "x"\nreply_limit_s = "60"\n', ":2: `reply_limit_s`: expected `float`, got `str`; found '60'"),
        (Profile, 'name = "x"\npre_roll_ms = -1\n', ":2: `pre_roll_ms` is 0 or more, not -1"),
        (Profile, "deception = true\n", ": `name` is missing"),
        (Profile, 'name = "x"\nname = "y"\n', ":2: Cannot overwrite a value in column 11; this is not TOML"),
        (Profile, 'name = "x"\ntext = """\n', ": Unterminated string (at end of document)"),
        (Profile, b'name = "\xff"\n', ": byte 8 is not UTF-8"),
        (Scenario, SCENARIO + "difficulty = 9\n", ":4: `difficulty` must be between 1 and 5, not 9"),
        (Scenario, SCENARIO.replace("Go.", "Go to {B}."), "the text uses {B}, which `placeholders` does not declare"),
        (Scenario, SCENARIO + "[solution]\nsq = 1\n", ":5: `solution.sq` is not a key here; did you mean `sql`?"),
        (Scenario, SCENARIO + "[solution]\nexplanation = 'x'\n", ":4: `solution.sql` is missing"),
        (StudyFile, STUDY + '[[speakers]]\nfirst = "0"\nlast = "1"\n', ":7: `speakers[2]`: '0' is not a speaker's id"),
        (StudyFile, STUDY + '[[speakers]]\nfirst = "010"\nend = "011"\n', ":9: `speakers[2].end` is not a key here; it may be"),
        (StudyFile, "conditions = ['a', 3]\n" + STUDY, ":1: `conditions[2]`: expected `str`, got `int`; found 3"),
        (MessageFile, "[[message]]\nid = 'a'\n[[message]]\nid = 'b'\nreply = 1\n", ":5: `message[2].reply` is not a key here"),
        (MessageFile, "[[message]]\nid = 'a'\n", ":1: `message[1].text` is missing"),
        (MessageFile, "[message]\nid = 'a'\n", ":1: `message`: expected `array`, got `object`"),
    ],
)  # fmt: skip
def test_a_fault_is_placed_and_explained(tmp_path: Path, kind: type, text: str | bytes, said: str) -> None:
    assert said in fault(tmp_path, text, kind)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"none\.toml: it cannot be read: No such file"):
        read(tmp_path / "none.toml", Profile)


def test_dates_may_be_written_as_dates(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY)
    assert read(tmp_path / "study.toml", StudyFile).today == "1991-07-01"


def test_given_values_fill_only_what_the_file_leaves_out(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(SCENARIO)
    assert read(tmp_path / "s.toml", Scenario, {"id": "s", "title": "other"}).title == "T"
    assert read(tmp_path / "s.toml", Scenario, {"id": "s"}).id == "s"


def test_many_valid_names_are_not_recited() -> None:
    assert nearest("x", [f"name{number}" for number in range(40)]) == "look it up in the documentation"
    assert nearest("nme7", [f"name{number}" for number in range(40)]).startswith("did you mean `name")


VALUES = st.recursive(
    st.sampled_from(['"x"', "1", "-2.5", "true", "1991-07-01", "nan", "[]", "[1]", "{}", "{ s = 1 }", '"""\na = 1"""'])
    | st.text("abc[]{}=\"'\n. ", max_size=6),
    lambda inner: inner.map(lambda value: f"[{value}]"),
    max_leaves=3,
)
KEYS = st.sampled_from(
    ["name", "echo", "operators", "site", "speakers", "first", "message", "id", "text", "kind", "no"]
)
LINES = st.lists(
    st.builds("{} = {}".format, KEYS, VALUES) | KEYS.map("[{}]".format) | KEYS.map("[[{}]]".format), max_size=6
)


@given(lines=LINES, kind=st.sampled_from([Profile, Scenario, StudyFile, MessageFile]))
def test_whatever_stands_in_a_file_it_is_read_or_refused_in_one_sentence(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], kind: type
) -> None:
    path = tmp_path_factory.mktemp("toml") / "x.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    try:
        found: object = read(path, kind)
    except StudyError as error:
        found = str(error)
    assert isinstance(found, kind) or str(found).startswith(str(path))


@given(data=st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("toml") / "x.toml"
    path.write_bytes(data)
    with pytest.raises(StudyError):
        read(path, Profile)
