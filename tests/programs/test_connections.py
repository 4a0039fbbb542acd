"""The pools of connections, against a real PostgreSQL."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent

import pytest

from launch import is_one_clear_line, workbook
from poolbook.system.paths import ROOT
from poolbook.tables.recorded import recorded

POOLS = ["QUEUE", "HIKARI", "DBCP2", "TOMCAT", "AGROAL", "VIBUR"]
MAY_HANG = ["AGROAL"]  # beside a free connection, on a busy machine; see PoolKind.java


def faults(*arguments: str) -> dict[tuple[str, str, bool], dict]:
    done = workbook("jbang", "connection-faults", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return {(row["fault"], row["pool"], row["validated"]): row for row in json.loads(done.stdout)}


def _law(row: dict) -> float:
    """How many threads there are, by Little's law."""
    return row["ops_per_ms"] * row["mean_us"] / 1000


def test_every_pool_works_and_obeys_littles_law() -> None:
    cell = ["--pools", ",".join(["NEW", *POOLS]), "--objects", "2", "--threads", "4", "--query", "WAIT"]
    # On a busy machine, a fork may have no figure, or a window may hold only parts of some new connections.
    for length in ("600ms", "3s", "9s"):
        done = workbook("jbang", "bench-connections", *cell, "--profile", "smoke", "-i", "1", "-r", length, "--json")
        assert done.returncode == 0, done.stderr
        rows = {row["pool"]: row for row in json.loads(done.stdout)}
        assert set(rows) == {"NEW", *POOLS}
        if all(row["stuck"] or (row["ops_per_ms"] and 2 < _law(row) < 6) for row in rows.values()):
            break
    for pool, row in rows.items():
        assert row["threads"] == 4
        if row["stuck"]:
            assert pool in MAY_HANG, done.stderr
            continue
        assert 2 < _law(row) < 6, f"{pool}: 4 threads, {_law(row):.1f} by the law"
        if pool != "NEW":
            assert row["ops_per_ms"] < 0.2, "two connections that wait 10 ms each serve 200 a second"
            assert row["mean_us"] == pytest.approx(row["borrow_us"] + row["hold_us"], rel=0.01)


def test_a_fork_that_hangs_is_a_row() -> None:
    """A hundred threads that wait for one connection are not back as soon as the time is over."""
    cell = ["--pools", "QUEUE", "--objects", "1", "--threads", "100", "--query", "WAIT", "--profile", "smoke"]
    done = workbook("jbang", "bench-connections", *cell, "-r", "500ms", "-jvmArgsAppend", "-Dclock.grace=0", "--json")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)
    assert (row["pool"], row["threads"], row["stuck"]) == ("QUEUE", 100, True)
    assert "it hung and was stopped" in done.stderr


def test_a_pool_is_open_when_all_its_connections_are_made(tmp_path: Path) -> None:
    """Borrowers of Agroal that come earlier spin, and keep the thread that makes them from its processor."""
    program = """
        //JAVA 17+
        //DEPS com.h2database:h2:2.3.232
        //SOURCES java/connections/ConnectionFaults.java
        package connections;

        class Opened {
          public static void main(String[] args) throws Exception {
            Target target = new Target("jdbc:h2:mem:pool;DB_CLOSE_DELAY=-1", "sa", "");
            try (var own = target.connect(); var pool = PoolKind.AGROAL.open(target, 100, 1_000, false)) {
              var answer = own.createStatement().executeQuery("select count(*) from information_schema.sessions");
              answer.next();
              System.out.println(answer.getInt(1) - 1);
            }
          }
        }
        """
    (tmp_path / "java").symlink_to(ROOT / "java")  # JBang splits a path at its spaces
    file = tmp_path / "Opened.java"
    file.write_text(dedent(program), encoding="utf-8")
    done = workbook("jbang", file)
    assert done.stdout.split() == ["100"], done.stderr


def test_validation_finds_dead_connections() -> None:
    found = faults("--faults", "KILLED")
    for pool in POOLS:
        tested = found["KILLED", pool, True]
        assert tested["requests"] == 20
        if pool != "QUEUE":  # it cannot replace a connection
            assert tested["failed"] == 0, pool
    assert found["KILLED", "QUEUE", False]["failed"] == 20


