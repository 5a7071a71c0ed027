"""Recognition scored as NIST's sclite does, as a library: `from evaluation.recognition import score`."""

from evaluation.recognition.networks import Terms
from evaluation.recognition.word_scores import Line, Result, Scored, score

__all__ = ["Line", "Result", "Scored", "Terms", "score"]
