import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.formats.layout import UNITS, file_name, parse_name, path_of
from session.values.names import CHANNELS, StemName

STEMS = st.builds(
    StemName,
    speaker=st.from_regex("[1-9a-z][0-9a-z]{2}", fullmatch=True),
    scenario=st.integers(1, 35),
    utterance=st.integers(1, 36**2 - 1),
    mode=st.sampled_from("srcv"),
    mic=st.sampled_from(CHANNELS),
)


@given(STEMS, st.sampled_from(sorted(UNITS)))
def test_every_name_that_is_made_is_parsed_back(stem: StemName, kind: str) -> None:
    name = file_name(stem, kind)
    assert parse_name(str(name)) == name
    assert path_of(name).name == str(name)


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("wav", "spon/8k8/1/8k80a1ss.wav"),
        ("sro", "spon/8k8/1/8k80a1sx.sro"),
        ("log", "spon/8k8/1/8k8001sx.log"),
    ],
)
def test_files_lie_where_madcow_puts_them(kind: str, path: str) -> None:
    assert str(path_of(file_name(StemName("8k8", 1, 10, "s", "s"), kind))) == path


def test_the_example_of_the_directory_specification_is_read() -> None:
    name = parse_name("e000e1ss.wav")
    assert name.key == ("e00", 1, 14)
    assert name.scenario == ("e00", 1)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("8k8011ss.mp3", "none of the types"),
        ("8k8011ss", "none of the types"),
        ("8K8011ss.wav", "not a name of the form"),
        ("8k8010ss.wav", "not a name of the form"),
        ("8k8011sx.wav", "names its microphone"),
        ("8k8011ss.sro", "has x in their place"),
        ("8k8011sx.log", "utterance number 00"),
        ("8k8001ss.wav", "utterance number 00 is kept"),
        ("000011ss.wav", "not a speaker's id"),
    ],
)
def test_names_that_break_a_rule_are_refused_with_it(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_name(name)
