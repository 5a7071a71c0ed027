import io
import shutil
from pathlib import Path

import msgspec
import numpy as np
import pytest
import soundfile

from annotator.command import first_of
from annotator.effort import effort_of
from annotator.filter import FILTERS
from annotator.rules import NotNow
from annotator.transcription import Transcribing
from annotator.transcription_status import headline
from corpus.annotation.masked_sound import tone, unbleeped
from corpus.annotation.submitted import finished_in
from corpus.commands.export import ExportRequest, export_command
from corpus.dataset.reader import Corpus
from corpus.export.madcow import export
from corpus.export.session_files import ExportOptions
from corpus.formats import manifest, sphere
from corpus.formats.log import file as logfile
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from session.annotation.events import Pass
from session.annotation.store import Work, stream_of, work_path
from session.annotation.transcript import TranscriptState
from session.values.clock import Stamp
from tests.annotator.desk import CROWN, FIRST, LAST, LOG, LSN, SRO, TEXT, WAV, Lab, entry, rules
from tests.corpus.corpora import session_of
from tests.corpus.sessions import MemorySource


def test_every_utterance_is_listed_in_the_order_of_speaking_and_none_is_touched(lab: Lab) -> None:
    items = lab.person().items()
    assert [item.stem for item in items] == [
        FIRST, "8k8021sx", "8k8031sx", "8k8041sx", "8k8012sx", "8k8022sx", LAST
    ]  # fmt: skip
    assert {item.state for item in items} == {TranscriptState.UNTOUCHED}


def test_an_utterance_opens_with_its_sound_the_wizards_text_and_the_draft(lab: Lab) -> None:
    opened = lab.person().open(FIRST)
    assert opened.typed == "Show me flights from Boston to Denver, please."
    assert opened.text == TEXT
    assert np.array_equal(opened.sound, sphere.read(lab.root / WAV).samples()[:, 0])
    assert opened.rate == 16_000


def test_a_transcription_that_breaks_the_conventions_is_opened_to_be_put_right(lab: Lab) -> None:
    (lab.root / SRO).write_bytes(b"show me 7 \x1b[2J flights, \xff\nplease\n")
    desk = lab.at()
    text = desk.opened.text
    assert text.startswith("show me 7 ␛[2J flights, ")
    assert text.endswith(" please")
    assert not desk.revise(text)
    with pytest.raises(NotNow, match="digits"):
        desk.submit(text)
    desk.submit("show me seven flights please")
    assert lab.text(SRO) == "show me seven flights please\n"


def test_looking_changes_nothing(lab: Lab) -> None:
    desk = lab.at()
    assert not desk.revise(f"  {TEXT} ")
    assert desk.items(TranscriptState.BEGUN) == []


def test_a_revision_says_who_when_in_which_pass_and_how_long_it_took(lab: Lab) -> None:
    desk = lab.at()
    lab.clock.wait(12)
    desk.revise("show me flights [uh] from boston")
    desk.during = Pass.EVENTS
    lab.clock.wait(3)
    desk.revise("show me flights [uh] from boston ~")
    facts = lab.work.read(stream_of(FIRST, desk.opened.item.take))
    assert [(fact.by, fact.at.wall) for fact in facts[1:]] == [
        ("anna", lab.clock.wall_ns() - 3 * 10**9), ("anna", lab.clock.wall_ns())
    ]  # fmt: skip
    shares = desk.transcript.shares
    assert [(share.by, share.during, share.worked) for share in shares] == [
        ("anna", Pass.EVENTS, 3 * 10**9), ("anna", Pass.WORDS, 12 * 10**9)
    ]  # fmt: skip


def test_a_break_is_no_work(lab: Lab) -> None:
    desk = lab.at()
    lab.clock.wait(4_000)
    desk.revise("show me")
    assert desk.transcript.worked == 30 * 10**9


def test_what_is_only_begun_leaves_the_corpus_as_it_is(lab: Lab) -> None:
    before = (lab.root / "manifest.json").read_bytes()
    lab.at().revise("show me flights")
    assert (lab.root / "manifest.json").read_bytes() == before


def test_what_is_submitted_is_no_draft_any_more_and_the_lexical_form_follows(lab: Lab) -> None:
    desk = lab.at()
    lab.clock.wait(20)
    desk.submit("show me <the> flights [uh] from boston to denver please")
    assert lab.text(SRO) == "show me <the> flights [uh] from boston to denver please\n"
    assert lab.text(LSN) == "SHOW ME THE FLIGHTS FROM BOSTON TO DENVER PLEASE\n"
    for path in (SRO, LSN):
        made = entry(lab, path)
        assert not made.draft
        assert made.work == manifest.Provenance("anna", "2026-11-30T00:53:45Z", seconds=20.0)
    assert rules(lab, FIRST) == {"sro.unchecked": 1}


@pytest.mark.parametrize("text", ["", "show 7 flights", "(( show", "show [bang]"])
def test_what_breaks_the_conventions_is_kept_but_not_submitted(lab: Lab, text: str) -> None:
    desk = lab.at()
    with pytest.raises(NotNow):
        desk.submit(text)
    assert desk.transcript.text == text
    assert entry(lab, SRO).draft


