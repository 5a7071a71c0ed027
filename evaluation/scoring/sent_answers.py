"""Answers that wizards sent, compared with the reference answers of annotators: right or wrong, utterance by utterance.

By the minimal answers alone: a table made for a person shows more columns than were asked for, which the maximum forbids to
systems that are tested. Rows that were not asked for are wrong here too.
"""

from corpus.dataset.reader import Corpus, CorpusUtterance
from corpus.formats.cas import Answer, CasError, NoAnswer, answer_of, parse
from corpus.formats.log.log_values import RecordBlock
from corpus.formats.log.result_table import table_of
from evaluation.comparator.comparison import InputFault, Verdict, compare
from session.values.answers import Table
from session.values.vocabulary import ResponseClass


def right_answers(corpus: Corpus) -> dict[str, bool]:
    """Return, of each utterance with a reference answer and a reply, whether the rows that were sent first are right; a canned
    message in their place is not. Raises `FormatFault` for a file that is not what it should be."""
    if not any(path.endswith(".ref") for path in corpus.manifest.files):
        return {}
    return {
        str(utterance.stem): right
        for scenario in corpus.scenarios()
        for utterance in scenario.utterances
        if "ref" in utterance.files and (right := _is_right(corpus, utterance)) is not None
    }


def _is_right(corpus: Corpus, utterance: CorpusUtterance) -> bool | None:
    """Return None without a reply, or with a reference that nothing can be compared with."""
    replies = [
        record for record in utterance.block.all("Answer_returned") if record.get("Response") != ResponseClass.FILLER
    ]
    try:
        minimum = _answer(corpus, utterance.files["ref"])
        if not replies or any(isinstance(one, NoAnswer) for one in minimum.alternatives):
            return None
        table = _sent(utterance.block, replies[0].get("Attempt"))
        return table is not None and (
            compare(minimum, answer_of(table, mixed_as_strings=True)).verdict is Verdict.CORRECT
        )
    except (CasError, InputFault):
        return None


def _answer(corpus: Corpus, path: str) -> Answer:
    return parse(corpus.read(path).decode(), source=path)


def _sent(block: RecordBlock, attempt: str) -> Table | None:
    """Return the rows of an attempt; None for a canned message, which has none."""
    found = [record for record in block.all("Query_returned") if attempt and record.get("Attempt") == attempt]
    return table_of(found[-1].get("Table")) if found else None
