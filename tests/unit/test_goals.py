"""The goals of the turn pool: judged by whole intervals, and absent where nothing is recorded."""

from __future__ import annotations

import pandas as pd
import pytest

from poolbook.ledger import goals
from poolbook.tables.recorded import Recording


def made_up(turn: float, bag: float, rounds: int = 5, **more: float) -> Recording:
    """Rounds of a cell in which the turn pool and the bag get that much done, and no pool 1,000."""
    each = {goals.TURN: turn, goals.BAG: bag, goals.NONE: 1000.0, goals.FAST: 900.0, goals.BLAZE: 950.0}
    rows = [
        {"pool": pool, "jdk": 17, "threads": 50, "objects": None if pool == goals.NONE else 10, "round": number,
         "ops_per_ms": rate * (1 + number / 1000 * (pool == goals.TURN)), "jain": 1.0, "longest_gap_ms": 1000 / rate,
         "p99_99_us": 1000 / rate, "p50_us": 2.0 + 0.02 * (pool == goals.TURN),
         "voluntary_switches_per_s": 1000.0 if pool == goals.TURN else 0.0, "timeouts_per_s": 0.0, "bytes_per_op": 0.0,
         **more}
        for pool, rate in each.items()
        for number in range(1, rounds + 1)
    ]  # fmt: skip
    return Recording("2030-01-01", pd.DataFrame(rows), {"logical_cores": 2}, "2030-01-01")


def found(monkeypatch: pytest.MonkeyPatch, table: str, rows: Recording) -> pd.DataFrame:
    monkeypatch.setattr(goals, "tables", lambda: {table: None})
    monkeypatch.setattr(goals, "recorded", lambda name: rows)
    return goals.goals().set_index("goal")


def test_a_goal_is_met_or_missed_by_its_whole_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = found(monkeypatch, "turns", made_up(960, 980))
    assert rows.loc["throughput, as a share of no pool's", "verdict"] == goals.MET
    assert rows.loc["throughput, as a share of HikariCP's bag's", "verdict"] == goals.MISSED
    assert rows.loc["longest gap, as a share of HikariCP's bag's", "verdict"] == goals.MISSED
    assert rows.loc["timeouts a second", "verdict"] == goals.MET
    assert set(rows["cell"]) == {"50 threads, 10 objects"} and set(rows["jdk"]) == {17}


def test_what_is_missing_goes_into_uses_and_into_switches(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = found(monkeypatch, "turns", made_up(957.1, 900))  # 4% less than no pool, and each use takes 1% longer
    assert rows.loc["a use, % longer than without a pool", "figure"] == "1.0 (1.0 to 1.0)"
    switch = rows.loc["each switch, microseconds of processor time"]
    assert float(switch["figure"].split()[0]) == pytest.approx(2 * 0.03 / 1000 * 1e6, rel=0.01)
    assert tuple(switch[["wanted", "verdict"]]) == ("no goal", goals.MEASURED)


def test_a_goal_within_the_interval_and_one_with_few_rounds_are_open(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = found(monkeypatch, "turns", made_up(947.2, 900))
    assert rows.loc["throughput, as a share of no pool's", "verdict"] == goals.OPEN
    few = found(monkeypatch, "turns", made_up(990, 900, rounds=4))
    assert few.loc["throughput, as a share of no pool's", "verdict"] == goals.OPEN
    assert (few["rounds"] == 4).all()


def test_one_timeout_is_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = found(monkeypatch, "turns", made_up(960, 900, timeouts_per_s=0.3))
    assert tuple(rows.loc["timeouts a second", ["figure", "verdict"]]) == ("0.3 at most", goals.MISSED)


def test_forks_that_do_not_count_and_few_rounds_settle_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    some = made_up(960, 900)
    some.frame["attempt"], some.frame["disturbed"] = 2, False
    first = some.frame[some.frame["pool"] == goals.TURN].head(1)
    again = first.assign(attempt=1, disturbed=True, timeouts_per_s=7.0)
    some = Recording(some.name, pd.concat([some.frame, again]), some.machine, some.date)
    assert found(monkeypatch, "turns", some).loc["timeouts a second", "verdict"] == goals.MET
    few = found(monkeypatch, "turns", made_up(960, 900, rounds=1))
    assert set(few["verdict"]) == {goals.OPEN, goals.MEASURED}


def test_a_round_that_hung_misses_the_goal(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = made_up(960, 900)
    rows.frame["stuck"] = (rows.frame["pool"] == goals.TURN) & (rows.frame["round"] == 1)
    rows.frame.loc[rows.frame["stuck"], ["ops_per_ms", "timeouts_per_s"]] = float("nan")
    row = found(monkeypatch, "turns", rows).loc["timeouts a second"]
    assert (row["figure"], row["verdict"], row["rounds"]) == ("1 hung", goals.MISSED, 4)


@pytest.mark.parametrize("gone", [goals.TURN, goals.NONE, goals.FAST, goals.BAG])
@pytest.mark.parametrize("table", goals.TABLES[:4])
def test_a_pool_that_was_not_recorded_leaves_the_other_goals(
    gone: str, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = made_up(960, 900)
    rows = Recording(rows.name, rows.frame[rows.frame["pool"] != gone], rows.machine, rows.date)
    left = found(monkeypatch, table, rows)
    assert left.empty if gone == goals.TURN else not left.index.str.contains(goals.NAMES[gone]).any()


def test_a_short_hold_is_judged_by_nanoseconds_of_a_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = found(monkeypatch, "turns-short", made_up(500_000, 250_000))
    took = rows.filter(like="ns of processor time", axis=0).iloc[0]
    assert float(took["figure"].split()[0].replace(",", "")) == pytest.approx(2e6 / 500_000 - 2e6 / 1000, rel=0.01)
    assert took["verdict"] == goals.MET and "at most 5" in took["wanted"]


def test_a_pool_without_timeouts_has_fewer_than_another(monkeypatch: pytest.MonkeyPatch) -> None:
    both = made_up(900, 800)
    both.frame.loc[both.frame["pool"] == goals.FAST, "timeouts_per_s"] = 700.0
    rows = found(monkeypatch, "turns-two", both)
    assert tuple(rows.filter(like="timeouts", axis=0).iloc[0][["figure", "verdict"]]) == (
        "-700 (-700 to -700)", goals.MET,
    )  # fmt: skip


def test_without_recordings_there_are_no_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(monkeypatch, "none", made_up(1, 1)).empty
