"""Withdrawal of a person from a centre: from every recorded delivery with its states, release, volume, package and test, with
a list of all recipients.

The site that still holds the person is named, and a delivery that would bring the person back is returned by `curtain receive`.
"""

import hashlib
import io
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.centre import facts as f
from corpus.centre import release_listing, volumes
from corpus.centre.blind_sets import archives_of, is_as_packed
from corpus.centre.centre_state import CentreState
from corpus.centre.holdings import LEFT, in_package, list_for_receivers, of_person
from corpus.centre.ledger import FAULTS, RELEASES, REPORTS, RETURNED, TESTS, Centre
from corpus.centre.mentions import drop_lines, without
from corpus.centre.pending_withdrawals import sound_of
from corpus.centre.recovery import prune
from corpus.centre.release_listing import LISTING, ReleasedItem, items
from corpus.commands.withdraw import WithdrawOptions, withdraw_command
from corpus.dataset.reader import Corpus
from corpus.formats import layout, lexicon, spkrinfo, sro
from corpus.formats.errors import message_of
from corpus.formats.spkrinfo import SpeakerTable
from corpus.io.staging import Refused, replace
from session.values.clock import Clock
from session.values.names import check_speaker


def centre_withdraw_command(folder: str, call: WithdrawOptions, clock: Clock, out: TextIO, err: TextIO) -> int:
    """Remove a person from a centre; the list for those who received something goes to `out`. 1 when another person still
    holds the person, 2 when something could not be done: then call it again."""
    try:
        check_speaker(call.speaker)
        with Centre(Path(folder), clock) as centre:
            return (_silence if call.sound else _withdraw)(centre, call, clock, out, err)
    except (*FAULTS, ValueError) as error:
        err.write(f"{message_of(error)}\n")
        return 2


def _withdraw(centre: Centre, call: WithdrawOptions, clock: Clock, out: TextIO, err: TextIO) -> int:
    speaker = call.speaker
    sessions = _entered(centre, speaker)
    told = list_for_receivers(centre, speaker, sessions)
    out.write(told)
    if call.dry_run:
        err.write("nothing was changed\n")
        return 1
    replace(centre.place(LEFT, f"{speaker}.txt"), told.encode())  # before anything of it is gone
    centre_state, listings = CentreState(centre), dict[str, str]()
    if strays := centre.strays():
        raise Refused("; ".join(strays))
    reached, copies = _from_deliveries(centre, call, clock, lambda corpus: speaker in corpus.speakers())
    for made in centre_state.releases:
        digest = _from_release(centre, centre_state, made.release, speaker, sessions)
        if digest != centre_state.listings[made.release]:
            reached.append(f"release {made.release}")
            listings[made.release] = digest
    for fact in _volumes(centre, centre_state, speaker, sessions):
        listings[fact.volume] = volumes.rewrite(centre, fact.volume, speaker)
        reached.append(f"volume {fact.volume}")
    for test in centre_state.tests.values():
        holds = in_package(centre.folder / TESTS / test.test, speaker, key=True)
        if holds or (sessions & {*test.sessions} and not is_as_packed(centre, centre_state, test)):
            _from_test(centre.folder / TESTS / test.test, speaker)
            listings |= archives_of(centre, test.test)
            reached.append(f"test {test.test}")
    centre.erase(speaker)
    for report in [*(centre.folder / RETURNED).glob("*.txt"), *(centre.folder / REPORTS).glob("*.html")]:
        drop_lines(report, speaker)
    made_here = "".join(f"{line}\n" for line in dict.fromkeys(copies))
    out.write(made_here)
    centre.place(LEFT, f"{speaker}.txt").write_text(told + made_here, encoding="utf-8")
    left = f.SpeakerLeft(
        speaker=speaker,
        sessions=tuple(sorted(sessions)),
        reached=tuple(reached),
        told=centre_state.recipients,
        listings=listings,
    )
    if speaker not in centre_state.left or reached:
        centre.record(left)
    err.write("".join(f"without {speaker}: {what}\n" for what in reached))
    return 1


