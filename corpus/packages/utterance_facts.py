"""Facts about an utterance that are beside its sound in archives for training, by the same names in each."""

from corpus.packages.package_writer import SpokenUtterance


def facts_of(utterance: SpokenUtterance) -> dict[str, object]:
    """Return what the corpus tells of a spoken utterance. `transcription` is the lexical form, None if the words are not
    known; in other columns an empty text is not known."""
    turn, header = utterance.turn, utterance.course.header
    return {
        "utterance": utterance.name,
        "transcription": turn.known_words,
        "detailed": turn.sro,
        "draft": turn.draft,
        "speaker": utterance.speaker.speaker,
        "sex": utterance.speaker.sex,
        "age": utterance.speaker.age,
        "site": header["Site"],
        "session": header["Session"],
        "scenario": header["Scenario"],
        "number": turn.number,
        "response": turn.response,
        "class": turn.evaluation,
    }
