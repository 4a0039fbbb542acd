"""The results of the programs on dates, strings, stores, pitfalls and leaks."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from launch import is_one_clear_line, workbook


def test_dates_prints_the_twelve_rows_of_2006() -> None:
    done = workbook("jbang", "dates", "--parses", "50")
    assert done.returncode == 0, done.stderr
    table, _, ending = done.stdout.partition("\n\n")
    assert "One JVM each is not a verdict" in ending
    rows = [line.split()[:3] for line in table.splitlines()[2:]]
    assert rows == [
        [compiler, threads, strategy]
        for compiler in ("client", "server")
        for threads in ("5", "15")
        for strategy in ("POOL", "NEW", "LOCKED")
    ]


def test_dates_json_is_twelve_flat_rows() -> None:
    done = workbook("jbang", "dates", "--parses", "50", "--json")
    rows = json.loads(done.stdout)
    assert len(rows) == 12
    for row in rows:
        assert row["pass"] == 2
        assert row["milliseconds"] > 0
        assert row["ns_per_op"] == pytest.approx(row["milliseconds"] * 1e6 / (row["threads"] * 50))


def test_every_strategy_can_be_asked_for(pool: Path) -> None:
    names = ["NEW", "LOCKED", "POOL", "CLONE", "THREAD_LOCAL", "FORMATTER", "YOURS"]
    options = ["--compiler", "default", "--threads", "2", "--parses", "50", "--each-pass", "--passes", "3"]
    done = workbook("jbang", "dates", *options, "--strategies", ",".join(names), "--yours", pool, "--json")
    rows = json.loads(done.stdout)
    assert [(row["strategy"], row["pass"]) for row in rows] == [(name, n) for name in names for n in (1, 2, 3)]


def test_sharing_breaks_simpledateformat_and_the_race_ends_well() -> None:
    done = workbook("jbang", "dates-race", "--threads", "4", "--parses", "50000", "--json")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)
    assert row["hanging_threads"] == 0
    assert row["right"] + row["wrong"] + row["thrown"] == row["parses"] == 200_000
    if (os.cpu_count() or 1) > 1:
        assert row["wrong"] + row["thrown"] > 0, "four threads shared one SimpleDateFormat, and nothing broke"


def test_one_thread_alone_is_never_wrong() -> None:
    done = workbook("jbang", "dates-race", "--threads", "1", "--parses", "20000", "--json")
    (row,) = json.loads(done.stdout)
    assert (row["right"], row["wrong"], row["thrown"]) == (20_000, 0, 0)


def test_a_benchmark_counts_by_its_own_clock_and_keeps_each_iteration(tmp_path: Path) -> None:
    options = ["--profile", "smoke", "--threads", "3", "--strategies", "LOCKED,POOL", "--json"]
    done = workbook("jbang", "bench-dates", *options, "-i", "3", "--results", tmp_path)
    rows = json.loads(done.stdout)
    assert sorted((row["strategy"], row["iteration"]) for row in rows) == [
        (name, number) for name in ("LOCKED", "POOL") for number in (1, 2, 3)
    ]
    for row in rows:
        assert row["threads"] == 3
        assert row["ops_per_ms"] > 0
        assert row["jmh_ops_per_ms"] > 0
        assert row["bytes_per_op"] > 0
    for raw in tmp_path.glob("*.jmh.json"):
        (result,) = json.loads(raw.read_text())
        counted = {name: metric["score"] for name, metric in result["secondaryMetrics"].items()}
        threads = [counted[f"clock.thread_{number:02d}_ops_per_ms"] for number in (1, 2, 3)]
        assert sum(threads) == pytest.approx(counted["clock.ops_per_ms"])
    assert len(list(tmp_path.glob("*.jmh.json"))) == 2


def test_a_benchmark_runs_on_the_javas_and_collectors_it_is_told(tmp_path: Path) -> None:
    version = json.loads(workbook("jbang", "dates-race", "--threads", 1, "--parses", 50, "--json").stdout)[0]["jdk"]
    java_8 = [8] if "JAVA_HOME_8_X64" in os.environ else []
    versions = ",".join(map(str, [*java_8, version]))
    options = ["--profile", "smoke", "--stores", "NONE", "--gc", "SERIAL,ZGC", "--results", tmp_path, "--json"]
    done = workbook("jbang", "bench-stores", "--jdk", versions, *options)
    assert done.returncode == 0, done.stderr
    came = {(row["jdk"], row["gc"]) for row in json.loads(done.stdout)}
    assert came == {(version, "SERIAL"), (version, "ZGC"), *((8, "SERIAL") for _ in java_8)}
    assert not java_8 or "skipped: Java 8 has no ZGC" in done.stderr
    for file in tmp_path.glob("*.jmh.json"):
        (result,) = json.loads(file.read_text(encoding="utf-8"))
        assert ("-XX:+UseZGC" in result["jvmArgs"]) == ("gc=ZGC" in file.name)


def test_every_way_to_a_string_reads_the_same_texts() -> None:
    """Chronicle's interners run with the options they need."""
    names = "POOL,LOCKED,COPY,VIEW,HIBYTE,US_ASCII,INTERN,MAP"
    names += ",CHRONICLE_BIT8,CHRONICLE_UTF8,CHRONICLE_BYTES"
    done = workbook(
        "jbang",
        "byte-strings",
        "--strategies",
        names,
        "--lengths",
        "3,12",
        "--hit-rate",
        90,
        "--texts",
        20_000,
        "--json",
    )
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert len(rows) == 2 * len(names.split(","))
    for length in (3, 12):
        assert len({row["checksum"] for row in rows if row["length"] == length}) == 1, length
    bytes_of = {row["strategy"]: row["bytes_per_op"] for row in rows if row["length"] == 12}
    assert bytes_of["POOL"] < bytes_of["US_ASCII"] / 2, "nine of ten texts are found"


