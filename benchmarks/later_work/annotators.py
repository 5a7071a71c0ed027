"""A rehearsed corpus annotated by two scripted people from end to end, adjudicated by a third, released, judged by three raters.

Run `python -m benchmarks.later_work.annotators DIR`, where DIR does not exist yet: a session is rehearsed into it, and
everything is done by the commands and the cores of the desks. Agreement, queue, rulings, scores and judgements are printed
as their users see them.
"""

import argparse
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from annotator.annotate_command import AnnotateOptions, annotate_command
from annotator.annotation import annotation_rules as rules
from annotator.annotation.annotating import Annotating
from annotator.annotation.sentence_reader import SentenceReader
from annotator.judge_command import JudgeOptions, judge_command
from annotator.judging.rating import Rating
from annotator.judging.rubric import load_rubric
from annotator.rules import NotNow
from corpus.dataset.reader import Corpus
from session.annotation.annotation_facts import Annotation
from session.annotation.judgement_facts import TurnJudged
from session.annotation.store import Work, work_path
from session.values.clock import SystemClock

IN_CONTEXT = {
    "what is the cheapest one way fare for those": "cheapest one way fare from boston to denver",
    "which airlines are those": "airlines of flights from denver to atlanta in the afternoon that serve a meal",
    "and the last flight back to boston in the evening": "last flight from atlanta to boston in the evening",
}
REWORDED = {"what ground transportation is there in denver and what does it cost": "ground transportation in denver"}
EXCLUDED = {
    "and what will the weather be like in denver": "outside",
    "how do you know which flights there are": "meta",
    "from which city does most of everything start": "vague",
    "where can i get a rental car": "no data",
}


def annotate(desk: Annotating, careful: bool) -> None:
    """Annotate every utterance; who is not careful overlooks the context and calls what lies outside not covered."""
    for item in desk.list.items():
        hand = desk.open(item.stem)
        said = hand.turn.said
        if said in EXCLUDED:
            reason = EXCLUDED[said] if careful or EXCLUDED[said] != "outside" else "not covered"
            change = _excluded(reason)
        elif said in IN_CONTEXT:
            change = _worded(IN_CONTEXT[said], "wh-question", hand.earlier[-1].pointer if careful else "")
        else:
            change = _worded(REWORDED.get(said, said), "wh-question")
        desk.change(change(desk.annotation))
        try:
            desk.submit()
        except NotNow as refusal:
            print(f"{item.stem}: {desk.person} excludes it: {refusal}")
            desk.change(_excluded("not covered")(desk.annotation))
            desk.submit()


def _excluded(reason: str) -> Callable[[Annotation], Annotation]:
    return lambda one: rules.excluded(one, reason)


def _worded(sentence: str, tag: str, pointer: str = "") -> Callable[[Annotation], Annotation]:
    def change(one: Annotation) -> Annotation:
        made = rules.with_sentence(rules.tagged(rules.classed(one, "A"), tag), 0, sentence)
        return rules.pointed(made, pointer) if pointer else made

    return change


def judge(desk: Rating, strict: bool) -> None:
    """Judge every dialogue by what was returned; who is strict calls the last answer partially correct."""
    for stem in desk.dialogues():
        turns = desk.open(stem).turns
        for at, turn in enumerate(turns):
            desk.at = at
            response = turn.responses[-1] if turn.responses else "not understood"
            poor = strict and response == "answer" and at == len(turns) - 1
            verdict = {"answer": "partially correct" if poor else "correct", "not understood": ""}.get(
                response, "appropriate"
            )
            noticed = "yes" if poor else ""
            desk.judge(
                TurnJudged(utterance="", number=0, request="new", response=response, verdict=verdict, noticed=noticed)
            )
        desk.finish("yes", "right")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    rehearse = [sys.executable, "-m", "curtain", "rehearse", "--out", str(folder), "--pace", "50"]
    subprocess.run(rehearse, check=True, stdout=subprocess.DEVNULL)
    root, domain = folder / "corpus", folder / "study" / "domain"
    (database,) = (folder / "study" / "database").glob("*.sqlite")
    call = {"domain": str(domain), "database": f"sqlite:///{database}"}
    annotating = lambda **more: annotate_command(AnnotateOptions(str(root), **call, **more), sys.stdout, sys.stdout)  # noqa: E731
    judging = lambda **more: judge_command(JudgeOptions(str(root), **more), sys.stdout, sys.stdout)  # noqa: E731
    status = annotating(double=1.0)
    work, reader = Work(work_path(root)), SentenceReader(domain, call["database"])
    people = {name: Annotating(Corpus(root), work, name, SystemClock(name), reader) for name in ("anna", "bea", "cleo")}
    annotate(people["anna"], careful=True)
    annotate(people["bea"], careful=False)
    status |= annotating(show="agreement") | annotating(show="queue")
    for one in people["cleo"].queue():
        people["cleo"].rule(
            one, one.held["anna"].annotation, "the context is needed, and reasons are as coded as can be"
        )
    status |= annotating(show="rulings") | annotating(show="reasons") | annotating(out=str(folder / "released"))
    for number, name in enumerate(("anna", "bea", "cleo")):
        judge(Rating(Corpus(root), work, name, SystemClock(name), load_rubric()), strict=number == 2)
    status |= judging(show="agreement") | judging(show="scores")
    work.close()
    return status | judge_command(
        JudgeOptions(str(folder / "released"), work=f"sqlite:///{work_path(root)}", show="report"),
        sys.stdout,
        sys.stdout,
    )


if __name__ == "__main__":
    raise SystemExit(main())
