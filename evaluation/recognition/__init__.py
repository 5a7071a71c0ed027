"""Recognition scored as NIST's sclite does, as a library: `from evaluation.recognition import score`."""

from evaluation.recognition.networks import Terms
from evaluation.recognition.rank_variance import RankVariance
from evaluation.recognition.rival_systems import Comparison, compare_all, word_variances
from evaluation.recognition.word_scores import Line, Result, Scored, score

__all__ = ["Comparison", "Line", "RankVariance", "Result", "Scored", "Terms", "compare_all", "score", "word_variances"]
