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
# The pools of "Benchmarking Object Pools", and those of the README of Fast Object Pool.
OF_2017 = (
    "COMMONS_1_GENERIC,COMMONS_1_STACK,COMMONS_2_GENERIC,FAST_OBJECT_POOL,FURIOUS,STORMPOT_2_BLAZE,STORMPOT_2_QUEUE,"
    "VIBUR_QUEUE"
)
SOME = "NONE,COMMONS_2_GENERIC,FAST_OBJECT_POOL,HIKARI_BAG,STORMPOT_2_BLAZE,VIBUR_QUEUE"
FOP, BLAZE = "FAST_OBJECT_POOL", "STORMPOT_2_BLAZE"
OF_FOP = f"COMMONS_2_GENERIC,{FOP},FURIOUS,{BLAZE}"
PATIENT = ("--pools", f"{FOP},{BLAZE}", "--objects", "256", "--threads", "100", "--borrows", "2")
# Hundreds of cells: short iterations rather than few forks. The more threads share two processors, the longer it
# takes until each of them was on: a hundred need half a second.
BRIEF = ("-wi", "3", "-w", "200ms", "-i", "3", "-r", "200ms")
MANY_THREADS = ("-wi", "3", "-w", "200ms", "-i", "2", "-r", "500ms")
CROWD = ("-wi", "2", "-w", "300ms", "-i", "2", "-r", "700ms")
IMPATIENT = ("-jvmArgsAppend", "-Dclock.grace=3")  # seconds after which a fork that hangs is stopped
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
    "libraries": Experiment(
        alias="bench-libraries",
        main="libraries.BenchLibraries",
        arguments=BRIEF,
        cells=(("--threads", "10"), ("--threads", "50")),
        schema="bench-libraries",
        rounds=5,
    ),
    "libraries-100-threads": Experiment(
        alias="bench-libraries",
        main="libraries.BenchLibraries",
        arguments=MANY_THREADS,
        cells=(("--threads", "100"),),
        schema="bench-libraries",
        rounds=5,
    ),
    "libraries-claims": Experiment(
        alias="bench-libraries",
        main="libraries.BenchLibraries",
        arguments=("--pools", f"NONE,{OF_2017}"),
        cells=(
            ("--threads", "10", "--objects", "50", *BRIEF),
            ("--threads", "50", "--objects", "10,50", *BRIEF),
            ("--threads", "100", "--objects", "10", *MANY_THREADS),
        ),
        schema="bench-libraries",
    ),
    "libraries-published": Experiment(
        alias="bench-libraries",
        main="libraries.BenchLibraries",
        arguments=("--pools", f"NONE,{OF_2017}", "--configuration", "PUBLISHED", "--timeout", "none", *BRIEF),
        cells=(
            ("--versions", "PUBLISHED", "--threads", "50", "--objects", "10"),
            ("--versions", "CURRENT", "--threads", "50", "--objects", "10"),
        ),
        schema="bench-libraries",
        rounds=5,
    ),
    "libraries-blocking": Experiment(
        alias="bench-libraries",
        main="libraries.BenchLibraries",
        arguments=("--pools", SOME, "--hold", "block:1ms", *BRIEF),
        cells=(("--threads", "50", "--objects", "10,50"),),
        schema="bench-libraries",
        rounds=5,
    ),
    "libraries-due": Experiment(
        alias="bench-libraries",
        main="libraries.BenchLibraries",
        arguments=(
            "--pools",
            SOME,
            "--threads",
            "50",
            "--objects",
            "10",
            "--hold",
            "cpu:10000",
            *BRIEF,
        ),
        cells=(("--rate", "0"), ("--rate", "20000")),
        schema="bench-libraries",
        rounds=5,
    ),
    "bursts": Experiment(
        alias="bench-bursts",
        main="libraries.BenchBursts",
        arguments=(
            "--pools",
            "COMMONS_1_STACK,COMMONS_2_GENERIC,HIKARI_BAG",
            "--objects",
            "10,50",
            "--timeout",
            "5ms",
            *BRIEF,
        ),
        cells=(("--threads", "50"),),
        schema="bench-bursts",
    ),
    "bursts-events": Experiment(
        alias="bench-bursts",
        main="libraries.BenchBursts",
        arguments=(
            "--pools",
            "COMMONS_1_STACK,COMMONS_2_GENERIC,HIKARI_BAG",
            "--objects",
            "10,50",
            "--timeout",
            "5ms",
            "--events",
            *BRIEF,
        ),
        cells=(("--threads", "50"),),
        schema="bench-bursts",
        rounds=5,
    ),
    "partitions": Experiment(
        alias="bench-libraries",
        main="libraries.BenchLibraries",
        arguments=(
            "--pools",
            "FAST_OBJECT_POOL,FAST_OBJECT_POOL_DISRUPTOR",
            "--objects",
            "32",
            "--partitions",
            "1,2,4,8,16,32",
            *BRIEF,
        ),
        cells=(("--threads", "50"),),
        schema="bench-libraries",
    ),
    "two-borrows": Experiment(
        alias="bench-libraries",
        main="libraries.BenchLibraries",
        arguments=(
            *("--pools", OF_FOP, "--objects", "256", "--partitions", "32", "--borrows", "1,2"),
            *("--hold", "cpu:10", "--timeout", "10ms", *IMPATIENT),
        ),
        cells=(
            ("--threads", "50", *BRIEF),
            ("--threads", "100", *MANY_THREADS),
            ("--threads", "200", *MANY_THREADS),
            ("--threads", "400,600", *CROWD),
        ),
        schema="bench-libraries",
    ),
    "two-borrows-more": Experiment(
        alias="bench-libraries",
        main="libraries.BenchLibraries",
        arguments=("--partitions", "32", "--hold", "cpu:10", *IMPATIENT),
        cells=(
            # As many objects as anybody could want: were they too few?
            ("--pools", OF_FOP, "--objects", "256,1024", "--threads", "400", "--timeout", "10ms", *CROWD),
            # Patience: 100 and 200 ms beside the 10 of the table two-borrows.
            *((*PATIENT, "--timeout", patience, *MANY_THREADS) for patience in ("100ms", "200ms")),
        ),
        schema="bench-libraries",
    ),
    "commons-2-2": Experiment(
        alias="bench-libraries",
        main="libraries.BenchLibraries",
        arguments=(
            *("--pools", "FAST_OBJECT_POOL,COMMONS_2_GENERIC", "--partitions", "32", "--objects", "256"),
            *("--hold", "cpu:10", "--timeout", "10ms", "--versions", "COMMONS_2_2,CURRENT", *BRIEF, *IMPATIENT),
        ),
        cells=(("--threads", "50"),),
        schema="bench-libraries",
    ),
    "no-timeout": Experiment(
        alias="bench-libraries",
        main="libraries.BenchLibraries",
        arguments=(
            *("--pools", "FURIOUS", "--objects", "256", "--threads", "600", "--borrows", "2", "--hold", "cpu:10"),
            *CROWD,
        ),
        cells=(("--timeout", "none", *IMPATIENT), ("--configuration", "PUBLISHED")),
        schema="bench-libraries",
        rounds=5,
    ),
    "break-even": Experiment(
        alias="bench-break-even",
        main="costs.BenchBreakEven",
        arguments=("--tokens", "5,50,500,5000,50000,500000,5000000", *BRIEF),
        cells=tuple(("--threads", threads) for threads in ("1", "2", "8")),
        schema="bench-break-even",
        rounds=5,
    ),
    "pitfalls": Experiment(
        alias="bench-pitfalls",
        main="pitfalls.BenchPitfalls",
        arguments=("-wi", "3", "-w", "150ms", "-i", "3", "-r", "100ms"),
        cells=((),),
        schema="bench-pitfalls",
        rounds=5,
    ),
    "leaks": Experiment(
        alias="leaks",
        main="leaks.Leaks",
        arguments=("--messages", "20000000", "--heaps", "16m,64m,256m,512m"),
        cells=((),),
        schema="leaks",
        jmh=False,
        rounds=1,
    ),
    "dates-race": Experiment(
        alias="dates-race",
        main="dates.DatesRace",
        arguments=("--parses", "50000"),
        cells=(("--threads", "1"), ("--threads", "2"), ("--threads", "15")),
        schema="dates-race",
        jmh=False,
        rounds=5,
    ),
    "dates-events": Experiment(
        alias="bench-dates",
        main="dates.BenchDates",
        arguments=("--strategies", "LOCKED,POOL", "--events", "-wi", "2", "-w", "500ms", "-i", "2", "-r", "250ms"),
        cells=tuple(("--threads", threads) for threads in ("1", "2", "5", "15")),
        schema="bench-dates-events",
        rounds=5,
    ),
    "libraries-facts": Experiment(
        alias="libraries-facts",
        main="libraries.Facts",
        arguments=(),
        cells=((),),
        schema="libraries-facts",
        jmh=False,
        rounds=1,
    ),
    "fast-pool-sizes": Experiment(
        alias="fast-pool-sizes",
        main="libraries.FastPoolSizes",
        arguments=("--partitions", "5", "--least", "5", "--size", "10", "--idle"),
        cells=((),),
        schema="fast-pool-sizes",
        jmh=False,
        rounds=1,
    ),
}
