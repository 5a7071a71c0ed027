"""Holdings of a person in what has gone out, by what releases, volumes and packages of tests really hold, and the list for
whoever received it."""

import re
import tarfile
from collections.abc import Iterator
from pathlib import Path

from corpus.centre import facts as f
from corpus.centre import release_listing, volumes
from corpus.centre.ledger import RELEASES, TESTS, Centre
from corpus.centre.mentions import is_named
from corpus.centre.pending_withdrawals import holders
from corpus.centre.release_listing import LISTING, ReleaseListing
from corpus.formats import layout

LEFT = "withdrawals"
_LISTS = re.compile(r"\.ndx$|^changes\.txt$|^bug_rpts/")
_KINDS = ("release ", "volume ", "test ")


def list_for_receivers(centre: Centre, speaker: str, sessions: set[str], sound: bool = False) -> str:
    """The list for whoever received something of a person, or with `sound` of what they said, and the names of the sites that
    still hold it. What the list had before stays, for what went out is rewritten here, and a call may be killed in between."""
    done, option = ("taken the sound back", " --sound-only") if sound else ("withdrawn", "")
    drop = "the waveforms" if sound else "all"
    head = f";; {speaker} has {done}: drop {drop} of the sessions {' '.join(sorted(sessions))}"
    earlier = centre.folder / LEFT / f"{speaker}.txt"
    before = earlier.read_text(encoding="utf-8").splitlines() if earlier.is_file() else []
    kept = [line for line in before if line.partition("\t")[2].startswith(_KINDS)]
    told = {_thing(line) for line in kept if before[0] == head}  # now it may hold a part of that
    new = [line for line in _out(centre, speaker, sound) if _thing(line) not in told]
    what = "sound" if sound else "person"
    remedy = f"curtain withdraw{option} there, and deliver again"
    still = [
        f"{site}\tholds the {what} still, delivered as {name}: {remedy}"
        for site, name in sorted(holders(centre, sessions, sound).items())
    ]
    return "\n".join((head, *dict.fromkeys((*kept, *new)), *still, ""))


def _thing(line: str) -> tuple[str, ...]:
    """The site that a line is for, and the release, volume or test that it is about."""
    site, _, what = line.partition("\t")
    return site, *what.replace(":", " ").split(" ")[:2]


def _out(centre: Centre, speaker: str, sound: bool) -> Iterator[str]:
    for found, later in zip(centre.happened, _receivers(centre), strict=True):
        match found.fact:
            case f.ReleaseMade() as fact if not sound:
                what, sites = _in_release(centre.folder / RELEASES / fact.release, speaker), later
            case f.VolumeWritten() as fact if volumes.holds(centre, fact.volume, speaker):
                what, sites = f"volume {fact.volume}: destroy it; a new one of that name is without the person", later
            case f.TestSetMade() as fact if in_package(centre.folder / TESTS / fact.test, speaker, sound):
                drop = f"the waveforms of {speaker}" if sound else f"all of {speaker}, and answers to it"
                what, sites = f"test {fact.test}: {drop}", {*fact.to}
            case _:
                continue
        yield from (f"{site}\t{what}" for site in sorted(sites) if what)


def _receivers(centre: Centre) -> list[set[str]]:
    """The sites that have each release and volume of the ledger, by place: who receives a later one takes these home too, for
    each holds only what was new."""
    sites, found = set[str](), list[set[str]]()
    for dated in reversed(centre.happened):
        if isinstance(fact := dated.fact, f.ReleaseMade | f.VolumeWritten):
            sites |= {*fact.to}
        found.append({*sites})
    return found[::-1]


def _in_release(folder: Path, speaker: str) -> str:
    """The part of a person in a release: files, and lists that name them; empty where nothing is."""
    listing = release_listing.read(folder)
    tops = sorted({path.partition("/")[0] for path in of_person(listing, speaker)})
    lists = [path for path in sorted(listing.beside) if path == layout.SPEAKER_TABLE or _LISTS.search(path)]
    named = [path for path in lists if is_named(folder / path, speaker)]
    if not tops and not named and all(entry.speaker != speaker for entry in listing.sessions):
        return ""
    files = f"all files of {', '.join(f'{top}/{speaker}' for top in tops)}" if tops else "it names the person"
    return f"release {folder.name}: {files}; take {', '.join((LISTING, *named))} anew"


def of_person(listing: ReleaseListing, speaker: str) -> set[str]:
    """The items of a person in a release."""
    return {path for path in listing.files if f"/{speaker}/" in f"/{path}"}


def in_package(folder: Path, speaker: str, sound: bool = False, key: bool = False) -> bool:
    """Return whether a person, or with `sound` a waveform of theirs, is in the package of a test that was handed out, or with
    `key` in any of its archives."""
    archives = folder.glob("*.tar") if key else [folder / f"{folder.name}.tar"]
    return any(
        f"/{speaker}/" in f"/{name}" and (not sound or name.endswith(".wav"))
        for archive in archives
        if archive.is_file()
        for name in _names(archive)
    )


def _names(archive: Path) -> list[str]:
    with tarfile.open(archive) as tar:
        return tar.getnames()