def _volumes(centre: Centre, centre_state: CentreState, speaker: str, sessions: set[str]) -> Iterator[f.VolumeWritten]:
    """The volumes that hold a person, or that a withdrawal of the person which was killed has written again and not recorded."""
    for fact in centre.facts(f.VolumeWritten):
        was = sessions & {*fact.sessions}
        if volumes.holds(centre, fact.volume, speaker) or (
            was and not volumes.is_as_written(centre, centre_state, fact)
        ):
            yield fact


def _entered(centre: Centre, speaker: str) -> set[str]:
    """The sessions of a person that were ever delivered; raises `Refused` if there is none."""
    entered = {
        entry.session
        for fact in centre.facts(f.DeliveryReceived)
        for entry in fact.sessions
        if entry.speaker == speaker
    }
    if not entered:
        raise Refused(f"nothing of {speaker} was ever delivered to {centre.folder}")
    return entered


def _from_deliveries(
    centre: Centre, call: WithdrawOptions, clock: Clock, holds: Callable[[Corpus], bool]
) -> tuple[list[str], list[str]]:
    """Take a person, or the sound, out of every delivery and state that has it; return what was reached, and what was told of
    copies made of them. Raises `Refused`."""
    reached, copies = list[str](), list[str]()
    for root in centre.kept():
        if holds(Corpus(root)):
            said = io.StringIO()
            if withdraw_command(str(root), call, clock, io.StringIO(), said) == 2:
                raise Refused(said.getvalue().strip())
            reached.append(f"delivery {root.name}")
            copies += [line for line in said.getvalue().splitlines() if " was rebuilt without " not in line]
    return reached, copies


def _silence(centre: Centre, call: WithdrawOptions, clock: Clock, out: TextIO, err: TextIO) -> int:
    """Take the sound of a person back who goes on taking part: out of deliveries, volumes and packages; the text stays."""
    speaker = call.speaker
    sessions = _entered(centre, speaker)
    told = list_for_receivers(centre, speaker, sessions, sound=True)
    out.write(told)
    if call.dry_run:
        err.write("nothing was changed\n")
        return 1
    replace(centre.place(LEFT, f"{speaker}.txt"), told.encode())  # before anything of it is gone
    centre_state, listings = CentreState(centre), dict[str, str]()
    reached, copies = _from_deliveries(centre, call, clock, lambda corpus: bool(sound_of(corpus, speaker)))
    for fact in _volumes(centre, centre_state, speaker, sessions):
        listings[fact.volume] = volumes.rewrite(centre, fact.volume, speaker)
        reached.append(f"volume {fact.volume}")
    for test in centre_state.tests.values():
        holds = _without_members(centre.folder / TESTS / test.test, f"/{speaker}/", ".wav")
        if holds or (sessions & {*test.sessions} and not is_as_packed(centre, centre_state, test)):
            listings |= archives_of(centre, test.test)
            reached.append(f"test {test.test}")
    made_here = "".join(f"{line}\n" for line in dict.fromkeys(copies))
    out.write(made_here)
    centre.place(LEFT, f"{speaker}.txt").write_text(told + made_here, encoding="utf-8")
    if speaker not in centre_state.silent or reached:
        centre.record(
            f.SoundTakenBack(
                speaker=speaker,
                sessions=tuple(sorted(sessions)),
                reached=tuple(reached),
                told=centre_state.recipients,
                listings=listings,
            )
        )
    err.write("".join(f"without the sound of {speaker}: {what}\n" for what in reached))
    return 1


