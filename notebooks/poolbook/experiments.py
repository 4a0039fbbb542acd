"""What can be recorded: each experiment is a program and a list of cells, such as 5 threads and 15 threads."""

from __future__ import annotations

from dataclasses import dataclass

from poolbook import market
from poolbook.profiles import profile as read_profile


@dataclass(frozen=True)
class Experiment:
    """What to record under one name: a program, its options, and one more set of options for each cell.

    A program that measures with JMH (``jmh``) is started once a block, on the workbook's own JDK: it forks the
    measured JVMs and keeps each fork on disk by itself. Any other is started on the measured JDK, and its answer
    is the block; ``shuffled`` if it takes a ``--seed`` for the order of its contenders, and ``--retries`` for those
    that were disturbed. ``rounds``, if given, are fewer than the forks of the profile. ``before`` is run once in the
    recording's folder, to make what is read there. ``schema`` in datasets/schemas describes the table's columns.
    """

    alias: str
    main: str
    arguments: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    schema: str
    jmh: bool = True
    rounds: int | None = None
    shuffled: bool = False
    before: tuple[str, ...] = ()

    def rounds_of(self, profile: str) -> int:
        """How many rounds a recording with this profile has."""
        forks = read_profile(profile)["forks"]
        return min(self.rounds or forks, forks)