def test_kept_strings_take_memory_and_a_kept_view_is_wrong(day: Path) -> None:
    names = "POOL,US_ASCII,INTERN,MAP,VIEW"
    done = workbook("jbang", "strings-kept", "--day", day, "--strategies", names, "--symbols", 300_000, "--json")
    assert done.returncode == 0, done.stderr
    rows = {row["strategy"]: row for row in json.loads(done.stdout)}
    assert list(rows) == names.split(",")
    assert rows["US_ASCII"]["kept_bytes"] >= 40 * 300_000, "a String and its array, for each"
    for pooled in ("POOL", "INTERN", "MAP"):
        assert rows[pooled]["kept_bytes"] < rows["US_ASCII"]["kept_bytes"] / 10
    assert [row["wrong"] for name, row in rows.items() if name != "VIEW"] == [0] * 4
    assert rows["VIEW"]["wrong"] > 200_000, "all that were kept say now what was read last"


def test_a_benchmark_of_strings_says_its_cell_and_its_blackholes(day: Path, tmp_path: Path) -> None:
    cell = ["--day", day, "--slots", "8,1024", "--compact-strings", "ON,OFF", "--strategies", "POOL,US_ASCII"]
    # What a thread allocates is counted by whole pieces of the heap: too short an iteration has too few of them, and on
    # a busy machine the clock sees too little of it.
    for length in ("150ms", "600ms", "2400ms"):
        results = tmp_path / length
        options = ["--profile", "smoke", "-i", "1", "-r", length, "-w", "100ms", "--results", results, "--json"]
        done = workbook("jbang", "bench-strings", *options, *cell, "--blackholes", "compiler")
        assert done.returncode == 0, done.stderr
        rows = json.loads(done.stdout)
        assert len(rows) == 8
        if all(row["bytes_per_op"] is not None for row in rows):
            break
    for row in rows:
        assert (row["texts"], row["length"], row["hit_rate"], row["blackholes"]) == ("DAY", None, None, "COMPILER")
    by = {(row["strategy"], row["slots"], row["compact_strings"]): row["bytes_per_op"] for row in rows}
    for compact in ("ON", "OFF"):
        assert by["POOL", 1024, compact] < by["POOL", 8, compact] / 4, "eight slots are too few for a day"
        assert by["US_ASCII", 8, compact] == pytest.approx(by["US_ASCII", 1024, compact], rel=0.1), "it has no slots"
    for file in results.glob("*.jmh.json"):
        (result,) = json.loads(file.read_text(encoding="utf-8"))
        assert ("-XX:-CompactStrings" in result["jvmArgs"]) == ("compact_strings=OFF" in file.name)


