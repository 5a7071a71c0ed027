"""What is read off the bytes of a log is what the log says when it is parsed."""

from corpus.formats.log import file, utterance_names
from corpus.formats.log.projection import logs_of
from tests.corpus.sessions import whole_session


def test_names_and_takes_read_off_the_bytes_are_those_of_the_blocks() -> None:
    written = logs_of(whole_session().facts)
    assert len(written) > 1
    for fact in written:
        data = file.render(fact.log)
        found = [(take, str(stem)) for stem, take in utterance_names.read_off(data, fact.stem)]
        assert found
        assert dict(found) == utterance_names.by_take(file.parse(data, "spon/8k8/1/8k8001sx.log"), fact.stem)
        assert len(found) == utterance_names.numbered_in(data)
