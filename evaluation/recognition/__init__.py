"""Recognition scored as NIST's sclite does, as a library: `from evaluation.recognition import score`."""

from evaluation.recognition.networks import Terms
from evaluation.recognition.rank_variance import RankVariance
from evaluation.recognition.rival_systems import Comparison, compare_all, word_variances
from evaluation.recognition.word_scores import Result, Scored, WordErrorRow, score

__all__ = [
    "Comparison",
    "RankVariance",
    "Result",
    "Scored",
    "Terms",
    "WordErrorRow",
    "compare_all",
    "score",
    "word_variances",
]
