"""The day of market data for lessons and recordings; every machine makes the same bytes."""

from __future__ import annotations

from poolbook.cells import jbang
from poolbook.system.paths import BUILD, DATASETS, ROOT

COMMAND = ("market-data", "--messages", "1000000", "--symbols", "1000", "--seed", "20240110")
SAMPLE = DATASETS / "market" / "day-100000.bin.gz"


def sample() -> str:
    """The small day that comes with the workbook; a path below the checkout."""
    return SAMPLE.relative_to(ROOT).as_posix()


def day() -> str:
    """The day itself, 37 MB, made here once; a path below the checkout. Raises `poolbook.cells.jbang.JavaProblem`."""
    file = BUILD / "market" / "day.bin"
    if not file.exists():  # it appears only when complete
        file.parent.mkdir(parents=True, exist_ok=True)
        jbang.run(*COMMAND, "--out", file.relative_to(ROOT).as_posix())
    return file.relative_to(ROOT).as_posix()
