"""Many utterances aligned at once, held to the alignment of one."""

from hypothesis import given
from hypothesis import strategies as st

from corpus.analysis.word_alignment import align, count
from evaluation.recognition.alignment import EDITS, Aligned, align_all
from evaluation.recognition.networks import Terms, align_networks, network

WORDS = st.lists(st.sampled_from("abc"), max_size=8)


@given(st.lists(st.tuples(WORDS, WORDS), max_size=12))
def test_a_batch_is_aligned_as_each_alone_and_as_a_network_without_a_choice(
    pairs: list[tuple[list[str], list[str]]],
) -> None:
    for (said, heard), edits in zip(pairs, align_all(pairs), strict=True):
        alone = align(said, heard)
        assert [EDITS[letter] for letter in edits] == [pair.edit for pair in alone]
        aligned = Aligned(tuple(said), tuple(heard), edits)
        assert list(aligned.pairs()) == alone
        assert aligned.counts == count(said, heard)
        networks = [network(" ".join(side), Terms()) for side in (said, heard)]
        assert align_networks(networks[0], networks[1], Terms()).edits == edits


def test_a_long_utterance_is_aligned_beside_short_ones() -> None:
    long = [f"w{number % 700}" for number in range(2_000)]
    assert align_all([(["a"], ["b"]), (long, long[1:]), ([], [])]) == ["S", "D" + "C" * 1_999, ""]
