"""The worked example: the corpus of 1989, two toy systems, every table.  python -m benchmarks.example"""

import sys

from evaluation.example import show

if __name__ == "__main__":
    raise SystemExit(show(sys.stdout, sys.stderr))