# --- what identifies a person -------------------------------------------------------------------------------------------


def masked(lab: Lab) -> Transcribing:
    desk = lab.at()
    desk.mark(1000, 2000)
    desk.submit("show me flights from {{ boston to denver }} please")
    return desk


def test_sound_and_text_are_masked_alike_to_the_sample(lab: Lab) -> None:
    before = {path: sphere.read(lab.root / path).samples()[:, 0] for path in (WAV, CROWN)}
    masked(lab)
    assert lab.text(SRO) == "show me flights from [masked] please\n"
    assert lab.text(LSN) == "SHOW ME FLIGHTS FROM PLEASE\n"
    for path, (first, last), rate in ((WAV, (1000, 2000), 16_000), (CROWN, (500, 1000), 8_000)):
        after = sphere.read(lab.exported() / path).samples()[:, 0]
        assert len(after) == len(before[path])
        assert np.array_equal(after[first:last], tone(last - first, rate))
        assert np.array_equal(np.delete(after, slice(first, last)), np.delete(before[path], slice(first, last)))
        assert entry(lab, path).masked == ((first, last),)
    assert rules(lab, "8k8011") == {"wave.masked": 2, "sro.unchecked": 1}


def test_the_words_are_gone_from_the_log_and_stay_where_others_said_them(lab: Lab) -> None:
    masked(lab)
    log = logfile.parse(lab.text(LOG), LOG)
    block = log.utterances[0]
    texts = [value for record in block.records for _, value in record.attributes]
    assert "boston to denver" not in " ".join(texts).lower()
    assert block.first("Transcription_sent").get("Utterance") == "Show me flights from [masked], please."  # type: ignore[union-attr]
    assert "[masked]" in block.all("Sentence_sent")[1].get("Sentence")


def test_a_number_that_was_typed_in_digits_does_not_get_through(lab: Lab) -> None:
    desk = lab.at("8k8031sx")
    desk.mark(100, 500)
    desk.submit("and flight {{ seven thirty two }}")
    block = logfile.parse(lab.text(LOG), LOG).utterances[2]
    assert block.first("Transcription_sent").get("Utterance") == "[masked]"  # type: ignore[union-attr]


@pytest.mark.parametrize("text", [TEXT, "show me flights from {{ boston }} to {{ denver }}"])
def test_words_and_sound_must_be_marked_both(lab: Lab, text: str) -> None:
    desk = lab.at()
    desk.mark(1000, 2000)
    with pytest.raises(NotNow, match="mark both"):
        desk.submit(text)


@pytest.mark.parametrize("marks", ["{{ }}", "{{  }}", "(( ))"])
def test_marks_about_nothing_are_not_submitted(lab: Lab, marks: str) -> None:
    desk = lab.at()
    if "{" in marks:
        desk.mark(1000, 2000)
    with pytest.raises(NotNow, match="Column 6: nothing between"):
        desk.submit(f"from {marks} boston")


def test_sound_that_cannot_be_masked_is_refused_before_anybody_relies_on_it(lab: Lab) -> None:
    file = sphere.read(lab.root / CROWN)
    (lab.root / CROWN).write_bytes(sphere.render(msgspec.structs.replace(file, data=b"ajkg" + file.data)))
    desk = lab.at()
    with pytest.raises(NotNow, match=r"It cannot be masked: .*shorten"):
        desk.mark(1000, 2000)
    assert not desk.transcript.spans


def test_two_channels_of_mu_law_from_another_site_are_masked(lab: Lab) -> None:
    sound = io.BytesIO()
    noise = np.random.default_rng(1).uniform(-0.5, 0.5, (8_000, 2))
    soundfile.write(sound, noise, 8_000, format="NIST", subtype="ULAW")
    (lab.root / WAV).write_bytes(sound.getvalue())
    desk = lab.at()
    desk.mark(1000, 2000)
    desk.submit("show me flights from {{ boston to denver }} please")
    after = sphere.read(lab.exported() / WAV)
    assert not unbleeped(after, entry(lab, WAV).masked)
    assert (after.data[:2000], after.data[4000:]) == (sound.getvalue()[-16_000:-14_000], sound.getvalue()[-12_000:])
    assert not {"wave.mask", "wave.extremes", "wave.checksum"} & set(rules(lab, WAV))


def test_a_stretch_outside_the_sound_is_refused(lab: Lab) -> None:
    desk = lab.at()
    for first, last in ((-1, 5), (5, 5), (0, len(desk.opened.sound) + 1)):
        with pytest.raises(NotNow, match="no such stretch"):
            desk.mark(first, last)
    with pytest.raises(NotNow, match="No stretch"):
        desk.unmark(100)


