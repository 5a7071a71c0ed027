"""What is legal in a reference answer and hardly meant.

The ratio 45 of 423 is printed as 0.1064 in the corpus of 1989; a system that answers the exact ratio is wrong by that.
"""

from decimal import Decimal
from fractions import Fraction

from corpus.formats.cas import Answer, Relation, render_value
from evaluation.comparator.options import Options


def rounded(answer: Answer, options: Options) -> list[str]:
    """Reals whose last printed digit is coarser than the tolerance: the exact value could be scored wrong."""
    found: list[str] = []
    for one in answer.alternatives:
        values = {value for row in one.rows for value in row} if isinstance(one, Relation) else set()
        for value in sorted(value for value in values if isinstance(value, Decimal)):
            exponent = value.as_tuple().exponent
            half = Fraction(10) ** int(exponent) / 2 if isinstance(exponent, int) else Fraction(0)
            if half > abs(Fraction(value)) * options.epsilon:
                found.append(render_value(value))
    return found
