"""A study is read strictly, hashed wholly, and tells the hub all it needs."""

import datetime
import hashlib
import io
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from session.study.create import new, new_command
from session.study.folder import PROFILES, Study, load, load_profile
from session.study.settings import Profile
from session.study.toml_reader import StudyError
from session.values.names import Exhausted
from session.values.vocabulary import Echo, Operator, RecordingControl, ResponseClass, ScenarioKind

SITES = ("ATT", "BBN-89", "BBN-92", "CMU", "MIT", "PARAMAX", "SRI", "TI")
REVEALING = re.compile(r"(?i)\b(wizards?|humans?|oz|curtain|operators?|simulat\w+|pretend\w*)\b")
QUOTED = re.compile(r"[\"“”«»‘]|(?<!\w)'|\?")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return new(tmp_path_factory.mktemp("studies") / "made", site="bbn")


@pytest.fixture
def folder(made: Study, tmp_path: Path) -> Path:
    """A study that a test may spoil."""
    return Path(shutil.copytree(made.folder, tmp_path / "study"))


def edited(path: Path, old: str, new_: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new_))


def refused(folder: Path) -> str:
    with pytest.raises(StudyError) as raised:
        load(folder)
    assert "\n" not in str(raised.value)
    return str(raised.value)


# --- what ships ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SITES)
def test_the_profile_of_every_site_of_the_papers_ships_and_validates(name: str) -> None:
    profile = load_profile(name, PROFILES, Path("study.toml"))
    assert (profile.name, bool(profile.version), len(profile.description) > 40) == (name, True, True)
    assert profile.task
    assert profile.returned_data
    assert profile.collection_method


def test_no_profile_ships_that_the_test_does_not_know() -> None:
    assert sorted(path.stem for path in PROFILES.glob("*.toml")) == sorted(SITES)


@pytest.mark.parametrize(
    ("name", "has"),
    [
        ("BBN-89", {"echo": Echo.BEFORE_QUERY, "reply_limit_s": 60, "deception": True, "free_text": False}),
        ("CMU", {"recording": RecordingControl.HOLD, "max_scenarios": 6, "session_limit_s": 3600}),
        ("MIT", {"recording": RecordingControl.HOLD, "max_scenarios": 4, "session_limit_s": 2700}),
        ("ATT", {"recording": RecordingControl.OPERATOR, "show_answers": False}),
        ("SRI", {"recording": RecordingControl.ENDPOINTED, "deception": False, "context_return": True}),
        ("PARAMAX", {"recording": RecordingControl.TYPED, "pre_roll_ms": 0}),
    ],
)
def test_profiles_say_what_the_papers_say(name: str, has: dict[str, object]) -> None:
    profile = load_profile(name, PROFILES, Path("study.toml"))
    assert {key: getattr(profile, key) for key in has} == has


def test_at_sri_nobody_was_behind_the_curtain() -> None:
    operators = load_profile("SRI", PROFILES, Path("study.toml")).operators
    assert {getattr(operators, field) for field in operators.__struct_fields__} == {Operator.MACHINE}


def test_eleven_messages_ship_three_of_them_those_of_1989(made: Study) -> None:
    fixed = [
        message
        for message in made.canned_messages.values()
        if message.response not in (ResponseClass.FILLER, ResponseClass.GREETING)
    ]
    assert len(fixed) == 11
    assert {message.digit for message in fixed} == {*range(1, 10), None}
    assert [made.canned_messages[name].blanks for name in ("no-information", "no-meta-information", "unable")] == [
        1,
        0,
        0,
    ]
    assert all(message.reason for message in made.canned_messages.values())
    others = [message for message in made.canned_messages.values() if message not in fixed]
    assert {message.response for message in others} == {ResponseClass.FILLER, ResponseClass.GREETING}
    assert {message.digit for message in others} == {None}