DAY = (*market.COMMAND, "--out", "day.bin", "--force")
STRATEGIES = "NEW,LOCKED,POOL,CLONE,THREAD_LOCAL,FORMATTER"
# A text takes nanoseconds: iterations may be short.
SHORT = ("-wi", "4", "-w", "100ms", "-i", "3", "-r", "80ms")
EXPERIMENTS = {
    "dates": Experiment(
        alias="bench-dates",
        main="dates.BenchDates",
        arguments=("--strategies", STRATEGIES),
        cells=(("--threads", "5"), ("--threads", "15")),
        schema="bench-dates",
    ),
    "dates-objects": Experiment(
        alias="bench-dates",
        main="dates.BenchDates",
        arguments=("--strategies", "LOCKED,POOL", "--threads", "5"),
        cells=tuple(("--objects", str(objects)) for objects in (1, 2, 3, 4, 10)),
        schema="bench-dates",
    ),
    "dates-warmup": Experiment(
        alias="bench-dates",
        main="dates.BenchDates",
        arguments=("--strategies", STRATEGIES, "-wi", "0", "-i", "16", "-r", "250ms"),
        cells=(("--threads", "15"),),
        schema="bench-dates",
        rounds=2,
    ),
    "dates-passes": Experiment(
        alias="dates",
        main="dates.Dates",
        arguments=("--each-pass", "--passes", "12", "--parses", "10000"),
        cells=tuple(
            ("--compiler", compiler, "--threads", threads)
            for compiler in ("client", "server")
            for threads in ("5", "15")
        ),
        schema="dates-passes",
        jmh=False,
        rounds=5,
    ),
    "feed": Experiment(
        alias="feed",
        main="feed.Feed",
        arguments=("day.bin", "--strategy", "NEW,POOL,SHARED,FLYWEIGHT,HOP", "--batch", "10000"),
        cells=(("--gc", "DEFAULT"), ("--gc", "PARALLEL")),
        schema="feed",
        jmh=False,
        shuffled=True,
        before=DAY,
    ),
    "feed-day": Experiment(
        alias="feed",
        main="feed.Feed",
        arguments=("day.bin", "--verify"),
        cells=((),),
        schema="feed-day",
        jmh=False,
        rounds=1,
        before=DAY,
    ),
    "feed-batches": Experiment(
        alias="feed",
        main="feed.Feed",
        arguments=(
            "day.bin",
            "--strategy",
            "NEW",
            "--layout",
            "COMBINED",
            "--fill",
            "REAL",
            "--each-batch",
            "--batch",
            "1000",
        ),
        cells=((),),
        schema="feed-batches",
        jmh=False,
        rounds=1,
        shuffled=True,
        before=DAY,
    ),
    "feed-pools": Experiment(
        alias="feed",
        main="feed.Feed",
        arguments=("day.bin", "--strategy", "POOL", "--fill", "REAL", "--pools", "1,2,4,12", "--batch", "10000"),
        cells=(("--choice", "SWITCH,MAP"),),
        schema="feed",
        jmh=False,
        shuffled=True,
        before=DAY,
    ),
    "feed-collectors": Experiment(
        alias="feed",
        main="feed.Feed",
        arguments=("day.bin", "--strategy", "NEW,POOL", "--fill", "REAL", "--batch", "10000"),
        cells=(("--gc", "SERIAL,G1,ZGC"),),
        schema="feed",
        jmh=False,
        rounds=5,
        shuffled=True,
        before=DAY,
    ),
    "feed-warmup": Experiment(
        alias="feed",
        main="feed.Feed",
        arguments=(
            "day.bin",
            "--strategy",
            "NEW,POOL,SHARED,FLYWEIGHT,HOP",
            "--each-batch",
            "--batch",
            "250000",
            "--messages",
            "20000000",
            "--warm-up",
            "0",
        ),
        cells=((),),
        schema="feed-batches",
        jmh=False,
        rounds=2,
        shuffled=True,
        before=DAY,
    ),
    "feed-ladder": Experiment(
        alias="bench-feed",
        main="feed.BenchFeed",
        arguments=(
            "day.bin",
            "--strategy",
            "HOP,FLYWEIGHT,SHARED,POOL",
            "--layout",
            "COMBINED",
            "-w",
            "1000ms",
            "-r",
            "200ms",
        ),
        cells=((),),
        schema="bench-feed",
        rounds=5,
        before=DAY,
    ),
    "stores": Experiment(
        alias="bench-stores",
        main="stores.BenchStores",
        arguments=("--objects", "16", "-w", "500ms", "-r", "150ms"),
        cells=((),),
        schema="bench-stores",
    ),
    "strings": Experiment(
        alias="bench-strings",
        main="strings.BenchStrings",
        arguments=("--strategies", "POOL,COPY,HIBYTE,US_ASCII", *SHORT),
        cells=((),),
        schema="bench-strings",
    ),
    "strings-hit-rates": Experiment(
        alias="bench-strings",
        main="strings.BenchStrings",
        arguments=(
            "--strategies",
            "POOL,HIBYTE,US_ASCII",
            "--lengths",
            "8",
            "--hit-rates",
            "0,25,50,75,90,100",
            *SHORT,
        ),
        cells=((),),
        schema="bench-strings",
    ),
    "strings-limits": Experiment(
        alias="bench-strings",
        main="strings.BenchStrings",
        arguments=("--blackholes", "COMPILER", *SHORT),
        cells=(
            ("--strategies", "POOL,LIMIT,HIBYTE,US_ASCII,CHRONICLE_BIT8,CHRONICLE_UTF8,CHRONICLE_BYTES"),
            ("--strategies", "POOL,HIBYTE,US_ASCII", "--lengths", "2,8,32", "--hit-rates", "90"),
            ("--strategies", "POOL", "--lengths", "8", "--threads", "1,2"),
        ),
        schema="bench-strings",
        rounds=5,
    ),
    "strings-constant": Experiment(
        alias="bench-strings",
        main="strings.BenchStrings",
        arguments=("--strategies", "POOL,US_ASCII", "--lengths", "8,32", "--residents", "1", *SHORT),
        cells=((),),
        schema="bench-strings",
        rounds=5,
    ),
    "strings-day": Experiment(
        alias="bench-strings",
        main="strings.BenchStrings",
        arguments=("--day", "day.bin", *SHORT),
        cells=(
            ("--strategies", "POOL,LOCKED,US_ASCII,INTERN,MAP", "--threads", "1,2"),
            ("--strategies", "POOL", "--slots", "64,256"),
        ),
        schema="bench-strings",
        before=DAY,
    ),
    "strings-compact": Experiment(
        alias="bench-strings",
        main="strings.BenchStrings",
        arguments=(
            "--strategies",
            "HIBYTE,US_ASCII,ISO_8859_1,UTF_8",
            "--lengths",
            "32",
            "--compact-strings",
            "ON,OFF",
            *SHORT,
        ),
        cells=((),),
        schema="bench-strings",
        rounds=5,
    ),
    "strings-collectors": Experiment(
        alias="bench-strings",
        main="strings.BenchStrings",
        arguments=(
            "--strategies",
            "POOL,US_ASCII",
            "--lengths",
            "8",
            "--hit-rates",
            "98,100",
            "--gc",
            "SERIAL,PARALLEL,G1,ZGC",
            *SHORT,
        ),
        cells=((),),
        schema="bench-strings",
        rounds=5,
    ),
    "strings-kept": Experiment(
        alias="strings-kept",
        main="strings.Kept",
        arguments=("--day", "day.bin"),
        cells=(
            ("--strategies", "POOL,HIBYTE,US_ASCII,INTERN,MAP,VIEW"),
            ("--strategies", "POOL", "--slots", "4096"),
        ),
        schema="strings-kept",
        jmh=False,
        before=DAY,
    ),
}
