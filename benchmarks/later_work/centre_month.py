"""A month at a data centre: five sites with three deliveries each, planted faults, weekly releases, volumes, annotations, bugs, a
withdrawal in the middle, a dry run and an official test that is adjudicated and repeated.

Run `python -m benchmarks.later_work.centre_month`. Every fault has what must become of it; the figures say what was caught, and
the status is 1 where anything got through. `--rehearsed` lets each site hold a rehearsal for its first delivery, `--breakages`
sends the centre every corpus that the verifier's tests know to be broken, one delivery each.
"""

import argparse
import io
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.later_work.centre_faults import (
    breakages_caught,
    capitalise,
    clutter,
    first,
    flipped,
    leading_out,
    left_of,
    planted,
    shout,
    swap,
    told_by,
)
from corpus.centre import facts as f
from corpus.centre.bugs import BugOptions, bug_command
from corpus.centre.centre_folder import centre_command
from corpus.centre.centre_state import CentreState
from corpus.centre.releases import ReleaseOptions, release_command
from corpus.centre.volumes import VolumeOptions, volume_command
from corpus.centre.weekly_report import weekly_command
from corpus.centre.withdrawal import centre_withdraw_command
from corpus.commands.merge import merge
from corpus.commands.withdraw import WithdrawOptions
from corpus.dataset.reader import Corpus
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from evaluation.commands.testset import OfficialOptions, official_command
from evaluation.references.handouts import documents_of
from tests.corpus.annotated import annotated
from tests.corpus.centre.world import World, answered, initial, tarred
from tests.corpus.corpora import corpus_of, session_of

SITES = {"att": "a", "bbn": "b", "cmu": "c", "mit": "m", "sri": "s"}
KEY = "k" * 32
EACH = 5  # speakers a delivery
PACE = "10"  # of rehearsals: the people of a faster one give up sooner than a busy machine answers