def test_a_stretch_in_the_wrong_place_can_be_put_right(lab: Lab) -> None:
    original = {path: (lab.root / path).read_bytes() for path in (WAV, CROWN, LOG, SRO)}
    masked(lab)
    desk = lab.at()
    assert np.array_equal(desk.opened.sound, sphere.parse(original[WAV], WAV).samples()[:, 0])
    desk.reopen("it was elsewhere")
    desk.unmark(1500)
    desk.mark(3000, 4000)
    desk.submit("show me flights from {{ boston }} to denver please")
    after = sphere.read(lab.exported() / WAV)
    assert not unbleeped(after, [(3000, 4000)])
    assert unbleeped(after, [(1000, 2000)])
    desk.reopen("it is nobody's name")
    desk.unmark(3500)
    desk.submit(TEXT)
    assert {path: (lab.exported() / path).read_bytes() for path in (WAV, CROWN, LOG, SRO)} == original
    assert "wave.masked" not in rules(lab)


def test_a_later_export_of_the_study_has_text_masks_and_provenance(lab: Lab, tmp_path: Path) -> None:
    masked(lab)
    lab.at(name="ben").check("show me flights from {{ boston to denver }} please")
    source = MemorySource(session_of("bbn", "8k8", stretch=0.6))
    again = tmp_path / "again"
    export(source, again, ExportOptions(finished=finished_in(work_path(again))))
    for path in (WAV, CROWN, SRO, LSN, LOG):
        assert (again / path).read_bytes() == (lab.exported() / path).read_bytes(), path
    assert verify(again).findings == verify(lab.exported()).findings


# --- interruptions and figures ------------------------------------------------------------------------------------------


def test_minutes_are_told_by_person_and_pass(lab: Lab) -> None:
    desk = lab.at()
    lab.clock.wait(24)
    desk.submit(TEXT)
    second = lab.at(name="ben")
    lab.clock.wait(12)
    second.check(TEXT)
    second.open(LAST)
    lab.clock.wait(6)
    second.revise("[uh] never mind")
    effort = effort_of(lab.person().transcripts())
    assert (effort.utterances, effort.finished, effort.checked) == (2, 1, 1)
    assert effort.minutes_each == pytest.approx(0.6)
    assert [(row.by, row.during, row.utterances, round(row.minutes, 3)) for row in effort.rows] == [
        ("anna", Pass.WORDS, 1, 0.4), ("ben", Pass.CHECK, 1, 0.2), ("ben", Pass.WORDS, 1, 0.1)
    ]  # fmt: skip
    assert "0.60 minutes a finished utterance" in effort.lines()[0]


def test_the_work_of_a_person_who_withdraws_is_erased_and_the_chain_stays_whole(lab: Lab) -> None:
    lab.at().submit(TEXT)
    assert lab.work.withdraw("8k8", {"8k8A1"}, Stamp("x", 0, 0), "experimenter") == 2
    assert list(lab.work.transcripts()) == []
    assert lab.work.verify() == []


def test_what_a_person_said_who_has_withdrawn_is_not_worked_on_in_any_corpus_that_still_has_it(lab: Lab) -> None:
    lab.at().submit(TEXT)
    desk = lab.person("ben")
    lab.work.withdraw("8k8", {"8k8A1"}, Stamp("x", 0, 0), "experimenter")
    with pytest.raises(NotNow, match="withdrawn"):
        desk.open(FIRST)
    assert FIRST not in [item.stem for item in lab.person("ben").items()]


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 61])
def test_who_works_has_a_name(lab: Lab, name: str) -> None:
    with pytest.raises(ValueError, match="is not a name"):
        lab.person(name)


# --- elsewhere ----------------------------------------------------------------------------------------------------------


def test_a_correction_elsewhere_keeps_who_had_transcribed_it_at_its_site(lab: Lab, tmp_path: Path) -> None:
    lab.at().submit(TEXT)
    lab.at(name="ben").check(TEXT)
    centre = tmp_path / "centre" / "corpus"
    shutil.copytree(lab.exported(), centre)
    work = Work(work_path(centre))
    desk = Transcribing(Corpus(centre), work, "nist", lab.clock)
    opened = desk.open(FIRST)
    assert (opened.item.unfinished, opened.item.made) == (False, "made by anna, checked by ben")
    assert "made by anna, checked by ben, as the corpus came" in headline(desk, opened, desk.items)
    assert first_of(desk) != FIRST
    assert FIRST not in [item.stem for item in FILTERS["t"][1](desk)]
    for number, words in enumerate((f"[uh] {TEXT}", f"{TEXT} ~")):
        desk.open(FIRST)
        desk.reopen("wrong") if number else None
        desk.submit(words)
        new, err = centre.with_name(f"new-{number}"), io.StringIO()
        source = str(centre if not number else centre.with_name("new-0"))
        assert export_command(ExportRequest(source, str(new)), io.StringIO(), err) == 0, err.getvalue()
        provenance = Corpus(new).manifest.files[SRO].work
        assert provenance is not None
        assert provenance.transcriber == "nist"
        assert next((work.transcriber, work.checker) for work in provenance.before) == ("anna", "ben")
        assert (new / SRO).read_text("utf-8") == f"{words}\n"
    work.close()
    assert not verify(new).count(Severity.ERROR)