def test_nothing_that_the_subject_reads_names_a_person_behind_the_system(made: Study) -> None:
    texts = [made.consent_text, made.instructions, *(message.text for message in made.canned_messages.values())]
    texts += [text for scenario in made.scenarios.values() for text in (scenario.title, scenario.text)]
    assert [text for text in texts if REVEALING.search(text)] == []


def test_what_the_system_knows_is_told_in_plain_words(made: Study) -> None:
    lines = made.instructions.splitlines()
    assert "WHAT THE SYSTEM KNOWS ABOUT" in lines
    assert "Airlines: their names." in lines
    assert [line for line in lines if line.startswith(("#", "|")) or line == "About: it knows."] == []


def test_subject_s_materials_hold_no_example_request(made: Study) -> None:
    """Quotation marks and question marks are what a model sentence could not do without."""
    assert QUOTED.findall(made.instructions + made.consent_text) == []


@pytest.mark.parametrize(
    ("profile", "true", "untrue"),
    [
        ("ATT", ("ended for you", "All answers are spoken"), ("talk button", "Answers appear on the screen", "Undo")),
        ("SRI", ("ends by itself", "go on from there", "the words that the system"), ("by voice", "Undo")),
        ("CMU", ("Hold the talk button down", "sits with you"), ("by voice", "ends by itself")),
        ("BBN-89", ("talk button", "Answers appear on the screen"), ("by voice", "ends by itself")),
    ],
)
def test_instructions_are_true_of_their_profile(
    tmp_path: Path, profile: str, true: tuple[str, ...], untrue: tuple[str, ...]
) -> None:
    instructions = " ".join(new(tmp_path / "study", profile=profile).instructions.split())
    assert [words for words in (*true, *untrue) if (words in instructions) is not (words in true)] == []


def test_consent_and_instructions_name_the_pre_roll_of_the_profile(made: Study, folder: Path) -> None:
    for text in (made.consent_text, made.instructions):
        assert "300 milliseconds" in text
        assert "{" not in text
    edited(folder / "profiles" / "BBN-89.toml", "deception = true", "deception = true\npre_roll_ms = 500")
    assert "500 milliseconds" in load(folder).consent_text


def test_without_a_pre_roll_none_is_told_of(made: Study, folder: Path) -> None:
    edited(folder / "profiles" / "BBN-89.toml", "deception = true", "deception = true\npre_roll_ms = 0")
    found = load(folder)
    for text, full in ((found.consent_text, made.consent_text), (found.instructions, made.instructions)):
        assert "milliseconds" not in text
        assert "{" not in text
        kept = [part for part in full.split("\n\n") if "milliseconds" not in part]
        assert text.split("\n\n") == kept, "no other paragraph goes with it"


# --- what a study tells ---------------------------------------------------------------------------------------------------


def test_a_protocol_names_every_file_by_its_hash(made: Study) -> None:
    protocol = made.protocol("air travel 1")
    assert {name.split("/")[0] for name in protocol.files} == {
        "ability.txt", "canned_messages", "consent.txt", "debriefing.txt", "domain", "instructions.txt", "profiles",
        "questionnaires", "scenarios", "study.toml",
    }  # fmt: skip
    study = (made.folder / "study.toml").read_bytes()
    assert protocol.files["study.toml"] == hashlib.sha256(study).hexdigest()
    assert protocol.sha256 == made.sha256 == load(made.folder).sha256
    assert (protocol.site, protocol.domain, protocol.database_version) == ("bbn", "air_travel", "air travel 1")
    assert protocol.profile.name == "BBN-89"
    assert protocol.scenarios.keys() == made.scenarios.keys()
    assert protocol.consent_version == "1"


def test_any_change_of_the_protocol_changes_its_hash(made: Study, folder: Path) -> None:
    for name in made.files:
        before = (folder / name).read_bytes()
        (folder / name).write_bytes(before + b"\n")
        assert load(folder).sha256 != made.sha256, name
        (folder / name).write_bytes(before)
    assert load(folder).sha256 == made.sha256


