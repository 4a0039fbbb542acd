"""The workbook's Python side: what notebooks import. Java is run through JBang; nothing happens on import."""

from poolbook import charts, checks
from poolbook.ask import should_i_pool
from poolbook.compare import break_even, compare, percentile, times
from poolbook.java import load_ipython_extension, my_pool, show_java, summing
from poolbook.lesson import start, time_one_loop, with_ns_per_op
from poolbook.race import race
from poolbook.recorded import published, recorded, tables

__all__ = [
    "break_even",
    "charts",
    "checks",
    "compare",
    "load_ipython_extension",
    "my_pool",
    "percentile",
    "published",
    "race",
    "recorded",
    "should_i_pool",
    "show_java",
    "start",
    "summing",
    "tables",
    "time_one_loop",
    "times",
    "with_ns_per_op",
]
