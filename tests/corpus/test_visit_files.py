"""What the subject answered and remarked at the end of a visit, in the files of the corpus."""

import msgspec

from corpus.export.session_files import ExportOptions, files_of
from session import events as e
from session.study.settings import Questionnaire, QuestionnaireItem
from session.values.vocabulary import ItemKind
from tests.corpus.sessions import MemorySource, Script, whole_session

FORM = Questionnaire(
    id="comments",
    title="Comments",
    item=(
        QuestionnaireItem(id="expected", text="?", choices=("no", "yes")),
        QuestionnaireItem(id="own", text="?", kind=ItemKind.TEXT),
    ),
)


def visit() -> Script:
    script = whole_session()
    first = script.facts[0]
    assert isinstance(first.event, e.SessionOpened)
    protocol = msgspec.structs.replace(first.event.protocol, questionnaires={"comments": FORM})
    script.facts[0] = msgspec.structs.replace(first, event=msgspec.structs.replace(first.event, protocol=protocol))
    answers = {"expected": "yes", "own": "nice\nindeed"}
    script.add(e.QuestionnaireAnswered(at=script.desk(), form="comments", answers=answers), "subject")
    return script


def test_forms_are_in_the_questionnaire_and_own_words_in_the_remarks_on_the_last_scenario() -> None:
    source = MemorySource(visit())
    collected = source.collected(source.names[0])
    files = {file.path: file.data for file in files_of(collected, source, ExportOptions())}
    (squ,) = [data for path, data in files.items() if path.endswith(".squ")]
    assert b"comments" in squ
    assert b"satisfaction" in squ
    remarks = {path: data.decode().splitlines() for path, data in files.items() if path.endswith(".com")}
    said = [path for path, lines in remarks.items() if any(line.startswith("subject: nice") for line in lines)]
    assert len(said) == 1
    assert said[0] == max(remarks)
    assert not any("yes" in line for line in remarks[said[0]])
