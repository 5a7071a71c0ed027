"""After a withdrawal and the next export no byte sequence of the person is left, but for what is listed here."""

import io
from pathlib import Path

from annotator.transcription import Transcribing
from corpus.commands.derive import DeriveOptions, derive_command
from corpus.dataset.reader import Corpus
from session.annotation.store import Work, work_path
from session.store.event_store import Store
from session.study.folder import load
from session.values.clock import ManualClock
from tests.corpus import withdrawal_lab as world
from tests.corpus.commands.withdrawals import exported, withdraw
from tests.corpus.searching import holding, of_sound, of_text
from tests.corpus.studies import fill, made_study

LISTS = {"removals.json", "whole.exports.log", "derived.exports.log"}
"""Name her by her pseudonym: earlier copies must drop it, and no other person may ever get it."""
STORES = {"collection.sqlite", "work.sqlite"}
"""Have her pseudonym in `SpeakerWithdrawn` and the names of her streams, so that the id is never given again and the chain proves
what was erased. `work.sqlite` has the bare words of the list of masks besides, `collection.sqlite` what others said."""


def test_nothing_of_hers_is_found_but_the_pseudonym_in_lists_and_stores(tmp_path: Path) -> None:
    study, hers = made_study(tmp_path / "study"), world.leaving()
    fill(study, hers)
    fill(study, world.speaking(world.STAYS, f"give this to {world.NAME} please"))
    assert exported(study, tmp_path / "whole") == 0
    work = Work(work_path(tmp_path / "whole"))
    desk = Transcribing(Corpus(tmp_path / "whole"), work, "anna", ManualClock())
    desk.open(f"{world.LEAVES}011sx")
    desk.mark(100, 900)
    desk.submit(f"{world.SAID.lower()} for {{{{ {world.NAME.lower()} }}}}")
    work.close()
    out = io.StringIO()
    assert derive_command(DeriveOptions(str(tmp_path / "whole"), str(tmp_path / "derived")), out, out) == 0
    words, name, sound = {*of_text(world.SAID)}, {*of_text(world.NAME)}, {*of_sound(hers)}
    there = {needle for _, needle in holding([tmp_path], words | name | sound)}
    assert world.SAID.lower().encode() in there
    assert world.NAME.lower().encode() in there
    assert there & sound, "the search must be able to find"

    for place in ("study", "whole", "derived"):
        withdraw(tmp_path / place, world.LEAVES)
    assert exported(study, tmp_path / "new") == 0

    assert holding([tmp_path], words | sound) == set()
    masked = [tmp_path / "derived", tmp_path / "new"]
    assert holding(masked, name) == set(), "what others said of her stays masked"
    assert b"philippa" in (tmp_path / "study/work.sqlite").read_bytes(), "as a word on the list of masks"
    for found in (world.LEAVES, *hers.takes):
        names = {path.rpartition("/")[2] for path, _ in holding([tmp_path], {found.encode()})}
        assert names <= LISTS | STORES, found
    assert world.LEAVES not in Corpus(tmp_path / "new").speakers()
    assert (tmp_path / "new/spon/8k8/1/8k8011sx.sro").read_text("utf-8") == "give this to [masked] please\n"
    store = Store(load(study).store_url)
    assert [store.verify(info.stream) for info in store.streams()] == [[] for _ in store.streams()]
    store.close()
