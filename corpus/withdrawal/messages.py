"""What a withdrawal tells of what it has left: copies that hold the person or may, and masks that stay with others."""

from collections.abc import Sequence

from corpus.dataset.removals import REMOVALS, Removal
from corpus.release.copies_of_speaker import Holders, called
from corpus.withdrawal.keep_masks import Kept


def told_of_copies(found: Holders, removal: Removal) -> str:
    """What is to be done about each copy, in lines; empty where there is none."""
    speaker = removal.speaker
    lines = [
        f"{path} still holds takes of {who}: run curtain withdraw on that corpus, or delete it"
        for path in found.corpora
        for who in called(path, removal)
    ]
    lines += [
        f"{path} still holds {speaker} in another format: delete it, and make it anew with curtain export --as"
        for path in found.packages
    ]
    lines += [
        f"{path} still tells of {speaker}: delete it, and make it anew with curtain report" for path in found.pages
    ]
    lines += [
        f"{path} still holds {speaker}, encrypted: delete it, and make it anew with curtain encrypt"
        for path in found.encrypted
    ]
    if found.corpora or found.packages or found.pages or found.encrypted:
        lines.append("or let this command do that: with --copies")
    lines += [
        f"{path} cannot be read and may hold takes of {speaker} ({why}): mend it and call this again, or delete it"
        for path, why in found.damaged
    ]
    if found.gone:
        lines.append(
            f"not where they were written, and not looked at: {_some(list(map(str, found.gone)), 5, ', ')}; if they are not "
            f"deleted, {speaker} has to go from them too: {REMOVALS} names them"
        )
    return "".join(f"{line}\n" for line in lines)


def told_of_masks(kept: Kept, speaker: str) -> str:
    """What of others stays masked, or may have to be, in lines; empty where there is nothing."""
    lines = list[str]()
    if kept.utterances:
        lines.append(
            f"{len(kept.utterances)} utterances of others, {kept.utterances[0]} the first, have words that only {speaker}'s "
            "transcriptions marked: they stay masked, for somebody to check at the transcription desk"
        )
    if kept.names:
        lines.append(
            f"{kept.names} names that only {speaker}'s transcriptions marked stand in what others wrote or got as answers: "
            "they stay masked"
        )
    if kept.gone:
        lines.append(f"{kept.gone} names that were kept masked are forgotten: nobody who is left said or wrote them")
    if kept.unread:
        places = _some([f"{each.place} ({each.why})" for each in kept.unread], 5, "; ")
        lines.append(
            f"cannot be read, so that nobody knows what others said there: {places}. Until it can be, names that only "
            f"{speaker}'s transcriptions marked are kept to be masked: mend it or delete it, or, where a study is gone for good, "
            "take it out of the corpus's exports.json; then call this again"
        )
    lines += [
        f"{each.place} is damaged ({each.why}), and what the transcription desk keeps of {speaker} lies there yet: mend it and "
        "call this again, or delete it"
        for each in kept.damaged
    ]
    if kept.near:
        lines.append(
            f"nearly such words, perhaps misspelt, stand in {_some(kept.near, 20, ' ')}: nothing was masked there; look at them, "
            "and where they mean the person call this again with --named WORDS"
        )
    return "".join(f"{line}\n" for line in lines)


def _some(names: Sequence[str], most: int, between: str) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return between.join(names[:most]) + more
