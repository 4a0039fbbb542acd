"""Your own pool in the race: contract first."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from launch import MARK, is_one_clear_line, marked, workbook
from poolbook.cells.race import Race

POOL = """
import java.util.concurrent.*;
import java.util.function.Supplier;
import pools.*;

class MyPool<T> implements ObjectPool<T> {
  static {
    try {
      new ProcessBuilder("sh", "-c", "(sleep 600 &); exec setsid sleep 601").start();
    } catch (java.io.IOException e) {
      // a system without a shell
    }
  }
  private final BlockingQueuePool<T> inner;
  MyPool(int capacity, Supplier<T> factory) { inner = new BlockingQueuePool<>(capacity, factory); }
  public T borrow() throws InterruptedException { return inner.borrow(); }
  public T borrow(long timeout, TimeUnit unit) throws InterruptedException { return inner.borrow(timeout, unit); }
  public void release(T object) { %s }
  public int capacity() { return inner.capacity(); }
  public void close() { inner.close(); }
}
"""


def written(tmp_path: Path, release: str) -> str:
    file = tmp_path / "MyPool.java"
    file.write_text(POOL % release, encoding="utf-8")
    return str(file)


def test_a_pool_that_keeps_the_contract_races(tmp_path: Path) -> None:
    file = written(tmp_path, "inner.release(object);")
    words = [file, "--against", "HIKARI_BAG", "--threads", "2", "--profile", "smoke", "--json"]
    done = workbook("jbang", "pool-race", *words, **{MARK: str(tmp_path)})
    assert done.returncode == 0, done.stderr
    assert not marked(str(tmp_path)), "what the pool had started goes on"
    assert {row["pool"] for row in json.loads(done.stdout)} == {"YOURS", "HIKARI_BAG"}


@pytest.mark.slow
def test_a_pool_that_prints_endlessly_is_stopped_and_the_others_race(tmp_path: Path) -> None:
    flood = 'if (System.getProperty("sun.java.command").contains("jmh")) System.out.print(new String(new char[9999]));'
    file = written(tmp_path, f"inner.release(object); {flood}")
    words = [file, "--against", "HIKARI_BAG", "--threads", "2", "--profile", "smoke", "-r", "3s", "--json"]
    done = workbook("jbang", "pool-race", *words)
    assert done.returncode == 1
    assert {row["pool"] for row in json.loads(done.stdout)} == {"HIKARI_BAG"}
    assert done.stderr.splitlines()[-1].endswith("round 1: it printed more than 10 MB, and was stopped")
    assert len(done.stderr) <= 10_100_000


def test_a_pool_that_breaks_the_contract_does_not_race(tmp_path: Path) -> None:
    done = workbook(
        "jbang", "pool-race", written(tmp_path, "if (object != null) inner.release(object);"), "--profile", "smoke"
    )
    assert done.returncode == 1
    assert "does not race" in done.stderr
    assert done.stdout == ""


def test_a_pool_whose_checks_were_just_seen_races_at_once(tmp_path: Path) -> None:
    file = written(tmp_path, "if (object != null) inner.release(object);")
    words = [file, "--checked", "--against", "HIKARI_BAG", "--threads", "4", "--objects", "2", "--profile", "smoke"]
    done = workbook("jbang", "pool-race", *words, "--json")
    assert done.returncode == 0, done.stderr
    assert "checking" not in done.stderr
    (row,) = (row for row in json.loads(done.stdout) if row["pool"] == "YOURS")
    switches = [row[f"{way}_switches_per_s"] for way in ("voluntary", "involuntary")]
    assert min(switches) >= 0 and sum(switches) > 0, "four threads share two objects, so some of them sleep"


def test_bad_input_is_refused_in_one_line(tmp_path: Path) -> None:
    file = written(tmp_path, "inner.release(object);")
    is_one_clear_line(workbook("jbang", "pool-race", file, "--against", "NOTHING"), "no pool NOTHING")
    is_one_clear_line(workbook("jbang", "pool-race", file, "Other.java"), "unknown word 'Other.java'")
    is_one_clear_line(workbook("jbang", "pool-race", "gone.java"), "there is no file gone.java")
    is_one_clear_line(workbook("jbang", "bench-libraries", "--pools", "YOURS"), "no pool YOURS")


def test_a_race_is_a_chart_and_verdicts() -> None:
    rows = pd.DataFrame(
        {"pool": pool, "threads": 50, "objects": None if pool == "NONE" else 10, "jdk": 17, "round": number,
         "ops_per_ms": ops + number, "jain": 0.9, "longest_gap_ms": 30.0, "p99_us": 100.0, "bytes_per_op": 8.0}
        for pool, ops in (("YOURS", 300), ("HIKARI_BAG", 100), ("NONE", 900))
        for number in range(1, 6)
    )  # fmt: skip
    race = Race(rows)
    assert "YOURS is 2.94" in str(race)
    assert "HIKARI_BAG, 5 rounds: faster" in str(race)
    assert "YOURS" in race.chart().get_label()


@pytest.mark.parametrize("against", [[], ["HIKARI_BAG", "VIBUR_QUEUE"]])
def test_the_call_names_the_pools(against: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from poolbook import race

    called = []
    monkeypatch.setattr("poolbook.cells.jbang.run", lambda *arguments: called.append(arguments) or pd.DataFrame())
    race("MyPool.java", against)
    assert ("--against" in called[0]) is bool(against)