def test_what_a_session_leaves_behind_changes_nothing(made: Study, folder: Path) -> None:
    left = ["collection.sqlite", "collection.sqlite-wal", "tokens.json", "key.pem", "certificate.pem", ".hidden.toml"]
    left += ["recordings/bbn-20261121-1/T.s.pcm", "database/x.sqlite", "domain/__pycache__/x.pyc", "scenarios/a.toml~"]
    for name in left:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"x")
    assert load(folder).sha256 == made.sha256


def test_scenarios_stand_in_the_order_of_work(made: Study, folder: Path) -> None:
    kinds = [scenario.kind for scenario in made.scenarios.values()]
    assert kinds[0] is ScenarioKind.PRACTICE
    assert ScenarioKind.PRACTICE not in kinds[1:]
    difficulties = [scenario.difficulty for scenario in list(made.scenarios.values())[1:]]
    assert difficulties == sorted(difficulties)
    last = list(made.scenarios)[-1]
    edited(folder / "study.toml", "order = []", f'order = ["{last}"]')
    assert next(iter(load(folder).scenarios)) == last


def test_relative_stores_lie_in_the_study_and_others_stay_as_they_are(made: Study, folder: Path) -> None:
    assert made.store_url == f"sqlite:///{made.folder.resolve()}/collection.sqlite"
    assert made.database_url == ""
    edited(folder / "study.toml", '"sqlite:///collection.sqlite"', '"postgresql+psycopg://lab/curtain"')
    edited(folder / "study.toml", 'database = ""', 'database = "sqlite:////data/flights.sqlite"')
    study = load(folder)
    assert (study.store_url, study.database_url) == (
        "postgresql+psycopg://lab/curtain",
        "sqlite:////data/flights.sqlite",
    )


def test_sessions_of_a_day_are_numbered(made: Study) -> None:
    day = datetime.date(2026, 11, 21)
    streams = ["bbn-20261121-1", "bbn-20261121-1/links", "bbn-20261121-12", "bbn-20261120-40", "mit-20261121-99", "x"]
    assert made.next_session([], day) == "bbn-20261121-1"
    assert made.next_session(streams, day) == "bbn-20261121-13"


def test_who_makes_a_study_without_a_wizard_is_sent_to_its_hub(tmp_path: Path) -> None:
    assert new_command(f"{tmp_path}/s", "air_travel", "SRI", "sri", io.StringIO(), err := io.StringIO()) == 0
    assert f"and `curtain hub {tmp_path}/s`" in err.getvalue()


def test_two_studies_in_one_folder_share_no_session_s_name_and_no_speaker_s_id(tmp_path: Path) -> None:
    day = datetime.date(2026, 11, 21)
    out, err = io.StringIO(), io.StringIO()
    assert new_command(str(tmp_path / "one"), "air_travel", "BBN-89", "bbn", out, err) == 0
    assert "to be merged" not in err.getvalue()
    assert f"and `curtain wizard {tmp_path / 'one'}`" in err.getvalue()
    assert new_command(str(tmp_path / "two"), "air_travel", "CMU", "bbn", out, err) == 0
    assert "Beside one, and to be merged with it: speakers 100 to 1zz, sessions of a day from 101." in err.getvalue()
    other = new(tmp_path / "other", site="cmu")
    edited(tmp_path / "two/study.toml", "first_session = 101", "first_session = 350")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/study.toml").write_text("site = ", "utf-8")
    third = new(tmp_path / "three", site="bbn")
    studies = [load(tmp_path / "one"), other, third]
    blocks = [(block.first, block.last) for study in studies for block in study.settings.speakers]
    assert blocks == [("001", "0zz"), ("200", "2zz"), ("300", "3zz")]
    names = [study.next_session([], day) for study in studies]
    assert names == ["bbn-20261121-1", "cmu-20261121-1", "bbn-20261121-401"]
    assert third.next_session(names, day) == "bbn-20261121-402"


