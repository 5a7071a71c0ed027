"""The corpus of 1989 as an example to run: 21 requests, their answers, two toy systems, every table.

The requests and answers are those printed in the appendix of Boisen, Ramshaw, Ayuso & Bates (1989). Speakers and sites are
made up, because the appendix names none and the tables need some; so are the systems, and what they and the references
answer on a perturbed copy of the database, which nobody has kept. Adjudicated is what the scan misprints.
"""

from pathlib import Path
from typing import TextIO

from corpus.analysis.attempts import AttemptEnd, shares
from corpus.formats.cas import Rules
from evaluation.commands.score import ScoreOptions, score_command
from evaluation.comparator.comparison import compare
from evaluation.comparator.options import options_for
from evaluation.scoring.answer_files import read_list

FOLDER = Path(__file__).parent
SYSTEMS = {"lookup": "north", "cautious": "south"}
RULES = Rules.R1989


def show(out: TextIO, err: TextIO) -> int:
    """Score the toy systems on the corpus and print every table; 0 unless the example itself is broken."""
    options = options_for(RULES)
    faults: list[str] = []
    references = read_list(FOLDER / "references.cas", options, faults)
    print(
        f"The corpus of 1989: {len(references)} requests with canonical answers ({FOLDER.name}/references.cas)",
        file=out,
    )
    print("Requests that share their answer:", file=out)
    names = list(references)
    for place, one in enumerate(names):
        for two in names[place + 1 :]:
            if compare(references[one].answer, references[two].answer, options=options).verdict.value == "correct":
                print(f"  {one} and {two}", file=out)
    print(file=out)
    options_of_score = ScoreOptions(
        references=str(FOLDER / "references.cas"),
        hypotheses=tuple(f"{name}@{home}={FOLDER / f'{name}.cas'}" for name, home in SYSTEMS.items()),
        index=str(FOLDER / "index.tsv"),
        before=str(FOLDER / "printed.cas"),
        variants=(str(FOLDER / "perturbed"),),
        rules=str(RULES),
    )
    status = score_command(options_of_score, out, err)
    ends = [AttemptEnd.FIRST_TRY] * 67 + [AttemptEnd.REWORDED] * 27 + [AttemptEnd.UNANSWERED] * 6
    print(f"\nThe shares of 1989, for 100 requests in scope: {shares(ends).text()}", file=out)
    return 2 if faults or status == 2 else 0
