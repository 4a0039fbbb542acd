"""The workbook's charts: one function per question.

Every chart says in its title what is asked, names units and the better direction on its axes, shows forks as
points with an interval, and says under the plot which machine the figures come from. All return the
`matplotlib.figure.Figure`; its label says in words what the picture shows, for those who cannot see it.
"""

from poolbook.cells.charts.asking import ADVICE, price_list
from poolbook.cells.charts.connections import median_and_p99, sizes, trips, waits
from poolbook.cells.charts.dates import by_objects, outcomes, passes
from poolbook.cells.charts.decisions import (
    BRANCHES,
    VERDICT_LOOKS,
    against_pool,
    all_guesses,
    break_even,
    decide,
    verdicts,
)
from poolbook.cells.charts.feed import PERCENTILES, batch_percentiles, batch_sizes, by_pools
from poolbook.cells.charts.lessons import by_fork, guess, machine_speed, ruler
from poolbook.cells.charts.libraries import allocation, fairness
from poolbook.cells.charts.look import STYLE, finish, markers, ordered, palette, plain
from poolbook.cells.charts.strings import by_hit_rate, by_length
from poolbook.cells.charts.turns import corner, turn_lengths
from poolbook.cells.charts.virtual import crowd

__all__ = [
    "ADVICE",
    "BRANCHES",
    "PERCENTILES",
    "STYLE",
    "VERDICT_LOOKS",
    "against_pool",
    "all_guesses",
    "allocation",
    "batch_percentiles",
    "batch_sizes",
    "break_even",
    "by_fork",
    "by_hit_rate",
    "by_length",
    "by_objects",
    "by_pools",
    "corner",
    "crowd",
    "decide",
    "fairness",
    "finish",
    "guess",
    "machine_speed",
    "markers",
    "median_and_p99",
    "ordered",
    "outcomes",
    "palette",
    "passes",
    "plain",
    "price_list",
    "ruler",
    "sizes",
    "trips",
    "turn_lengths",
    "verdicts",
    "waits",
]
