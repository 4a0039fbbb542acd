"""The pool libraries: each is measured with all its figures, and behaves as documented."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from launch import workbook
from poolbook.system.paths import ROOT

JDKS_WITH_EVENTS = [
    "17",
    pytest.param("8", marks=pytest.mark.skipif("JAVA_HOME_8_X64" not in os.environ, reason="no JAVA_HOME_8_X64 here")),
]


# What every row of the libraries has, besides what every benchmark has.
PERCENTILES = {"p50_us": 50, "p90_us": 90, "p95_us": 95, "p99_us": 99, "p99_9_us": 99.9, "p99_99_us": 99.99}
FEWEST = 10  # timed operations above a percentile


def pools() -> list[str]:
    """All pools, from the message for a wrong name."""
    said = workbook("jbang", "libraries", "--pools", "NOBODY").stderr
    return re.search(r"there are: all, (.*)", said)[1].split(", ")


def test_the_adapters_are_compiled_against_the_releases_that_are_named() -> None:
    """JBang needs them in //DEPS, so they are written twice; versions put first on the class path are not compiled
    against."""
    folder = ROOT / "java" / "libraries"
    declared = {name for file in folder.glob("*.java") for name in re.findall(r"(?m)^//DEPS (\S+)", file.read_text())}
    release = r'(?m)^    [A-Z0-9_]+\((?:[^;"]*?)release\(\s*"([^"]+)",\s*(\d+)\)(\.inFront\(\))?'
    current = re.findall(release, (folder / "RacedPool.java").read_text())
    assert len(current) >= 9
    assert all(front for _, since, front in current if int(since) > 17)
    assert {name for name, _, front in current if not front} <= declared


def test_every_pool_is_measured_with_all_its_figures() -> None:
    done = workbook("jbang", "libraries", "--threads", 4, "--objects", 4, "--seconds", 0.5, "--json")
    assert done.returncode == 0, done.stderr
    rows = {row["pool"]: row for row in json.loads(done.stdout)}
    skipped = {name: int(java) for name, java in re.findall(r"skipped: (\w+).* needs Java (\d+)", done.stderr)}
    assert set(rows) | set(skipped) == set(pools())
    assert all(java > 17 for java in skipped.values()), "the others run on every Java that builds them"
    for name, row in rows.items():
        assert row["ops_per_ms"] > 0, name
        assert row["timed"] > 0
        assert row["stuck"] is False
        known = [name for name, percent in PERCENTILES.items() if row["timed"] * (100 - percent) / 100 + 1e-6 >= FEWEST]
        assert [name for name in PERCENTILES if row[name] is not None] == known
        assert [row[key] for key in [*known, "max_us"]] == sorted(row[key] for key in [*known, "max_us"]), name
        assert row["borrow_us"] + row["release_us"] > 0
        assert row["mean_us"] >= row["borrow_us"] + row["release_us"]
        assert row["megabytes_per_s"] == pytest.approx(row["ops_per_ms"] * row["bytes_per_op"] / 1000, rel=0.01)
        assert row["object_bytes"] > 10_000, "ten thousand characters"
        if row["objects"] is not None and "STACK" not in name:
            assert row["created"] == 4, f"{name} does not have the requested capacity"
    assert rows["NEW"]["bytes_per_op"] > 10_000, "each borrow makes an object of 10,000 characters"
    assert rows["NEW"]["created"] > 1_000
    assert rows["NEW"]["created_per_op"] == pytest.approx(1, rel=0.05)
    assert rows["NEW"]["object_bytes"] == pytest.approx(rows["NEW"]["bytes_per_op"], rel=0.05), (
        "it allocates nothing but its objects"
    )


def test_as_published_a_pool_has_another_capacity_and_another_version(tmp_path: Path) -> None:
    options = ["--pools", "FAST_OBJECT_POOL,COMMONS_2_GENERIC,VIBUR_QUEUE", "--threads", 2, "--objects", 10]
    both = ["--configuration", "PUBLISHED", "--versions", "PUBLISHED"]
    loaded = ["-jvmArgsAppend", f"-Xlog:class+load:file={tmp_path}/classes-%p.log"]
    done = workbook("jbang", "libraries", *options, *both, "--seconds", 0.2, *loaded, "--json")
    assert done.returncode == 0, done.stderr
    rows = {row["pool"]: row for row in json.loads(done.stdout)}
    assert rows["FAST_OBJECT_POOL"]["created"] == 40, "four partitions, ten objects each"
    assert {row["versions"] for row in rows.values()} == {"PUBLISHED"}
    logs = "".join(log.read_text(encoding="utf-8") for log in tmp_path.glob("classes-*.log"))
    jars = set(re.findall(r"source: .*/((?:commons-pool2|fast-object-pool|vibur-object-pool)-[\d.]+\d)\.jar", logs))
    assert jars == {"commons-pool2-2.4.3", "fast-object-pool-2.1.0", "vibur-object-pool-21.2"}


def test_two_borrows_of_too_few_objects_are_given_up_and_counted() -> None:
    options = ["--pools", "ARRAY_BLOCKING_QUEUE", "--threads", 8, "--objects", 4, "--timeout", "2ms"]
    done = workbook("jbang", "two-borrows", *options, "--hold", "cpu:1000", "--seconds", 1, "--json")
    assert done.returncode == 0, done.stderr
    one, two = sorted(json.loads(done.stdout), key=lambda row: row["borrows"])
    assert (one["borrows"], two["borrows"]) == (1, 2)
    assert two["timeouts_per_s"] > one["timeouts_per_s"]
    assert two["created"] == 4


def test_borrowers_without_a_timeout_hang_and_that_is_a_row(tmp_path: Path) -> None:
    cell = ["--pools", "FURIOUS,ARRAY_BLOCKING_QUEUE", "--threads", 8, "--objects", 2, "--borrows", 2]
    cell += ["--timeout", "none"]
    quick = ["--profile", "smoke", "-f", 1, "-i", 1, "-r", "3s", "-jvmArgsAppend", "-Dclock.grace=1"]
    done = workbook("jbang", "bench-libraries", *cell, *quick, "--results", tmp_path, "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert [row["stuck"] for row in rows] == [True, True]
    assert {row["timeout_ms"] for row in rows} == {None}
    assert "STUCK:     at " in done.stderr, "where they waited"
    for row in rows:
        assert (row["objects_held_waiting"], row["objects_held_working"]) == (2, 0), "a circle: each waits for another"
    dumps = [file.read_text() for file in tmp_path.glob("*.stuck.txt")]
    assert len(dumps) == 2
    assert all(" threads are here:" in dump and "BorrowBenchmark.borrow" in dump for dump in dumps)
    assert len(list(tmp_path.glob("*.rows.json"))) == 2, "a hung fork is a result, and kept as one"


def test_a_fork_has_one_histogram_of_all_its_operations(tmp_path: Path) -> None:
    cell = ["--pools", "LOCKED", "--threads", 2, "--profile", "smoke", "-i", 3, "-r", "100ms", "--results", tmp_path]
    rows = json.loads(workbook("jbang", "bench-libraries", *cell, "--json").stdout)
    assert len(rows) == 3
    for column in [*PERCENTILES, "max_us"]:
        assert len({row[column] for row in rows}) == 1, f"{column} is that of the fork, not of an iteration"
    (log,) = tmp_path.glob("*.hlog")
    assert "Tag=operations," in log.read_text()


def test_who_is_hungry_is_seen_in_two_seconds() -> None:
    cell = ["--pools", "NONE,STORMPOT_2_BLAZE", "--threads", 20, "--objects", 2, "--timed", 1]
    none, blaze = json.loads(workbook("jbang", "libraries", *cell, "--seconds", 2.4, "--json").stdout)
    assert none["pool"] == "NONE"
    for row in (none, blaze):
        assert 1 / 20 <= row["jain"] <= 1
        assert 0 < row["longest_gap_ms"] <= row["window_ms"] + 1_000
    assert blaze["jain"] < none["jain"]
    assert blaze["longest_gap_ms"] > 100, "a borrow is given up after 100 ms, so somebody got nothing for so long"


def test_operations_can_be_left_untimed() -> None:
    cell = ["--pools", "NONE", "--threads", 2, "--hold", "cpu:10,memory:10", "--timed", 0, "--seconds", 0.2]
    for row in json.loads(workbook("jbang", "libraries", *cell, "--json").stdout):
        assert row["ops_per_ms"] > 0
        assert row["timed"] == 0
        assert {row[column] for column in [*PERCENTILES, "max_us", "mean_us", "one_timed_in"]} == {None}


def test_partitions_divide_the_objects() -> None:
    cell = ["--pools", "FAST_OBJECT_POOL,HIKARI_BAG", "--threads", 2, "--objects", 8, "--partitions", "2,8"]
    done = workbook("jbang", "libraries", *cell, "--seconds", 0.2, "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert sorted((row["pool"], row["partitions"] or 0) for row in rows) == [
        ("FAST_OBJECT_POOL", 2), ("FAST_OBJECT_POOL", 8), ("HIKARI_BAG", 0),
    ]  # fmt: skip
    assert {row["created"] for row in rows} == {8}


@pytest.mark.parametrize("jdk", JDKS_WITH_EVENTS)
def test_flight_recorder_sees_bursts(jdk: str) -> None:
    """Eight threads borrow at once from a stack of two: each burst makes and drops six objects."""
    cell = ["--pools", "COMMONS_1_STACK,COMMONS_2_GENERIC", "--threads", 8, "--objects", "2,8", "--timeout", "5ms"]
    quick = ["--profile", "smoke", "-r", "300ms", "--jdk", jdk]
    done = workbook("jbang", "bench-bursts", *cell, "--events", *quick, "--json")
    assert done.returncode == 0, done.stderr
    rows = [row for row in json.loads(done.stdout) if row["iteration"] == 2]
    by = {(row["pool"], row["objects"]): row for row in rows}
    assert by["COMMONS_1_STACK", 2]["created_per_op"] == pytest.approx(6, rel=0.1)
    assert by["COMMONS_1_STACK", 8]["created_per_op"] == 0
    assert by["COMMONS_2_GENERIC", 2]["created_per_op"] == 0
    first = ("COMMONS_1_STACK", 2)
    stack = by[first]
    assert stack["creations_per_s"] == pytest.approx(6 * 1000 * stack["ops_per_ms"], rel=0.4)
    waits = [row["monitor_waits_per_s"] for row in json.loads(done.stdout) if (row["pool"], row["objects"]) == first]
    assert max(waits) > 0, "it makes them one after another, in a synchronized method"
    assert stack["parks_per_s"] > 0
    assert stack["bytes_per_op"] > 5 * stack["object_bytes"], "the six objects that the borrowers make count, too"
    assert by["COMMONS_1_STACK", 8]["creations_per_s"] == 0
    assert by["COMMONS_2_GENERIC", 2]["timeouts_per_s"] > 0, "it makes no more, so six give up"


def test_who_holds_one_and_wants_another_may_wait_for_ever() -> None:
    done = workbook("jbang", "hold-and-wait", "--threads", 10, "--objects", 10, "--limit", 1, "--runs", 2, "--json")
    for row in json.loads(done.stdout):
        assert (row["ended"], row["waiting"], row["deadlocks_found"]) == (False, 10, 0)
        assert "BlockingQueuePool.borrow" in row["stack"]
    done = workbook("jbang", "hold-and-wait", "--threads", 10, "--objects", 11, "--runs", 20, "--json")
    assert [row["ended"] for row in json.loads(done.stdout)] == [True] * 20
    done = workbook("jbang", "hold-and-wait", "--threads", 10, "--objects", 4, "--limit", 1, "--json")
    assert json.loads(done.stdout)[0]["ended"] is False, "four hold one, the others none: nobody gets a second"


@pytest.mark.parametrize(("partitions", "size", "lent"), [(4, 10, 40), (2, 5, 10), (1, 10, 10)])
def test_the_size_of_fast_object_pool_is_that_of_a_partition(partitions: int, size: int, lent: int) -> None:
    done = workbook("jbang", "fast-pool-sizes", "--partitions", partitions, "--size", size, "--json")
    (row,) = json.loads(done.stdout)
    assert (row["at_first"], row["lent"], row["created"], row["after_idle"]) == (lent, lent, lent, None)
    assert (row["partitions_of_a_thread"], row["oldest_first"]) == (1, True), "a thread's partition is a queue"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signal like Ctrl-C for one process")
def test_ctrl_c_keeps_what_was_measured() -> None:
    cell = ["--pools", "NONE,LOCKED,NEW", "--threads", "2", "--objects", "2", "--seconds", "4", "--json"]
    command = [sys.executable, str(ROOT / "workbook"), "jbang", "libraries", *cell]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    # Where the tests themselves run in the background, Ctrl-C is ignored by all that they start.
    heeds = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(command, cwd=ROOT, preexec_fn=heeds, **pipes) as process:
        for line in process.stderr:
            if line.startswith("[2/3]"):
                break
        time.sleep(2)  # in the middle of the second
        process.send_signal(signal.SIGINT)
        answer, _ = process.communicate(timeout=60)
    rows = json.loads(answer)
    assert len(rows) == 1
    assert rows[0]["ops_per_ms"] > 0


def test_a_late_answer_counts_from_when_it_was_due() -> None:
    """One object, held for 2 ms, requested 400 times per second by four threads: it can serve 500 at most."""
    cell = ["--pools", "ARRAY_BLOCKING_QUEUE", "--threads", 4, "--objects", 1, "--hold", "block:2ms", "--timeout", "1s"]
    rows = []
    for rate in (0, 1_000):
        done = workbook("jbang", "libraries", *cell, "--rate", rate, "--seconds", 1, "--json")
        assert done.returncode == 0, done.stderr
        rows += json.loads(done.stdout)
    busy, due = rows
    assert busy["p50_us"] < 20_000, "four threads in turn: each waits for three others"
    assert due["p50_us"] > 3 * busy["p50_us"], "twice as many are due as can be served: they pile up"
