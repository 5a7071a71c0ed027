"""Recognition scored as NIST's sclite does, as a library: `from evaluation.recognition import score`."""

from evaluation.recognition.networks import Terms
from evaluation.recognition.rank_variance import RankVariance
from evaluation.recognition.rival_systems import SystemComparison, compare_all, word_variances
from evaluation.recognition.word_scores import RecogniserResult, ScoredUtterance, WordErrorRow, score

__all__ = [
    "RankVariance",
    "RecogniserResult",
    "ScoredUtterance",
    "SystemComparison",
    "Terms",
    "WordErrorRow",
    "compare_all",
    "score",
    "word_variances",
]