@pytest.mark.skipif("JAVA_HOME_8_X64" not in os.environ, reason="no JAVA_HOME_8_X64 on this machine")
def test_compiler_blackholes_are_refused_where_there_are_none() -> None:
    done = workbook("jbang", "bench-strings", "--jdk", "8", "--blackholes", "COMPILER", "--lengths", "8")
    is_one_clear_line(done, "Java 8 has no COMPILER blackholes; they came with Java 17")


def test_flight_recorder_is_asked_in_any_benchmark() -> None:
    options = ["--profile", "smoke", "--threads", 4, "--strategies", "LOCKED", "-i", 1]
    (row,) = json.loads(workbook("jbang", "bench-dates", *options, "--events", "--json").stdout)
    assert row["monitor_waits_per_s"] > 0
    assert row["creations_per_s"] is None, "no class was named whose objects are to be counted"
    (row,) = json.loads(workbook("jbang", "bench-dates", *options, "--json").stdout)
    assert "monitor_waits_per_s" not in row


def test_what_nobody_reads_is_not_made() -> None:
    tricks = ["--tricks", "NEW_UNREAD,NEW_READ,NEW_STORED"]
    quick = ["-f", 1, "-wi", 3, "-w", "100ms"]  # and not the profile smoke, which does not wait for the compiler
    done = workbook("jbang", "bench-pitfalls", *quick, *tricks, "--json")
    rows = [row for row in json.loads(done.stdout) if row["iteration"] == 2]
    by = {row["trick"]: row for row in rows}
    assert by["NEW_UNREAD"]["bytes_per_op"] == pytest.approx(0, abs=0.1)
    assert by["NEW_READ"]["bytes_per_op"] == pytest.approx(0, abs=0.1)
    assert by["NEW_STORED"]["bytes_per_op"] == pytest.approx(48, abs=0.1)


def test_a_learners_sum_is_measured_at_each_size(tmp_path: Path) -> None:
    file = tmp_path / "Mine.java"
    file.write_text(
        "import org.openjdk.jmh.infra.Blackhole;\n"
        "public class Mine implements pitfalls.Summing {\n"
        "  public void sum(byte[] bytes, Blackhole used) { used.consume(bytes.length); } }\n"
    )
    options = ["--profile", "smoke", "-i", 1, "--tricks", "YOURS", "--sizes", "1000,2000", "--json"]
    done = workbook("jbang", "bench-pitfalls", *options, "--yours", file)
    assert done.returncode == 0, done.stderr
    assert [(row["trick"], row["size"]) for row in json.loads(done.stdout)] == [("YOURS", 1000), ("YOURS", 2000)]
    is_one_clear_line(workbook("jbang", "bench-pitfalls", *options), "YOURS needs a pool of yours")


def test_a_leaking_pool_ends_as_its_leak_has_it() -> None:
    rows = json.loads(workbook("jbang", "leaks", "--heaps", "16m", "--messages", 1_000_000, "--json").stdout)
    by = {row["leak"]: row for row in rows}
    assert by["ONLY_CREATES"]["ended"] == "OUT_OF_MEMORY"
    assert by["ONLY_CREATES"]["created"] in (by["ONLY_CREATES"]["done"], by["ONLY_CREATES"]["done"] + 1)
    lost = by["LOSES_AFTER_EXCEPTIONS"]
    assert (lost["ended"], lost["done"], lost["created"]) == ("POOL_EMPTY", 64_000, 64)
    assert by["NEVER_RESETS"]["ended"] == by["NONE"]["ended"] == "ALL_MESSAGES"
    assert by["NEVER_RESETS"]["dirty"] == 1_000_000 - 64
    assert by["NONE"]["dirty"] == by["ONLY_CREATES"]["dirty"] == lost["dirty"] == 0
    assert by["NONE"]["created"] == 64
