"""CHAT: marks in its notation, words where they sound, and every transcript read back."""

from pathlib import Path

import pytest

from corpus.formats import riff
from corpus.formats.errors import FormatFault
from corpus.formats.sro import parse as said
from corpus.packages.talkbank import cha
from corpus.packages.talkbank.cha import ChatLine, ChatTranscript, Header
from corpus.packages.talkbank.chat import in_chat
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.packages.packed import pack, say


def test_a_subject_scenario_is_a_transcript_over_its_sound(tmp_path: Path) -> None:
    script = session_of("bbn", "8k1", "f", 1, 0.1)
    say(script, "8k1A2", "")
    root = pack(corpus_of(tmp_path / "corpus", script), tmp_path / "chat", "chat") / "8k1"
    made = cha.parse((root / "8k1001sx.cha").read_bytes(), "8k1001sx.cha")
    told = [(header.name, header.text) for header in made.headers]
    assert ("ID", "eng|bbn|SUB|31;|female|||Participant|||") in told
    assert {("Media", "8k1001sx, audio"), ("Date", "21-NOV-2026"), ("Situation", "Two interviews")} < {*told}
    first, reply, second, *_ = made.lines
    assert first.words == "show me flights from boston to denver please ."
    assert [tier.name for tier in first.tiers] == ["xutt", "xsro", "xwiz", "xsql"]
    assert first.tiers[3].text.count("\n") == 2, "the statement is as it was"
    assert (reply.code, reply.words, reply.tiers[0]) == ("SYS", "0 .", Header("xrsp", "answer"))
    assert (second.words, second.tiers[0]) == ("www .", Header("exp", "not transcribed"))
    sound = riff.read(root / "8k1001sx.wav").samples().ravel()
    assert first.stretch is not None
    begin, end = (edge * 16 for edge in first.stretch)
    assert sound[begin:end].any()
    assert not sound[:begin].any()
    for path in root.glob("*.cha"):
        assert cha.render(cha.parse(path.read_bytes(), path.name)) == path.read_bytes()


def test_every_mark_has_its_place_in_the_notation() -> None:
    detailed = "~ show !me lo:ng *flighs* <the> << mean".partition(" <<")[0]
    assert in_chat(said(detailed, "")) == "show me long flighs [*] the [e] ."
    noises = "[throat_clear] a d [<cough] [phone_ring/] to [/phone_ring] . (( boston )) [masked] [unintelligible]"
    wanted = "&=throat:clear a d@l &=cough &=phone:ring to (.) boston [?] www xxx ."
    assert in_chat(said(noises, "")) == wanted
    assert [in_chat(said(text, "")) for text in ("~~", "", "(( [cough] flights ))")] == [
        "0 .",
        "0 .",
        "<&=cough flights> [?] .",
    ]


def test_texts_of_any_kind_come_back_and_long_lines_go_on() -> None:
    tiers = (Header("xrep", " two\nlines\t\x15\\ and @End\n*SUB:\tno "), Header("com", "plain"))
    made = ChatTranscript(
        (Header("New Episode"), Header("Situation", "a trip")), (ChatLine("SYS", "0 .", None, tiers),)
    )
    assert cha.parse(cha.render(made), "x.cha") == made
    folded = "@UTF8\n@Begin\n*SUB:\tshow me\n\tflights . \x150_9\x15\n%com:\tone\n\ttwo\n@End\n"
    (line,) = cha.parse(folded, "x.cha").lines
    assert line == ChatLine("SUB", "show me flights .", (0, 9), (Header("com", "one two"),))


@pytest.mark.parametrize(
    "body", ["", "@UTF8\n@Begin\n", "@UTF8\n@Begin\n%com:\tof nobody\n@End\n", "@UTF8\n@Begin\nhm\n@End\n"]
)
def test_what_is_no_transcript_is_refused(body: str) -> None:
    with pytest.raises(FormatFault, match=r"@UTF8|not a line of CHAT"):
        cha.parse(body, "x.cha")