def _from_release(centre: Centre, centre_state: CentreState, release: str, speaker: str, sessions: set[str]) -> str:
    """Take a person out of a release; return the hash of its listing."""
    folder = centre.folder / RELEASES / release
    before = release_listing.read(folder)
    gone = of_person(before, speaker)
    in_table = speaker.encode() in (folder / layout.SPEAKER_TABLE).read_bytes()
    told = [*_bug_reports(folder, before, speaker, sessions)]
    if not gone and not in_table and not told and all(entry.speaker != speaker for entry in before.sessions):
        return hashlib.sha256((folder / LISTING).read_bytes()).hexdigest()
    for path in gone:
        (folder / path).unlink(missing_ok=True)
        prune((folder / path).parent, folder)
    for path in told:
        replace(folder / path, b"the speaker has withdrawn\n")
    for path in before.beside:
        if path.endswith((".ndx", "changes.txt", "bug_rpts/open.txt")):
            drop_lines(folder / path, speaker)
    table = spkrinfo.parse((folder / layout.SPEAKER_TABLE).read_bytes(), layout.SPEAKER_TABLE)
    others = SpeakerTable(tuple(info for info in table.speakers if info.speaker != speaker))
    replace(folder / layout.SPEAKER_TABLE, spkrinfo.render(others))
    after = msgspec.structs.replace(
        before,
        sessions=tuple(entry for entry in before.sessions if entry.speaker != speaker),
        files={path: entry for path, entry in before.files.items() if path not in gone},
        replaces={path: name for path, name in before.replaces.items() if path not in gone},
        gone=tuple(path for path in before.gone if f"/{speaker}/" not in path),
    )
    _lexicon_again(centre, centre_state, release, after)
    beside = {path: hashlib.sha256((folder / path).read_bytes()).hexdigest() for path in before.beside}
    data = release_listing.render(msgspec.structs.replace(after, beside=beside))
    replace(folder / LISTING, data)
    return hashlib.sha256(data).hexdigest()


def _bug_reports(
    folder: Path, listing: release_listing.ReleaseListing, speaker: str, sessions: set[str]
) -> Iterator[str]:
    """The pages of a release on bugs of the person's items."""
    for path in listing.beside:
        if path.startswith("bug_rpts/") and not path.endswith("open.txt"):
            item = (folder / path).read_bytes().split(b"\n", 1)[0]
            if not without(item, speaker) or item.rpartition(b" ")[2].decode() in sessions:
                yield path


def _lexicon_again(
    centre: Centre, centre_state: CentreState, release: str, after: release_listing.ReleaseListing
) -> None:
    """Count the words of a release again; a word that only this person ever said is in no lexicon any more."""
    names = [made.release for made in centre_state.releases]
    earlier = [release_listing.read(centre.folder / RELEASES / name) for name in names[: names.index(release)]]
    whole: dict[str, ReleasedItem] = items([*earlier, after])
    summed = lexicon.CorpusLexicon(())
    for path, item in whole.items():
        if path.endswith(".sro"):
            text = (centre.folder / RELEASES / item.release / path).read_bytes()
            summed += lexicon.of_counts(_counted(lexicon.words(sro.parse(text, path))))
    replace(centre.folder / RELEASES / release / f"doc/lexicon.doc.{release}", lexicon.render(summed))


def _counted(words: Iterator[str]) -> Counter[str]:
    return Counter(words)


def _from_test(folder: Path, speaker: str) -> None:
    """Take a person out of a test: packages, key, submissions; what was scored with the person in it is deleted."""
    for archive in folder.glob("*.tar"):
        part = archive.with_name(f".{archive.name}.part")
        with tarfile.open(archive) as old, tarfile.open(part, "w", format=tarfile.PAX_FORMAT) as new:
            for member in old:
                if f"/{speaker}/" in member.name:
                    continue
                source = old.extractfile(member)
                data = without(source.read() if source else b"", speaker) if _is_list(member.name) else None
                if data is not None:
                    member.size = len(data)
                new.addfile(member, io.BytesIO(data) if data is not None else old.extractfile(member))
        part.replace(archive)
    for path in [*folder.glob("*/*.cas"), *folder.glob("*/*.tsv"), *folder.glob("*/*.trn"), folder / "selection.txt"]:
        drop_lines(path, speaker)
    for path in [*folder.glob("scores_*"), *folder.glob("words_*")]:
        path.unlink()


def _without_members(folder: Path, of: str, kind: str) -> bool:
    """Take the members of one kind whose path has `of` out of the archives of a test; return whether there was any."""
    changed = False
    for archive in folder.glob("*.tar"):
        with tarfile.open(archive) as old:
            if not any(of in name and name.endswith(kind) for name in old.getnames()):
                continue
            part = archive.with_name(f".{archive.name}.part")
            with tarfile.open(part, "w", format=tarfile.PAX_FORMAT) as new:
                for member in old.getmembers():
                    if not (of in member.name and member.name.endswith(kind)):
                        new.addfile(member, old.extractfile(member))
        part.replace(archive)
        changed = True
    return changed


def _is_list(name: str) -> bool:
    return name.endswith((".ndx", ".cas", ".tsv", ".trn", "spkrinfo.log"))
