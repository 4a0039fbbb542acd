"""The words of the ledger: what can become of a claim."""

from __future__ import annotations

HOLDS = "holds"
SMALLER = "smaller than claimed"  # in the direction claimed, but by less, or in fewer cases
LARGER = "larger than claimed"  # in the direction claimed, but by more
EQUAL = "no difference"  # the whole interval lies within a tenth
REFUTED = "refuted"  # by a counterexample
REVERSED = "reversed"
DEPENDS = "depends"  # significant in both directions
UNDECIDED = "undecided"  # more forks would tell
NOT_HERE = "not testable here"

VERDICTS = (HOLDS, SMALLER, LARGER, EQUAL, REFUTED, REVERSED, DEPENDS, UNDECIDED, NOT_HERE)
DECIDED = frozenset({HOLDS, SMALLER, LARGER, EQUAL, REFUTED, REVERSED})
