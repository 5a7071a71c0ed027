from annotator.utterance_list import UtteranceList
from corpus.dataset.reader import Corpus
from session.annotation.transcript import TranscriptState
from tests.annotator.desk import FIRST, LAST, LOG, TEXT, Lab


def test_no_log_is_read_before_one_of_its_utterances_is_asked_for(lab: Lab) -> None:
    listing = UtteranceList(Corpus(lab.root), {})
    (lab.root / "spon/8k8/2/8k8002sx.log").unlink()
    assert next(listing.stream()).stem == FIRST
    assert listing.get("8k8021sx") is not None
    assert (listing.complete, listing.faults) == (False, [])


def test_a_log_that_cannot_be_read_is_passed_over_and_named(lab: Lab) -> None:
    (lab.root / LOG).unlink()
    listing = UtteranceList(Corpus(lab.root), {})
    assert listing.get(FIRST) is None
    assert list(listing.all())[-1] == LAST
    assert len(listing.faults) == 1
    assert LOG in listing.faults[0]


def test_each_goes_on_with_what_others_have_asked_for_meanwhile(lab: Lab) -> None:
    listing = UtteranceList(Corpus(lab.root), {})
    first, *rest = [item.stem for item in UtteranceList(Corpus(lab.root), {}).stream()]
    walk = listing.stream()
    assert next(walk).stem == first
    listing.all()
    assert [item.stem for item in walk] == rest


def test_what_others_do_meanwhile_is_seen_at_the_next_utterance(lab: Lab) -> None:
    checker, maker = lab.at(LAST, "bert"), lab.at()
    assert checker.to_check() == []
    maker.submit(TEXT)
    assert checker.to_check() == []
    checker.revise("[uh] never mind")
    checker.open("8k8021sx")
    assert [(item.stem, item.state) for item in checker.to_check()] == [(FIRST, TranscriptState.SUBMITTED)]
    assert [item.stem for item in checker.items(TranscriptState.BEGUN)] == [LAST]