def test_a_first_session_that_is_no_number_of_one_is_refused(folder: Path) -> None:
    edited(folder / "study.toml", "first_session = 1 ", "first_session = 0 ")
    assert "`first_session` is 0; it is a whole number from 1 to 9000" in refused(folder)


def test_speakers_come_from_the_site_s_blocks_until_these_are_full(folder: Path) -> None:
    edited(folder / "study.toml", 'last = "0zz"', 'last = "002"\n[[speakers]]\nfirst = "100"\nlast = "100"')
    study = load(folder)
    used = set[str]()
    for speaker in ("001", "002", "100"):
        assert study.next_speaker(lambda block: block.next_after(used)) == speaker
        used.add(speaker)
    with pytest.raises(Exhausted, match=r"\[\[speakers\]\] in study.toml"):
        study.next_speaker(lambda block: block.next_after(used))


def test_conditions_are_balanced_and_the_same_every_time(made: Study, folder: Path) -> None:
    assert made.next_condition([]) == ""
    edited(folder / "study.toml", "conditions = []", 'conditions = ["slow", "fast", "none"]')
    drawn = _drawn(load(folder))
    assert drawn == _drawn(load(folder))
    for block in range(0, 60, 3):
        assert sorted(drawn[block : block + 3]) == ["fast", "none", "slow"]
    assert len({tuple(drawn[block : block + 3]) for block in range(0, 60, 3)}) > 3
    assert load(folder).next_condition([*drawn[:7], *drawn[8:]]) == drawn[7], "the place that a withdrawal left"


def _drawn(study: Study) -> list[str]:
    drawn: list[str] = []
    for _ in range(60):
        drawn.append(study.next_condition(drawn))
    return drawn


def test_a_study_may_have_a_profile_of_its_own(folder: Path) -> None:
    (folder / "profiles" / "own.toml").write_text('name = "own"\nfree_text = true\n')
    edited(folder / "study.toml", 'profile = "BBN-89"', 'profile = "own"')
    assert load(folder).profile == Profile(name="own", free_text=True)


# --- what is refused ------------------------------------------------------------------------------------------------------


def test_a_folder_that_is_no_study_says_how_to_make_one(tmp_path: Path) -> None:
    assert refused(tmp_path / "none").endswith(f"`curtain new {tmp_path / 'none'}` makes a study")
    assert refused(tmp_path).endswith("there is no study.toml in it; name the folder of a study")


@pytest.mark.parametrize(
    ("name", "old", "new_", "said"),
    [
        ("study.toml", 'site = "bbn"', 'site = "B B N"', "study.toml: `site` is 'B B N'"),
        ("study.toml", 'profile = "BBN-89"', 'profile = "BBN89"', "there is no profile 'BBN89'; did you mean `BBN-89`?"),
        ("study.toml", 'today = "1991-04-29"', 'today = "29.4.1991"', "`today` is '29.4.1991'; it is a date"),
        ("study.toml", "order = []", 'order = ["practise"]', "`order` names 'practise', which is not a scenario; did you mean"),
        ("study.toml", "conditions = []", 'conditions = ["a", "a"]', "`conditions` names one of them twice"),
        ("study.toml", 'first = "001"', 'first = "zzz"', "`speakers[1]`: the block of speaker ids runs backwards"),
        ("study.toml", '\nlast = "0zz"', '\nlast = "0zz"\n[[speakers]]\nfirst = "010"\nlast = "1zz"', "speaker 010 is in two"),
        ("study.toml", "{ s = ", "{ c = ", "`equipment.microphones` has no `s`"),
        ("study.toml", "{ s = ", '{ S = "x", s = ', "`equipment.microphones`: 'S' is not a channel"),
        ("study.toml", "seed", "sead", "`sead` is not a key here; did you mean `seed`?"),
        ("profiles/BBN-89.toml", 'name = "BBN-89"', 'name = "BBN"', "BBN-89.toml: `name` is 'BBN', but the file is called"),
        ("scenarios/practice.toml", 'id = "practice"', 'id = "other"', "practice.toml: `id` is 'other', but the file is called"),
        ("canned_messages/messages.toml", 'id = "unable"', 'id = "no-information"', "another message of the id 'no-info"),
        ("canned_messages/messages.toml", "digit = 2", "digit = 1", "'no-information' both have the digit 1"),
        ("canned_messages/messages.toml", "digit = 2", "digit = 10", "has the digit 10; it is one of 1 to 9"),
        ("canned_messages/messages.toml", 'id = "unable"', 'id = "un able"', "messages.toml: 'un able' is not an identifier"),
    ],
)  # fmt: skip
def test_what_is_not_in_order_is_named(folder: Path, name: str, old: str, new_: str, said: str) -> None:
    edited(folder / name, old, new_)
    assert said in refused(folder)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("scenarios", "there is no scenario"),
        ("canned_messages", "no canned message"),
        ("consent.txt", "no text to consent"),
    ],
)
def test_what_is_missing_is_named(folder: Path, names: str, said: str) -> None:
    shutil.rmtree(folder / names) if (folder / names).is_dir() else (folder / names).unlink()
    assert said in refused(folder)


