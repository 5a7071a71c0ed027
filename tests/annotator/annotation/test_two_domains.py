"""A corpus of a study with two domains at the annotation desk: sentences are read in one domain a call."""

from contextlib import closing
from pathlib import Path

import msgspec

from annotator.annotation.annotating import Annotating
from corpus.dataset.reader import Corpus
from session.annotation.store import Work, work_path
from session.events import SessionOpened
from tests.annotator.annotation_world import reader
from tests.annotator.desk import HandClock
from tests.corpus.corpora import corpus_of, session_of


def test_a_corpus_of_two_domains_is_annotated_one_after_the_other(tmp_path: Path) -> None:
    own, other = session_of("bbn", "8k8"), session_of("cmu", "8k9", number=2)
    opened = other.opened
    assert isinstance(opened, SessionOpened)
    protocol = msgspec.structs.replace(opened.protocol, domain="personnel")
    other.facts[0] = msgspec.structs.replace(other.facts[0], event=msgspec.structs.replace(opened, protocol=protocol))
    corpus = Corpus(corpus_of(tmp_path / "corpus", own, other))
    with closing(Work(work_path(corpus.root))) as work:
        seen = [
            {item.session for item in Annotating(corpus, work, "anna", HandClock(), sentences).list.items()}
            for sentences in (reader(), None)
        ]
    assert seen == [{own.session}, {own.session, other.session}]


def test_a_corpus_of_another_domain_alone_is_whole(tmp_path: Path) -> None:
    corpus = Corpus(corpus_of(tmp_path / "corpus", session_of("bbn", "8k8")))
    with closing(Work(work_path(corpus.root))) as work:
        listed = Annotating(corpus, work, "anna", HandClock(), reader()).list
        assert listed.items() == Annotating(corpus, work, "anna", HandClock()).list.items()
