"""The exercises' checks catch the wrong answers that learners give, and say where to look."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from poolbook import percentile
from poolbook.cells import checks
from poolbook.cells.ask import Answer
from poolbook.cells.jbang import JavaProblem


def race(threads: int, wrong: int, thrown: int = 0) -> pd.DataFrame:
    right = 1000 - wrong - thrown
    return pd.DataFrame([{"threads": threads, "parses": 1000, "right": right, "wrong": wrong, "thrown": thrown}])


@pytest.mark.parametrize(
    ("one", "four", "silent", "said"),
    [
        (race(1, 0), race(4, 60, 20), 75.0, "✓ One thread: 0 errors. Four threads: 80 of 1,000, and 75%"),
        (race(1, 0), race(4, 60, 20), pd.Series([75.0]), "✓"),
        (race(1, 0), race(4, 60, 20), 75, "✓"),
        (..., race(4, 60, 20), 75.0, "Not solved yet"),
        (race(1, 0), race(4, 60, 20), ..., "Not solved yet"),
        (race(4, 60), race(4, 60), 100, "did you run it again after editing it?"),
        (race(1, 0), race(2, 60), 100, "did you run it again after editing it?"),
        (race(1, 0), race(4, 0), 0, "run it again"),
        (race(1, 1), race(4, 60), 100, "no error"),
        (0, race(4, 60), 100, "the frame that here.run(...) returns"),
        (race(1, 0), race(4, 60, 20), 0.75, "percent, not a fraction"),
        (race(1, 0), race(4, 60, 20), 6.0, "not of all parses"),
        (race(1, 0), race(4, 60, 20), 25.0, "that a log would show"),
        (race(1, 0), race(4, 60, 20), 50.0, "hint 2"),
        (race(1, 0), race(4, 60, 20), "75%", "a number, percent"),
        (race(1, 0), race(4, 60, 20), np.nan, "hint 2"),
    ],
)
def test_the_race(one: object, four: object, silent: object, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    checks.race(one, four, silent)
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("answer", "said"),
    [("bc", "✓"), ("c, b", "✓"), ("a", "✗"), ("abc", "no other"), ("b", "all safe lines"), (..., "✗"), ("", "✗")],
)
def test_the_safe_lines(answer: object, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    checks.safe_lines(answer)
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({"dates": 15, "pairs": 16, "limited": 6}, "✓"),
        ({"dates": ..., "pairs": ..., "limited": ...}, "Not solved yet"),
        ({"dates": 10, "pairs": 16, "limited": 6}, "✗ expected  dates"),
        ({"dates": 15, "pairs": 8, "limited": 6}, "✗ expected  pairs"),
        ({"dates": 15, "pairs": 16, "limited": 40}, "✗ expected  limited"),
        ({"dates": 15}, "a dict with the names"),
        (16, "a dict with the names"),
    ],
)
def test_capacities(answers: object, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    checks.capacities(answers)
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("size", "wait", "said"),
    [
        (23, 21.0, "✓ 23 objects, and a timeout of 21 ms"),
        (..., 21, "Not solved yet"),
        (23, ..., "Not solved yet"),
        (15, 21, "who serves the next request"),
        (60, 21, "how many threads"),
        (23, 8, "a timeout that fails nobody"),
        (23, float("nan"), "a timeout that fails nobody"),
        (23, 2_000, "the caller's own patience"),
        (17, 21, "a size of 15, 23 or 60"),
        (23, "21 ms", "a number of ms"),
    ],
)
def test_a_timeout(size: object, wait: object, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    checks.timeout(size, wait, {15: 90.0, 23: 7.0, 60: 6.5})
    assert said in capsys.readouterr().out


def test_a_crowd_gets_through_or_not(capsys: pytest.CaptureFixture[str]) -> None:
    runs = [(17, True, 1.5), (21, False, 5.0), (25, False, np.nan)]
    checks.crowd(pd.DataFrame(runs, columns=["jdk", "is_through", "seconds"]), 5)
    well, hangs, wrong = capsys.readouterr().out.split("Java")[1:]
    assert "got through in 1.5 s" in well and "not done after 5 seconds" in hangs and "got null" in wrong


GOOD = "int sum = 0; for (byte one : bytes) { sum = 31 * sum + one; } used.consume(sum);"


def timed(ratio: float) -> pd.DataFrame:
    return pd.DataFrame({"size": [1000, 2000] * 5, "round": 1, "ns_per_op": [500.0, 500.0 * ratio] * 5})


@pytest.mark.parametrize(
    ("lines", "forks", "ratio", "said"),
    [
        (GOOD, 5, 2.0, "✓ 1,000 bytes: 500 ns, 2,000 bytes: 1,000 ns"),
        (GOOD, np.int64(5), 2.0, "✓ 1,000 bytes"),
        (GOOD, ..., 2.0, checks.NOT_YET),
        (GOOD, 1, 2.0, "more iterations of one JVM repeat its luck"),
        (GOOD, 2.5, 2.0, "forks: a whole number"),
        (GOOD.replace("used.consume(sum);", ""), 5, 1.0, "who uses the result?"),
        (GOOD.replace("bytes", "new byte[1000]"), 5, 1.0, "it does not use `bytes`"),
        (GOOD, 5, 1.2, "is this the time of the work at all?"),
        (GOOD.replace(": bytes", ": new byte[bytes.length]"), 5, 2.0, "lines that read none of them"),
        (GOOD.replace(": bytes", ": new byte[bytes.length] /* bytes */"), 5, 2.0, "lines that read none of them"),
        (
            "int sum = 0; for (int i = 0; i < bytes.length; i++) { sum = 31 * sum + bytes[i]; } used.consume(sum);",
            5,
            2.0,
            "✓ 1,000 bytes",
        ),
        (7, 5, 2.0, "the method's lines, as text"),
    ],
)
def test_a_repaired_benchmark_takes_twice_as_long_for_twice_the_work(
    lines: object, forks: object, ratio: float, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    checks.repaired(lines, forks, lambda *_: timed(ratio))
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("partitions", "size", "said"),
    [
        (2, 5, "✓ 2 partitions of 5: it lent 10 objects"),
        (5, 2, "✓ 5 partitions of 2"),
        (..., 5, checks.NOT_YET),
        (4, 10, "it lent 40"),
        (4, 2, "4 partitions of 2 are fewer than ten"),
        (1, 10, "partitions: more than one"),
        (2.5, 4, "a whole number from 1 to 100"),
        (True, 10, "a whole number from 1 to 100"),
    ],
)
def test_ten_objects_are_ten(partitions: object, size: object, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    checks.ten_objects(partitions, size, lambda parts, each: parts * each)
    assert said in capsys.readouterr().out


def watched(objects: int) -> pd.DataFrame:
    """The rows of hold-and-wait for a hundred threads that each hold one object and want a second."""
    ends = objects > 100
    return pd.DataFrame({"ended": [ends] * 20, "waiting": [0 if ends else 100] * 20})


@pytest.mark.parametrize(
    ("objects", "said"),
    [
        (101, "✓ 101 objects: 20 of 20 watched runs ended"),
        (..., checks.NOT_YET),
        (100, "20 hung, 100 threads waiting"),
        (50, "20 hung"),
        (200, "safe and wasteful"),
        (102, "safe and wasteful"),
        ("101", "a whole number from 2 to 1000"),
        (1, "a whole number from 2 to 1000"),
    ],
)
def test_the_fewest_objects_are_found(objects: object, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    checks.fewest_objects(objects, watched)
    assert said in capsys.readouterr().out


SERIES = np.random.default_rng(1).lognormal(3, 0.5, 10_000)  # ns per message of 10,000 batches of 1,000


def cut(batch: int) -> np.ndarray:
    return SERIES.reshape(-1, batch // 1_000).mean(axis=1)


@pytest.mark.parametrize(
    ("batch", "p99", "said"),
    [
        (10_000, percentile(cut(10_000), 99), "✓ 1,000 batches of 10,000 messages"),
        (..., ..., "Not solved yet"),
        (1_000_000, cut(1_000_000).max(), "10 batches: how many of them lie above p99?"),
        (1_000, percentile(SERIES, 99), "10,000 batches are more than needed"),
        (10_000, np.percentile(cut(10_000), 99), "this lies between two batches"),
        (10_000, percentile(SERIES, 99), "these are batches of 1,000: combine 10 of them first"),
        (10_000, cut(10_000).max(), "the slowest batch of all"),
        (10_500, 20.0, "a whole multiple of 1,000 messages"),
        (10_000, "20", "a number, ns per message"),
        (10_000, Fraction(20), "a number, ns per message"),
        (10_000, 10**400, "a number, ns per message"),
        (10_000, round(percentile(cut(10_000), 99), 2), "✓"),
        (10_000, np.nan, "hint 2"),
    ],
)
def test_an_honest_percentile_needs_ten_batches_above_it(
    batch: object, p99: object, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    checks.honest_percentile(SERIES, 1_000, batch, p99)
    assert said in capsys.readouterr().out


def test_a_replay_without_figures_has_no_percentile(capsys: pytest.CaptureFixture[str]) -> None:
    for nothing in (SERIES * 0, SERIES[:0], SERIES * np.nan):
        checks.honest_percentile(nothing, 1_000, 10_000, 20.0)
        assert "There are no figures" in capsys.readouterr().out


def sweep(pool: dict[int, float]) -> pd.DataFrame:
    """Nanoseconds of POOL by hit rate, and of two constructors that do not depend on it; five rounds."""
    times = {"POOL": pool, "HIBYTE": dict.fromkeys(pool, 16.0), "US_ASCII": dict.fromkeys(pool, 14.0)}
    return pd.DataFrame(
        {"strategy": name, "hit_rate": rate, "round": number, "ns_per_op": ns, "disturbed": False}
        for name, rates in times.items()
        for rate, ns in rates.items()
        for number in range(1, 6)
    )


# A line that bulges: from 50% to all it is straight, and would cross 14 ns at 75%; below, it is level.
BULGING = sweep({0: 24.0, 50: 24.0, 75: 15.0, 90: 12.0, 100: 4.0})


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            50 + 50 * (24 - 14) / (24 - 4),
            "✓ The line meets `new` at 75 percent. The line of all measured rates crosses at 80.",
        ),
        (75.9, "✓"),
        (..., checks.NOT_YET),
        ("75", "a number, percent"),
        (True, "a number, percent"),
        (0, "a miss costs more than `new`"),
        (100 * 4 / 14, "a miss costs more than `new`"),
        (25, "the percentage of misses at the break-even, not of hits"),
        (3 / 4, "give percent, not a fraction"),
        (80, "this is where the whole sweep crosses"),
        (85, "hint 2"),
        (77, "hint 2"),
        (-10, "hint 2"),
        (np.nan, "hint 2"),
    ],
)
def test_a_break_even_is_predicted_from_three_measurements(
    answer: object, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    checks.break_even_hit_rate(BULGING, answer)
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (50 * (21 - 14) / (21 - 4), "the distance from 50%, not from 0%"),
        (100 * (34 - 14) / (34 - 4), "the line from no hits to all"),
    ],
)
def test_a_break_even_has_a_look_for_the_other_lines(
    answer: object, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    checks.break_even_hit_rate(sweep({0: 34.0, 50: 21.0, 75: 13.0, 100: 4.0}), answer)
    assert said in capsys.readouterr().out


def ledger(**changed: str) -> pd.DataFrame:
    """The verdicts behind lesson 12's exercise; ``changed`` maps names such as claim_23 to another verdict."""
    verdicts = {4: "holds", 10: "holds", 11: "holds", 23: "undecided", 24: "holds", 25: "holds",
                38: "undecided", 40: "holds", 45: "holds"}  # fmt: skip
    verdicts |= {int(name.removeprefix("claim_")): verdict for name, verdict in changed.items()}
    return pd.DataFrame(
        {"id": number, "jdk": jdk, "verdict": verdict}
        for number, verdict in verdicts.items()
        for jdk in (8, 17, 21, 25)
    )


