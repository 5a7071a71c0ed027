"""A rehearsed corpus annotated by two scripted people from end to end, adjudicated by a third, scored, judged by three raters.

Run `python -m benchmarks.later_work.annotators DIR`, where DIR does not exist yet: three sessions are rehearsed into it. Two of
them are annotated twice independently, of the third one person checks what the other made. Whoever ruled changes the scores of a
system, which are kept before and after; five dialogues are judged. All is done by the commands and the cores of the desks, and
printed as their users see it.
"""

import argparse
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

from annotator.annotate_command import AnnotateOptions, annotate_command
from annotator.annotation import annotation_rules as rules
from annotator.annotation.annotating import Annotating
from annotator.annotation.sentence_reader import SentenceReader
from annotator.judge_command import JudgeOptions, judge_command
from annotator.judging.rating import Rating
from annotator.judging.rubric import load_rubric
from annotator.rules import NotNow
from corpus.dataset.reader import Corpus
from corpus.formats import layout
from corpus.formats.cas import parse, render
from rehearsal.demonstration.staged_annotation import judge_dialogue
from session.annotation.annotation_facts import Annotation, ChangeRequested
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

DIALOGUES = 5
CONTESTED = "now the flights from denver to atlanta in the afternoon that serve a meal"
WANTED = "flights from denver to atlanta in the morning that serve a meal"


def annotate(desk: Annotating, careful: bool) -> None:
    """Annotate or check all that is to be done. Who is not careful overlooks the context and calls what is outside not
    covered, and when checking needs a class for which there is no reason."""
    desk.list.look_around()
    for item in filter(desk.list.todo, desk.list.items()):
        hand = desk.open(item.stem)
        said = hand.turn.said
        if hand.theirs is not None:
            _check(desk, said)
            continue
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


def _check(desk: Annotating, said: str) -> None:
    if said != CONTESTED:
        desk.check()
        return
    desk.begin_draft()
    desk.write(0, WANTED)
    wanted = desk.check_draft().wanted
    desk.object("only what leaves in the morning", "the scenario says that the day begins with the flight", wanted)


def _excluded(reason: str) -> Callable[[Annotation], Annotation]:
    return lambda one: rules.excluded(one, reason)


def _worded(sentence: str, tag: str, pointer: str = "") -> Callable[[Annotation], Annotation]:
    def change(one: Annotation) -> Annotation:
        made = rules.with_sentence(rules.tagged(rules.classed(one, "A"), tag), 0, sentence)
        return rules.pointed(made, pointer) if pointer else made

    return change


def judge(desk: Rating, strict: bool) -> None:
    """Judge five dialogues by what was returned."""
    for place, stem in enumerate(desk.dialogues()[:DIALOGUES]):
        judge_dialogue(desk, stem, strict=strict, wrong=place == 0)


def rehearsed(folder: Path) -> Path:
    """The corpus of a study of three rehearsed sessions, exported into a folder that does not exist yet."""
    study = folder / "first" / "study"
    calls = [["rehearse", "--out", str(folder / "first"), "--pace", "50"]]
    calls += [["rehearse", str(study), "--out", str(folder / name), "--pace", "50"] for name in ("second", "third")]
    calls.append(["export", str(study), str(folder / "corpus")])
    folder.mkdir()
    for call in calls:
        subprocess.run([sys.executable, "-m", "curtain", *call], check=True, stdout=subprocess.DEVNULL)
    return study


def wizard_s_answers(corpus: Corpus) -> str:
    """Return what the wizard sent, as a system's list of answers."""
    drafts = sorted(path for path in corpus.manifest.files if path.startswith(f"{layout.DRAFTS}/"))
    answers = [
        (path.rpartition("/")[2].partition(".")[0], render(parse(corpus.read(path).decode()))) for path in drafts
    ]
    return "".join(f"{stem} {' '.join(answer.split())}\n" for stem, answer in answers)


def requested(desk: Annotating, folder: Path) -> Path:
    """A file with a site's request: another sentence for the first utterance about the code of a class."""
    code, wanted = "what does the code f mean for a class", "what does booking class f mean"
    one = next(one for one in desk.standings().values() if one.final and one.final.readings[0].sentence == code)
    assert one.final is not None
    request = ChangeRequested(
        utterance=one.utterance, site="cmu", request="it is a booking class", evidence="class_of_service decodes it",
        wanted=rules.with_sentence(one.final, 0, wanted),
    )  # fmt: skip
    path = folder / "requests.json"
    path.write_bytes(msgspec.json.encode(request) + b"\n")
    return path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    study, root = rehearsed(folder), folder / "corpus"
    domain = study / "domain"
    (database,) = (study / "database").glob("*.sqlite")
    call = {"domain": str(domain), "database": f"sqlite:///{database}"}
    annotating = lambda **more: annotate_command(AnnotateOptions(str(root), **call, **more), sys.stdout, sys.stdout)  # type: ignore[arg-type]  # noqa: E731
    judging = lambda **more: judge_command(JudgeOptions(str(root), **more), sys.stdout, sys.stdout)  # noqa: E731
    status = annotating(double=0.6)
    work, reader = Work(work_path(root)), SentenceReader(domain, call["database"])
    people = {name: Annotating(Corpus(root), work, name, SystemClock(name), reader) for name in ("anna", "bea", "cleo")}
    annotate(people["anna"], careful=True)
    (folder / "wizard.cas").write_text(wizard_s_answers(Corpus(root)), encoding="utf-8")
    annotate(people["bea"], careful=False)
    status |= annotating(show="agreement") | annotating(score=(f"wizard={folder / 'wizard.cas'}",), show="queue")
    for one in people["cleo"].queue():
        people["cleo"].rule(
            one, one.held["anna"].annotation, "the context is needed, and reasons are as coded as can be"
        )
    status |= annotating(show="rulings") | annotating(show="scores") | annotating(show="reasons")
    status |= annotating(requests=str(requested(people["cleo"], folder)), show="queue")
    for one in people["cleo"].queue():
        (request,) = one.requests
        people["cleo"].rule(one, request.wanted or Annotation(), "a class of a fare is a booking class")
    status |= annotating(show="scores")
    status |= annotating(out=str(folder / "released")) | judging(raters="anna,bea,cleo", each=3)
    for number, name in enumerate(("anna", "bea", "cleo")):
        judge(Rating(Corpus(root), work, name, SystemClock(name), load_rubric()), strict=number == 2)
    status |= judging(show="agreement") | judging(show="scores") | judging(show="scores", combine="dawid-skene")
    work.close()
    return status | judge_command(
        JudgeOptions(str(folder / "released"), work=f"sqlite:///{work_path(root)}", show="report"),
        sys.stdout,
        sys.stdout,
    )


if __name__ == "__main__":
    raise SystemExit(main())
