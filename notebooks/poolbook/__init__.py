"""The workbook's Python side: what notebooks import. Java is run through JBang; nothing happens on import."""

from poolbook import charts, checks
from poolbook.compare import Comparison, compare, forks, interval
from poolbook.java import load_ipython_extension, my_pool, show_java
from poolbook.jbang import JavaProblem, command
from poolbook.lesson import Lesson, start, time_one_loop, with_ns_per_op
from poolbook.machine import machine
from poolbook.predictions import predict, prediction, predictions
from poolbook.recorded import NoData, Recording, published, recorded

__all__ = [
    "Comparison",
    "JavaProblem",
    "Lesson",
    "NoData",
    "Recording",
    "charts",
    "checks",
    "command",
    "compare",
    "forks",
    "interval",
    "load_ipython_extension",
    "machine",
    "my_pool",
    "predict",
    "prediction",
    "predictions",
    "published",
    "recorded",
    "show_java",
    "start",
    "time_one_loop",
    "with_ns_per_op",
]