def test_texts_must_be_utf_8(folder: Path) -> None:
    (folder / "consent.txt").write_bytes(b"Gr\xfc\xdfe")
    assert "consent.txt: byte 2 is not UTF-8" in refused(folder)


# --- making one -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", SITES)
def test_a_study_of_any_profile_can_be_made(tmp_path: Path, profile: str) -> None:
    assert new(tmp_path / "s", profile=profile).profile.name == profile


def test_making_overwrites_nothing_and_leaves_nothing_half_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "there").mkdir()
    attempts: list[tuple[Callable[[], Study], str]] = [
        (lambda: new(tmp_path / "there"), "exists already"),
        (lambda: new(tmp_path / "s", domain="air_travle"), "did you mean `air_travel`"),
        (lambda: new(tmp_path / "s", domain="weather"), "no domain 'weather' ships with scenarios; it may be"),
        (lambda: new(tmp_path / "s", profile="BBN"), "no profile 'BBN'"),
        (lambda: new(tmp_path / "s", site="9"), "site '9' has 2 to 8"),
        (lambda: new(tmp_path / "none" / "s"), "none is not a directory; make it first"),
    ]
    for attempt, said in attempts:
        with pytest.raises(StudyError, match=said):
            attempt()
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
    assert capsys.readouterr() == ("", "")


def test_a_link_that_leads_nowhere_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "s").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StudyError, match="exists already"):
        new(tmp_path / "s")


@pytest.mark.parametrize("key", ["database", "store"])
@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ida:secret@host/flights",
        "postgresql+psycopg://ida:secret@host:5432/flights",
        "postgresql+psycopg://ida:sec/ret@host/flights",
        "postgresql+psycopg://host/flights?user=ida&password=secret",
    ],
)
def test_a_password_is_refused_because_it_would_go_out_with_every_corpus(tmp_path: Path, key: str, url: str) -> None:
    path = new(tmp_path / "study").folder / "study.toml"
    others = [line for line in path.read_text().splitlines() if not line.startswith(f"{key} =")]
    path.write_text("\n".join([f'{key} = "{url}"', *others]))
    with pytest.raises(StudyError, match=rf"study\.toml: `{key}` holds a password.*PGPASSWORD") as raised:
        load(path.parent)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    "url", ["postgresql+psycopg://ida@host:5432/flights", "sqlite:///C:/a@b.sqlite", "sqlite:////srv/x:y@z.sqlite"]
)
def test_a_url_without_a_password_is_taken(tmp_path: Path, url: str) -> None:
    path = new(tmp_path / "study").folder / "study.toml"
    others = [line for line in path.read_text().splitlines() if not line.startswith("store =")]
    path.write_text("\n".join([f'store = "{url}"', *others]))
    assert load(path.parent).settings.store == url
