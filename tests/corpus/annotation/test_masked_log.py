"""Names in the records of a log: masked in every text that does not come from the study, its programs or its equipment."""

import pytest

from corpus.annotation.submitted import AllFinished, Finished, masked_log
from corpus.formats.log import log_schema
from corpus.formats.log.log_keys import ValueKind
from corpus.formats.log.log_values import BlockKind, Log, Record, RecordBlock
from corpus.formats.log.timeline import Moment
from tests.corpus.verify.broken import CHECKED

NAME = "Philippa O'Schenectady"
FINISHED = AllFinished({"T1": Finished("i am {{ philippa o'schenectady }}\n", ((1, 9),), 16_000, CHECKED, "8k8011sx")})
TRUSTED = {
    *("Consent", "Scope_given", "Form", "Wizard", "Canned_message", "Database_version", "Microphone", "Applied"),
    *("Program", "Channel", "Offset", "Samples", "Drift", "Detector", "Origin", "Proposer", "Confidence", "Engine"),
    *("Engine_version", "Model", "Version", "Desk", "Clock", "Command"),
}
"""Texts that no participant and nobody who listens to her can put a name into."""
TEXTS = [
    (key, attribute.name)
    for key, rule in log_schema.RECORDS.items()
    for attribute in rule.attributes
    if attribute.kind in (ValueKind.TEXT, ValueKind.LINES) and attribute.name not in {*TRUSTED, "Word_time"}
]
"""All other texts but the times of a recogniser's words, which stand with its hypotheses."""


def record(key: str, *attributes: tuple[str, str]) -> Record:
    """Return a record with these attributes alone."""
    return Record(key, Moment(0), "wizard", True, attributes)


def masked(*records: Record, take: str = "") -> str:
    """Return the texts of a block of records, in an utterance where `take` names one, without the names."""
    block = RecordBlock(BlockKind.UTTERANCE if take else BlockKind.INDEPENDENT, records, int(bool(take)), take)
    (found,) = masked_log(Log((), (block,)), FINISHED).blocks
    return "\n".join(value for one in found.records for _, value in one.attributes)


@pytest.mark.parametrize(("key", "attribute"), TEXTS)
def test_a_name_is_masked_in_every_text_of_a_record_whoever_wrote_it(key: str, attribute: str) -> None:
    asked = record("Sentence_sent", ("Sentence", f"i am {NAME}"))
    told = masked(asked, record(key, (attribute, f"for {NAME} at once"))).partition("\n")[2].lower()
    assert "[masked]" in told
    assert "philippa" not in told
    assert "schenectady" not in told


@pytest.mark.parametrize("take", ["T1", "T2"])
def test_unused_words_of_a_request_with_a_name_are_masked_one_by_one(take: str) -> None:
    asked = record("Sentence_sent", ("Sentence", f"flights for {NAME} please"))
    unused = record("Query_returned", ("Unused", "Philippa"), ("Unused", "O'Schenectady"), ("Unused", "please"))
    assert masked(asked, unused, take=take).splitlines()[1:] == ["[masked]"] * 3


def test_what_a_program_asks_about_one_word_of_a_name_is_masked() -> None:
    asked = record("Sentence_sent", ("Sentence", f"flights for {NAME} please"))
    told = masked(
        asked, record("Query_failed", ("Message", "no such name"), ("Question", "What do you mean by “Philippa”?"))
    )
    assert told.splitlines()[1:] == ["no such name", "What do you mean by “[masked]”?"]


def test_unused_words_of_other_requests_stay() -> None:
    asked = record("Sentence_sent", ("Sentence", "flights for Boston please"))
    assert masked(asked, record("Query_returned", ("Unused", "please"))).splitlines()[1:] == ["please"]