def test_nine_connections_are_enough_for_eight_threads_with_two_each() -> None:
    found = faults("--faults", "TWO_OF_NINE", "--validation", "OFF")
    for pool in POOLS:
        row = found["TWO_OF_NINE", pool, False]
        assert row["requests"] > 0
        assert row["failed"] == 0, pool


def test_a_setting_of_the_session_leaks_from_every_pool() -> None:
    found = faults("--faults", "SESSION,LEAKED", "--validation", "OFF")
    for pool in POOLS:
        assert found["SESSION", pool, False]["leaks_setting"], pool
        assert found["LEAKED", pool, False]["message"], pool


def test_one_connection_behind_a_lock_serves_all() -> None:
    cell = ["--pools", "LOCKED", "--threads", "4", "--query", "WAIT", "--profile", "smoke", "-i", "1", "-r", "500ms"]
    done = workbook("jbang", "bench-connections", *cell, "--json")
    assert done.returncode == 0, done.stderr
    for row in json.loads(done.stdout):
        assert 0 < row["ops_per_ms"] < 0.1, "one connection that waits 10 ms serves a hundred a second"


def test_requests_that_come_at_a_rate_are_held_against_theory() -> None:
    cell = ["--pools", "HIKARI", "--objects", "3", "--query", "RANDOM", "--rate", "100", "--threads", "32"]
    done = workbook("jbang", "bench-connections", *cell, "--profile", "smoke", "-i", "1", "-r", "3s", "--json")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)
    assert row["rate_per_s"] == 100
    assert 0 < row["erlang_us"] < 20_000
    assert row["simulated_us"] == pytest.approx(row["erlang_us"], rel=0.2, abs=100)
    assert row["borrow_p99_us"] is None, "300 requests have three above their p99"


def test_h2_shows_what_it_can() -> None:
    cell = ["--database", "H2", "--pools", "QUEUE,HIKARI,TOMCAT", "--threads", "2", "--query", "ONE"]
    done = workbook("jbang", "bench-connections", *cell, "--profile", "smoke", "--json")
    assert done.returncode == 0, done.stderr
    assert {row["database"] for row in json.loads(done.stdout)} == {"H2"}
    found = faults("--database", "H2", "--pools", "HIKARI", "--validation", "OFF")
    assert {fault for fault, _, _ in found} == {"TWO_OF_EIGHT", "TWO_OF_NINE", "LEAKED"}
    assert found["TWO_OF_NINE", "HIKARI", False]["failed"] == 0


@pytest.mark.parametrize(
    ("alias", "arguments", "said"),
    [
        ("bench-connections", ["--database", "H2"], "there is no PostgreSQL in this run, and H2 cannot show"),
        ("connection-faults", ["--database", "H2", "--faults", "KILLED"], "H2 cannot show KILLED"),
        ("bench-connections", ["--objects", "0"], "--objects"),
        ("bench-connections", ["--objects", "500"], "--objects"),
        ("bench-connections", ["--pools", "NOTHING"], "NOTHING"),
        ("connection-faults", ["--faults", "NOTHING"], "NOTHING"),
        ("bench-connections", ["--heap", "x"], "--heap"),
        ("bench-connections", ["-f", "0"], "-f must be at least 1, not 0"),
    ],
)
def test_bad_input_is_refused_in_one_line_before_a_server_starts(alias: str, arguments: list[str], said: str) -> None:
    is_one_clear_line(workbook("jbang", alias, *arguments), said)


def test_the_simulation_was_right_where_requests_waited_long() -> None:
    """In the recorded open loop; where hardly anybody waits for a connection, the machine's own pauses are longer."""
    rows = recorded("connections-open").frame
    means = rows.groupby(["pool", "objects"])[["borrow_us", "simulated_us", "borrow_p99_us", "simulated_p99_us"]].mean()
    long = means[means["simulated_us"] > 2_000]
    assert set(long.index.get_level_values("objects")) == {3, 4}
    assert (long["borrow_us"] / long["simulated_us"]).between(0.7, 1.4).all()
    assert (long["borrow_p99_us"] / long["simulated_p99_us"]).between(0.7, 1.4).all()
    short = means.drop(long.index)
    assert (short["borrow_us"] > short["simulated_us"]).all(), "theory is too hopeful there, and the lesson says so"
