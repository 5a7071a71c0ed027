"""A trigram model of the sentences of a domain, in ARPA's format: Witten and Bell's discounting, with back-off.

Few sentences are known of a new domain, so what was never seen together keeps a share of the mass that grows with the number of
different followers that a history has had (Witten and Bell 1991).
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

BEGIN, END = "<s>", "</s>"
_NOTHING = -99.0
Gram = tuple[str, ...]
_Orders = tuple[dict[Gram, float], dict[Gram, float], dict[Gram, float]]


def arpa(sentences: Iterable[tuple[Sequence[str], int]]) -> str:
    """Return the model of `sentences`, each with how often it counts."""
    counts: tuple[Counter[Gram], Counter[Gram], Counter[Gram]] = (Counter(), Counter(), Counter())
    for words, times in sentences:
        padded = (BEGIN, *words, END)
        for order, counter in enumerate(counts, start=1):
            for at in range(len(padded) - order + 1):
                counter[padded[at : at + order]] += times
    counts[0].pop((BEGIN,), None)
    counts[0].setdefault((END,), 1)
    return _rendered(_discounted(counts))


def _discounted(counts: tuple[Counter[Gram], Counter[Gram], Counter[Gram]]) -> _Orders:
    """Return the probability of every gram seen, what is left being the back-off's."""
    total = sum(counts[0].values()) + len(counts[0])
    first = {gram: (count + 1) / total for gram, count in counts[0].items()}
    second, third = (_of_history(counter, len(first)) for counter in counts[1:])
    return first, second, third


def _of_history(counts: Counter[Gram], words: int) -> dict[Gram, float]:
    """Return the share of each gram among those of its history; where all `words` have followed, nothing is kept for others."""
    seen: Counter[Gram] = Counter()
    followers: Counter[Gram] = Counter()
    for gram, count in counts.items():
        seen[gram[:-1]] += count
        followers[gram[:-1]] += 1
    kept = {history: 0 if number == words else number for history, number in followers.items()}
    return {gram: count / (seen[gram[:-1]] + kept[gram[:-1]]) for gram, count in counts.items()}


def _weights(grams: dict[Gram, float], shorter: dict[Gram, float]) -> dict[Gram, float]:
    """Return for each history the back-off weight with which its probabilities sum to one."""
    left: dict[Gram, float] = {}
    room: dict[Gram, float] = {}
    for gram, probability in grams.items():
        history = gram[:-1]
        left[history] = left.get(history, 1.0) - probability
        room[history] = room.get(history, 1.0) - shorter.get(gram[1:], 0.0)
    return {history: max(left[history], 1e-6) / max(room[history], 1e-6) for history in left}


def _rendered(orders: _Orders) -> str:
    first, second, third = orders
    weights = _weights(second, first) | _weights(third, second)
    lines = [
        "\\data\\",
        f"ngram 1={len(first) + 1}",
        f"ngram 2={len(second)}",
        f"ngram 3={len(third)}",
        "",
        "\\1-grams:",
    ]
    lines.append(f"{_NOTHING} {BEGIN} {_log(weights.get((BEGIN,), 1.0))}")
    lines += [f"{_log(p)} {gram[0]} {_log(weights.get(gram, 1.0))}" for gram, p in sorted(first.items())]
    lines += ["", "\\2-grams:"]
    lines += [f"{_log(p)} {' '.join(gram)} {_log(weights.get(gram, 1.0))}" for gram, p in sorted(second.items())]
    lines += ["", "\\3-grams:"]
    lines += [f"{_log(p)} {' '.join(gram)}" for gram, p in sorted(third.items())]
    return "\n".join([*lines, "", "\\end\\", ""])


def _log(value: float) -> str:
    return f"{math.log10(value) if value > 0 else _NOTHING:.4f}"
