"""The exercises' checks catch the wrong answers that learners give, and say where to look."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from poolbook import checks


def race(threads: int, wrong: int) -> pd.DataFrame:
    return pd.DataFrame([{"threads": threads, "right": 10 - wrong, "wrong": wrong, "thrown": 0}])


@pytest.mark.parametrize(
    ("one", "two", "said"),
    [
        (race(1, 0), race(2, 3), "✓"),
        (..., race(2, 3), "Not solved yet"),
        (race(2, 3), race(2, 3), "was it run again after you edited it?"),
        (race(1, 0), race(1, 0), "was it run again after you edited it?"),
        (race(1, 0), race(2, 0), "run it again"),
        (race(1, 1), race(2, 3), "no error"),
        (0, race(2, 3), "the frame that here.run(...) returns"),
    ],
)
def test_the_race(one: object, two: object, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    checks.race(one, two)
    assert said in capsys.readouterr().out


def recorded() -> pd.DataFrame:
    """NEW is slow, POOL twice as fast, LOCKED like POOL; 5 threads are quicker than 15."""
    random = np.random.default_rng(5)
    speeds = {("NEW", 5): 1500, ("NEW", 15): 1000, ("POOL", 5): 3000, ("POOL", 15): 2000,
              ("LOCKED", 5): 1800, ("LOCKED", 15): 2010}  # fmt: skip
    return pd.DataFrame(
        {"strategy": name, "threads": threads, "round": number, "disturbed": False, "ops_per_ms": speed * noise}
        for (name, threads), speed in speeds.items()
        for number in range(1, 11)
        for noise in [random.uniform(0.95, 1.05)]
    )


RIGHT = {("POOL", "NEW"): "faster", ("LOCKED", "NEW"): "faster", ("POOL", "LOCKED"): "too close to call"}


def times(frame: pd.DataFrame) -> pd.Series:
    return 1_000_000 / frame.groupby("strategy")["ops_per_ms"].mean()


def test_the_right_verdicts_pass(capsys: pytest.CaptureFixture[str]) -> None:
    raw = recorded()
    checks.verdicts(raw, times(raw.query("threads == 15")), RIGHT)
    assert capsys.readouterr().out.startswith("✓")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda raw: (..., RIGHT), "Not solved yet"),
        (lambda raw: (times(raw.query("threads == 15")), {**RIGHT, ("POOL", "NEW"): ...}), "Not solved yet"),
        (lambda raw: (times(raw), RIGHT), "the mean over both thread counts"),
        (lambda raw: (times(raw.query("threads == 15 and round == 1")), RIGHT), "one fork is not enough"),
        (lambda raw: (times(raw.query("threads == 15")) / 1000, RIGHT), "1,000,000 / operations"),
        (lambda raw: (times(raw.query("threads == 15")), {**RIGHT, ("POOL", "LOCKED"): "slower"}), "the interval"),
        (lambda raw: (17.0, RIGHT), "a Series"),
    ],
)
def test_wrong_verdicts_are_caught(wrong, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    raw = recorded()
    checks.verdicts(raw, *wrong(raw))
    out = capsys.readouterr().out
    assert said in out
    assert "✓" not in out
