"""Errors of wizards, as `curtain stats` prints them: against reference answers, by the ability, over time, against each other."""

import re
from io import StringIO
from pathlib import Path

import msgspec

from corpus.analysis.turns import courses
from corpus.commands.report import StatsOptions, stats_command
from corpus.dataset.reader import Corpus
from corpus.packages import datasheet
from evaluation.scoring.sent_answers import right_answers
from session import events as e
from session.values.vocabulary import Scope
from tests.corpus.annotated import annotated
from tests.corpus.corpora import corpus_of, session_of


def test_wizards_are_measured_by_reference_answers_ability_time_and_each_other(tmp_path: Path) -> None:
    scripts = [session_of("bbn", "8k1", "m"), session_of("cmu", "9a1", "f")]
    for script, wizard, scope in zip(scripts, ("Ada", "Oz"), (Scope.OUT, Scope.IN), strict=True):
        for index, fact in enumerate(script.facts):
            event = fact.event
            match event:
                case e.WizardIdentified():
                    event = e.WizardIdentified(name=wizard, role="wizard")
                case e.ScopeMarked():
                    event = msgspec.structs.replace(event, scope=scope)
                case e.CannedSent():
                    event = msgspec.structs.replace(event, reason="no_information")
                case _:
                    pass
            script.facts[index] = msgspec.structs.replace(fact, event=event)
    root = corpus_of(tmp_path / "corpus", *scripts)
    ones = {"spon/8k1/1/8k1011sx": b"((101) (102) (103))\n", "spon/8k1/1/8k1031sx": b"((732))\n"}
    others = {"spon/9a1/1/9a1011sx": b"((101) (102) (103))\n", "spon/9a1/1/9a1021sx": b"((1))\n"}
    # a table that shows more than was asked for goes beyond the maximum, which is no error of a wizard
    most = {"spon/8k1/1/8k1011sx.rf2": b"((101) (102) (103))\n"}
    corpus = Corpus(annotated(root, {f"{stem}.ref": answer for stem, answer in (ones | others).items()} | most))
    assert right_answers(corpus) == {"8k1011sx": True, "8k1031sx": False, "9a1011sx": True, "9a1021sx": False}
    assert right_answers(Corpus(root)) == {}
    out = StringIO()
    assert stats_command(StatsOptions(str(corpus.root)), out, StringIO(), right_answers) == 0
    text = out.getvalue()
    assert re.search(
        r"This table compares replies with the minimal reference answers.*\n\n.*\nAda +2 +1 +50.0 +9.5 +90.5\nOz +2 +1",
        text,
    )
    assert re.search(
        r"stayed within the system's written abilities.*\n\n.*\nAda +1 +0 +0 +100.0 +20.7 +100.0\nOz +1 +0 +1 +0.0 ",
        text,
    )
    assert re.search(
        r"last third of each wizard's replies with the first.*\n\n.*\nAda +first .*\nAda +middle .*\nAda +last ", text
    )
    assert re.search(r"Wizards are compared in pairs.*\n\n.*\nAda +Oz +-14.3 +-51.7 +28.0 +1.00 +0.78 +1.28", text)
    assert re.search(r"subjects an hour of their visits +\d+\.\d", text)
    sheet = datasheet.text(corpus, tuple(courses(corpus)), right_answers(corpus))
    assert (
        "* wizard Ada: 14.3 % of 7 replies marked as wrong (2.6 to 51.3); 50.0 % of 2 are what the reference" in sheet
    )
    assert "; 100.0 % of 1 kept to the written ability (20.7 to 100.0), median 2.2 s to a reply" in sheet
