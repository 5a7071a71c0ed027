"""What is read off the bytes of a log is what the log says when it is parsed."""

from corpus import logfile, utterances
from corpus.log_writer import logs_of
from tests.corpus.sessions import whole_session


def test_names_and_takes_read_off_the_bytes_are_those_of_the_blocks() -> None:
    written = logs_of(whole_session().facts)
    assert len(written) > 1
    for each in written:
        data = logfile.render(each.log)
        found = [(take, str(stem)) for stem, take in utterances.read_off(data, each.stem)]
        assert found
        assert dict(found) == utterances.by_take(logfile.parse(data, "spon/8k8/1/8k8001sx.log"), each.stem)
        assert len(found) == utterances.numbered_in(data)