CHOSEN = {
    "kinds": ("NEW", 40),
    "formats": ("SHARE", 25),
    "reports": ("NEW", 23),
    "promise": ("POOL", 4),
    "symbols": ("POOL", 45),
    "schema": ("POOL", 24),
}


@pytest.mark.parametrize(
    ("wrong", "found", "said"),
    [
        ({}, ledger(), "✓"),
        ({"kinds": ("NEW", 10), "symbols": ("POOL", 11)}, ledger(), "✓"),
        ({"reports": ("POOL", 23)}, ledger(claim_23="holds"), "✓"),
        ({"schema": ...}, ledger(), "Not solved yet"),
        ({"schema": ("POOL", ...)}, ledger(), "Not solved yet"),
        ({"reports": ("POOL", 23)}, ledger(), "what was measured in 2006 is no reason"),
        ({"formats": ("POOL", 25)}, ledger(), "an immutable formatter"),
        ({"promise": ("NEW", 10)}, ledger(), "about its percentiles"),
        ({"promise": ("POOL", 10)}, ledger(), "about something else"),
        ({"kinds": ("NEW", 38)}, ledger(), "'undecided' is no reason here"),
        ({"schema": ("LOCKED", 24)}, ledger(), "all who validate would wait"),
        ({"schema": "POOL"}, ledger(), "the brackets"),
        ({"schema": ("POOL", 99)}, ledger(), "the number of a claim"),
        ({"stocks": ("POOL", 24)}, ledger(), "a dict with the names"),
    ],
)
def test_six_choices_and_their_reasons(
    wrong: dict, found: pd.DataFrame, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    checks.six_choices({**CHOSEN, **wrong}, found)
    assert said in capsys.readouterr().out


def test_every_case_has_a_choice_that_the_recorded_ledger_supports() -> None:
    from poolbook.ledger.claims import decide

    for name, (jdk, reasons) in checks.CASES.items():
        right = [
            choice
            for choice, claims in reasons.items()
            if any(decide(number, jdk).verdict in verdicts for number, verdicts in claims.items())
        ]
        assert len(right) == 1, f"{name}: {right}"


RECIPES = {name: {"create": "new Foo()", "reset": "o.reset()"} for name in ("list", "builder", "stream", "inflater")}


def asked(create: str, reset: str = "", close: str = "", dry_run: bool = False) -> Answer:
    """An answer as of ``should-i-pool --dry-run``: unsound without a reset or a close."""
    assert dry_run
    if create == "wrong":
        raise JavaProblem("--create: cannot find symbol\n  wrong\n  ^")
    advice = "CAN_BE_MEASURED" if reset or close else "MEASUREMENT_UNSOUND"
    return Answer(
        pd.DataFrame([{"advice": advice, "why": "Because.", "not_checked": "much", "price_ns": None}]), create
    )


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (RECIPES, "✓ All four can be measured"),
        ({name: {"create": "new Foo()"} for name in RECIPES}, "Not solved yet"),
        (RECIPES | {"list": {"create": "new Foo()"}}, "look at   Because."),
        (RECIPES | {"list": {"create": "wrong"}}, "cannot find symbol"),
        (RECIPES | {"list": {"make": "new Foo()"}}, "its text, and the names of its parts"),
        ({"list": {}}, "a dict with the names list"),
        (RECIPES | {"list": ...}, "a dict with the names list"),
        (RECIPES | {"list": {"create": "closed", "close": "o.end()"}}, "as good as new for the next borrower"),
    ],
)
def test_recipes_are_tried(answers: dict, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    checks.recipes(answers, asked)
    assert said in capsys.readouterr().out


def sized(*options: object) -> pd.DataFrame:
    enough = 6 if "--hold-p99" in options else 8
    return pd.DataFrame({"objects": range(4, 12), "is_enough": [objects >= enough for objects in range(4, 12)]})


@pytest.mark.parametrize(
    ("busy", "size", "two_each", "said"),
    [
        (3.0, 6, 41, "✓ 3 are busy"),
        (..., ..., ..., "Not solved yet"),
        (3000, 6, 41, "milliseconds are not seconds"),
        (np.nan, 6, 41, "hint 1"),
        (3.0, 6, np.inf, "threads x (borrows - 1)"),
        (12, 6, 41, "the mean, not p99"),
        (3.0, 8, 41, "--hold-p99"),
        (3.0, 3, 41, "who serves a request"),
        (3.0, 9, 41, "the smallest"),
        (3.0, 6, 40, "who can finish first"),
        (3.0, 6, 80, "not the fewest"),
        (3.0, "6", 41, "size: a number"),
    ],
)
def test_a_pool_size_is_checked(
    busy: object, size: object, two_each: object, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    checks.pool_size(busy, size, two_each, sized)
    assert said in capsys.readouterr().out


def raced(**speeds: float) -> pd.DataFrame:
    """Ten rounds of contenders with these speeds, in operations per millisecond."""
    random = np.random.default_rng(9)
    return pd.DataFrame(
        {"strategy": name, "round": number, "ops_per_ms": speed * random.uniform(0.98, 1.02)}
        for name, speed in speeds.items()
        for number in range(1, 11)
    )


PROGRAMS = {
    "requests": checks.Case(raced(NEW=1000, LOCKED=1000, POOL=1200, CLONE=2000), ["NEW", "LOCKED", "POOL"]),
    "names": checks.Case(
        raced(NEW=50, POOL=20, LOCKED=20).rename(columns={"ops_per_ms": "ns", "strategy": "pool"}),
        ["LOCKED", "POOL"], "ns", "pool", lower_is_better=True,
    ),
}  # fmt: skip
RIGHT_CHOICES = {"requests": ("POOL", "NEW"), "names": ("LOCKED", "POOL")}


def test_choices_that_hold_pass_and_are_quoted(capsys: pytest.CaptureFixture[str]) -> None:
    checks.choices(PROGRAMS, RIGHT_CHOICES)
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("✓ requests: POOL is 1.2")
    assert first.endswith("times as fast as NEW, 10 rounds: faster")
    assert second.startswith("✓ names: LOCKED is ")
    assert second.endswith("too close to call")  # and it is the simpler one


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"requests": ...}, checks.NOT_YET),
        ({"requests": (..., ...)}, checks.NOT_YET),
        ({"requests": ("CLONE", "NEW")}, "requests: one of NEW, LOCKED, POOL"),
        ({"requests": ("POOL", "CLONE")}, "times as fast as CLONE, 10 rounds: slower"),
        ({"requests": ("NEW", "LOCKED")}, "POOL is 1.2"),  # too close, and simpler, but another is faster
        ({"requests": ("LOCKED", "NEW")}, "LOCKED is 1.00"),  # too close, and not the simpler one
        ({"requests": ("POOL", "POOL")}, "the second of the pair"),
        ({"requests": ("POOL", "FURIOUS")}, "the second of the pair"),
        ({"requests": "POOL"}, 'a pair such as ("NEW", "LOCKED")'),
        ({"names": ("POOL", "LOCKED")}, "too close to call"),
        ({"names": ("NEW", "POOL")}, "names: one of LOCKED, POOL"),
        ({"others": ("NEW", "POOL")}, "a dict with the names requests, names"),
    ],
)
def test_choices_that_do_not_hold_are_refuted(wrong: dict, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    checks.choices(PROGRAMS, {**RIGHT_CHOICES, **wrong})
    out = capsys.readouterr().out
    assert said in out
    assert "✓" not in out


def test_a_choice_needs_enough_rounds(capsys: pytest.CaptureFixture[str]) -> None:
    case = checks.Case(raced(NEW=1000, POOL=2000).query("round < 4"), ["NEW", "POOL"])
    checks.choices({"few": case}, {"few": ("POOL", "NEW")})
    assert "too few forks" in capsys.readouterr().out