class Month(World):
    """The centre with its five sites, and what was seen in the month."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.caught: list[tuple[str, str, str]] = []
        self.failed: list[str] = []
        self.number, self.capacity = 0, 700_000
        for site in ("bbn", "att"):
            (self.root / f"keys/{site}.key").write_text(KEY)
        (folder / "key").write_text(KEY)

    def check(self, what: str, good: object, seen: object = "") -> None:
        """Note what must be so."""
        if not good:
            self.failed.append(f"{what}: {seen}")

    def speakers(self, site: str, delivery: int) -> list[str]:
        """The ids of the people of one delivery."""
        return [f"{SITES[site]}{delivery}{number}" for number in range(1, EACH + 1)]

    def corpus(self, site: str, delivery: int, name: str = "", *others: str) -> Path:
        """An exported corpus of one delivery."""
        people = [*self.speakers(site, delivery), *others]
        scripts = (
            session_of(site, who, "fm"[at % 2], EACH * delivery + at, 0.15 + 0.01 * at) for at, who in enumerate(people)
        )
        return corpus_of(self.folder / (name or f"{site}{delivery}"), *scripts)

    def send(self, corpus: Path, plain: bool = False, **more: str) -> Path:
        """Pack a delivery as its site does, signed where it has a key."""
        self.number += 1
        site = more.get("site", "") or corpus.name[:3]
        key = (
            {"key": str(self.folder / "key")} if (self.root / f"keys/{site}.key").exists() and "key" not in more else {}
        )
        if plain:
            return tarred(corpus, self.folder / f"{self.number}.tar")
        return self.pack(corpus, f"{self.number}.tar", **{**key, **more})

    def arrives(self, fault: str, archive: Path, wanted: str, told: str = "") -> None:
        """Receive a delivery in which a fault was planted, and hold what became of it against what must."""
        status, line = self.receive(archive)
        became = line.partition("\t")[2] if status < 2 else "refused"
        self.caught.append((fault, wanted, became))
        self.check(f"{fault}, wanted {wanted}", became == wanted and told in self.err, f"{became}: {self.err[:300]}")

    def call(self, what: str, command: Callable[..., int], *given: object, status: int = 0) -> str:
        """A command that must end so."""
        out, err = io.StringIO(), io.StringIO()
        ended = command(*given, self.clock, out, err)
        self.check(what, ended == status, f"{ended} {err.getvalue()[:300]}")
        return out.getvalue()

    def week(self, final: str = "") -> str:
        """Release, write volumes, report; return the id of the release."""
        out, err = io.StringIO(), io.StringIO()
        ended = release_command(ReleaseOptions(str(self.root), final), self.clock, out, err, documents_of)
        self.check("release", ended == 0, err.getvalue())
        self.call("volumes", volume_command, VolumeOptions(str(self.root), self.capacity))
        weekly = weekly_command(str(self.root), "", self.clock, io.StringIO(), err)
        self.check("weekly report", weekly == 0, err.getvalue())
        for _ in range(7):
            self.next_day()
        return out.getvalue().strip()

    def test(self, name: str, status: int = 0, **given: Any) -> str:
        """One step of a test."""
        options = OfficialOptions(str(self.root), name, **given)
        return self.call(f"test {name} {given}", official_command, options, status=status)


def first_week(month: Month) -> None:
    """One whole delivery, and one with each of four faults; what comes back is repaired and sent again."""
    month.arrives("none", month.send(month.corpus("att", 1)), "accepted")
    bbn = initial(month.corpus("bbn", 1), month.folder / "bbn1i")
    month.arrives("capitals and line ends", month.send(planted(bbn, shout)), "fixed")
    cmu = initial(month.corpus("cmu", 1), month.folder / "cmu1i")
    lost = first(cmu, "*011ss.wav")
    shutil.move(lost, month.folder / "kept.wav")
    month.arrives("a lost waveform", month.send(cmu), "returned")
    shutil.move(month.folder / "kept.wav", lost)
    month.arrives("none, sent again", month.send(cmu), "fixed")
    mit = month.corpus("mit", 1)
    month.arrives("two waveforms swapped", month.send(planted(mit, swap), plain=True), "returned")
    swap(mit)
    month.arrives("none, sent again", month.send(mit), "accepted")
    sri = month.corpus("sri", 1)
    altered = first(sri, "*.squ")
    data = altered.read_bytes()
    altered.write_bytes(data + b"more\n")
    shout(sri)
    month.arrives("a file altered after its export", month.send(sri, plain=True), "returned")
    shutil.rmtree(sri)
    month.arrives("none, sent again", month.send(month.corpus("sri", 1)), "accepted")


def second_week(month: Month) -> None:
    """Forgeries and damage beside honest mistakes."""
    att = initial(month.corpus("att", 2), month.folder / "att2i")
    month.arrives("names in capitals", month.send(planted(att, capitalise)), "fixed")
    bbn = month.corpus("bbn", 2)
    month.arrives(
        "bbn's data sent by another", month.send(bbn, site="mit"), "refused", "not signed with the key of bbn"
    )
    month.arrives("a bit flipped on the way", flipped(month.send(bbn)), "refused")
    month.arrives("none, sent again", month.send(bbn), "accepted")
    cmu = initial(month.corpus("cmu", 2), month.folder / "cmu2i")
    month.arrives("an editor's rubbish, a file in a wrong place", month.send(planted(cmu, clutter)), "fixed")
    wrong = corpus_of(month.folder / "mit_wrong", session_of("mit", "a11", "f", 40, 0.23))
    month.arrives("a speaker id of another site", month.send(wrong), "returned", "overlap")
    month.arrives("none, sent again", month.send(month.corpus("mit", 2)), "accepted")
    sri = initial(month.corpus("sri", 2), month.folder / "sri2i")
    log = first(sri, "*sx.log")
    shutil.move(log, month.folder / "kept.log")
    month.arrives("a lost log", month.send(sri), "returned")
    shutil.move(month.folder / "kept.log", log)
    month.arrives("none, sent again", month.send(sri), "fixed")


def third_week(month: Month, leaver: str) -> None:
    """The rest, a corrected delivery of the first week, and a site that has not let go of who left."""
    att = month.send(month.corpus("att", 3))
    month.arrives("none", att, "accepted")
    month.arrives("the same sent twice", att, "known")
    cmu = month.send(month.corpus("cmu", 3))
    shutil.copy(cmu, month.folder / "out.tar")
    month.arrives("an archive that leads out", leading_out(month.folder / "out.tar", link=False), "refused")
    month.arrives("none, sent again", cmu, "accepted")
    mit = month.send(month.corpus("mit", 3))
    shutil.copy(mit, month.folder / "link.tar")
    month.arrives("an archive with a symbolic link", leading_out(month.folder / "link.tar", link=True), "refused")
    month.arrives("none, sent again", mit, "accepted")
    month.arrives("none", month.send(month.corpus("sri", 3)), "accepted")
    month.arrives("none", month.send(month.corpus("bbn", 3)), "accepted")
    month.arrives("the leaver comes again", month.send(month.folder / "bbn1"), "returned", leaver)
    shutil.rmtree(month.folder / "bbn1")
    people = [who for who in month.speakers("bbn", 1) if who != leaver]
    scripts = (session_of("bbn", who, "f", EACH + month.speakers("bbn", 1).index(who), 0.2) for who in people)
    month.arrives("none, without the leaver", month.send(corpus_of(month.folder / "bbn1", *scripts)), "accepted")


def annotate(month: Month, release: str, speakers: list[str], spoil: bool = False) -> None:
    """SRI annotates people of all sites, and sends it back under the release's name, or the pool's."""
    for site, letter in SITES.items():
        for delivery in (1, 2, 3):
            root = month.folder / f"{site}{delivery}"
            own = [who for who in speakers if who[:2] == f"{letter}{delivery}"]
            if not own or not root.is_dir():
                continue
            made = {
                path: data for who in own for number in ("01", "02") for path, data in answered(who, number).items()
            }
            if spoil:
                made |= {path: b"((101)\n" for path in list(made)[:6] if path.endswith(".ref")}
            corpus = annotated(root, made)
            archive = month.send(corpus, annotations=release, site="sri")
            if spoil:
                month.arrives("an answer that cannot be read", archive, "returned")
            else:
                month.check("annotations", month.receive(archive)[0] == 0, month.err)
            shutil.rmtree(corpus)


def answers(month: Month, name: str, wrong: int) -> Path:
    """A system that answers all but so many requests right."""
    lines = (month.root / "tests" / name / "key/references.cas").read_text().splitlines()
    path = month.folder / f"{name}{wrong}.cas"
    path.write_text(
        "".join(f"{line.split()[0]} ((7))\n" if at < wrong else f"{line}\n" for at, line in enumerate(lines))
    )
    return path


def evaluate(month: Month, name: str) -> None:
    """Three systems answer, are scored, and after adjudication scored again."""
    for system, wrong in (("one", 0), ("two", 2), ("three", 5)):
        month.test(name, submit=f"{system}={answers(month, name, wrong)}")
    month.test(name, score=True)
    line = (month.root / "tests" / name / "key/references.cas").read_text().splitlines()[0].split()[0]
    rulings = month.folder / f"{name}.tsv"
    header = "utterance\truling\tclass\treference\tmaximum\treason\n"
    rulings.write_text(f"{header}{line}\tupheld\t\t((7))\t((7))\tso it is\n")
    month.test(name, adjudicate=str(rulings))
    month.test(name, score=True)


def curtain(*call: str) -> None:
    """Call Curtain as a site does, in a process of its own; what it complains of ends the month."""
    done = subprocess.run([sys.executable, "-m", "curtain", *call], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"curtain {' '.join(call)} ended with status {done.returncode}:\n{done.stderr}")


def rehearse(month: Month) -> None:
    """Each site holds a rehearsal, over hub, wire and database, and delivers it as an extra."""
    month.capacity = 7_000_000
    for site, letter in SITES.items():
        study, out = month.folder / f"{site}_study", month.folder / f"{site}_rehearsal"
        curtain("new", str(study))
        settings = (study / "study.toml").read_text()
        lines = [f'site = "{site}"' if line.startswith("site ") else line for line in settings.splitlines()]
        lines = [f'first = "{letter}90"' if line.startswith("first ") else line for line in lines]
        lines = [f'last = "{letter}99"' if line.startswith("last ") else line for line in lines]
        (study / "study.toml").write_text("\n".join(lines) + "\n")
        curtain("rehearse", str(study), "--out", str(out), "--pace", PACE)
        (out / "corpus").rename(month.folder / f"{site}9")
        month.arrives("none, a rehearsal", month.send(month.folder / f"{site}9"), "accepted")


def held(month: Month) -> Month:
    """Hold the whole month; return it with what was seen."""
    first_week(month)
    one = month.week()
    with month.centre() as centre:
        centre_state = CentreState(centre)
        free = [who for who, which in sorted(centre_state.sets.items()) if which == "release"]
        pool = sorted(centre_state.held_out)
    leaver = next(who for who in free if who.startswith("b1"))
    annotate(month, one, free[:12], spoil=False)
    annotate(month, one, free[12:13], spoil=True)
    annotate(month, "pool", pool)
    month.call("bug", bug_command, BugOptions(str(month.root), f"{leaver}011sx", "the third word", "mit"))
    month.call("bug", bug_command, BugOptions(str(month.root), f"{free[0]}011sx", "a click", "cmu"))
    month.call("bug", bug_command, BugOptions(str(month.root), judge="2=refused", text="it is in the room"))
    second_week(month)
    two = month.week(final=one)
    month.test("nov92", status=2)
    month.test("dry", size=30, trial=True)
    evaluate(month, "dry")
    told = month.call("withdrawal", centre_withdraw_command, str(month.root), WithdrawOptions(leaver), status=1)
    month.check("who is told", "bbn\tholds the person still" in told and f"cmu\trelease {one}" in told, told)
    third_week(month, leaver)
    three = month.week(final=two)
    with month.centre() as centre:
        pool = sorted({*CentreState(centre).held_out} - {*pool})
    annotate(month, "pool", pool)
    month.test("nov92", size=60)
    evaluate(month, "nov92")
    month.week(final=three)
    judge(month, leaver)
    return month


def judge(month: Month, leaver: str) -> None:
    """Return what must be so at the end of the month."""
    for name in ("dry", "nov92"):
        month.check(f"no answer in {name}", not (found := [*told_by(month.root, name)]), found)
        said = month.test(name, repeat=True)
        month.check(f"{name} repeats", said.count("the same bytes") == 2, said)
    moved = month.folder / "elsewhere"
    shutil.copytree(month.root, moved)
    ended = official_command(
        OfficialOptions(str(moved), "nov92", repeat=True), month.clock, io.StringIO(), io.StringIO()
    )
    month.check("an evaluation repeats in another place", ended == 0)
    month.check("nothing is left of who left", not (found := left_of(month.root, leaver)), found)
    month.call("the centre is whole", centre_command, str(month.root))
    with month.centre() as centre:
        centre_state, roots = CentreState(centre), [path for _, path in CentreState(centre).roots()]
        out = {name for name in centre_state.sessions if name in centre_state.released}
        month.check(
            "nobody of the pool is out",
            not {centre_state.sessions[name].session.speaker for name in out} & centre_state.held_out,
        )
        tested = [{*test.units} for test in centre_state.tests.values()]
        month.check("no subject-scenario is in two tests", not tested[0] & tested[1])
        month.check("every volume has room", all(fact.size <= fact.capacity for fact in centre.facts(f.VolumeWritten)))
    for root in roots:
        month.check(f"{root.name} has no error", verify(root).count(Severity.ERROR) == 0)
    merge(roots, month.folder / "all")
    month.check("merging brings nobody back", leaver not in Corpus(month.folder / "all").speakers())


def figures(month: Month) -> Iterator[str]:
    """A page on what was caught."""
    became = Counter((wanted, became) for fault, wanted, became in month.caught if not fault.startswith("none"))
    good = sum(number for (wanted, found), number in became.items() if wanted == found)
    yield f"planted faults: {sum(became.values())}, caught as they must be: {good}"
    yield from (
        f"  {number:3} {wanted}" + ("" if wanted == found else f", but {found}")
        for (wanted, found), number in sorted(became.items())
    )
    with month.centre() as centre:
        centre_state = CentreState(centre)
        repairs = sum(1 for _ in centre.facts(f.FileRepaired))
        yield f"deliveries in the ledger: {len(centre_state.deliveries)}, repairs {repairs}, speakers {len(centre_state.sets)}"
        for site in SITES:
            held = [entry.session for entry in centre_state.sessions.values() if entry.session.site == site]
            pool = sum(entry.data for entry in held if entry.speaker in centre_state.held_out)
            every = sum(entry.data for entry in held)
            yield f"  {site}: {every} utterances, {100 * pool / every:.1f} % held out"
        yield f"releases {len(centre_state.releases)}, volumes {sum(1 for _ in centre.facts(f.VolumeWritten))}"
        for test in centre_state.tests.values():
            yield f"test {test.test}: {test.utterances} utterances of {len(test.units)} subject-scenarios"
        reached = Counter(what.split()[0] for fact in centre.facts(f.SpeakerLeft) for what in fact.reached)
        yield "the withdrawal reached " + ", ".join(f"{number} {what}" for what, number in sorted(reached.items()))


def main() -> int:
    """Hold the month, print the figures; 1 where something got through."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rehearsed", action="store_true")
    options.add_argument("--breakages", action="store_true")
    given, began = options.parse_args(), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="curtain-month-") as folder:
        month = Month(Path(folder))
        if given.rehearsed:
            rehearse(month)
        print("\n".join(figures(held(month))))
        if given.breakages:
            month.failed += breakages_caught(Path(folder) / "sweep")
    print("\n".join(f"GOT THROUGH {what}" for what in month.failed) or "nothing got through")
    print(f"{time.monotonic() - began:.0f} s")
    return 1 if month.failed else 0


if __name__ == "__main__":
    sys.exit(main())
