"""The market feed: generated files are read, corrupt ones are refused, and every contender replays them."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from launch import is_one_clear_line, workbook
from poolbook.system.paths import ROOT


def sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def test_a_seed_gives_the_same_day_on_every_java(day: Path, tmp_path: Path) -> None:
    """On the JDKs that are available: the workbook's own, and those named in variables."""
    options = ["--messages", "20000", "--symbols", "50", "--seed", "3", "--out"]
    assert workbook("jbang", "build", "java/feed/MarketData.java").returncode == 0
    class_path = workbook("jbang", "info", "classpath", "java/feed/MarketData.java").stdout.strip()
    homes = {os.environ[name] for name in os.environ if re.fullmatch(r"JAVA_HOME_\d+_\w+|WORKBOOK_JAVA_HOME", name)}
    for number, home in enumerate(sorted(homes)):
        file = tmp_path / f"{number}.bin"
        java = Path(home) / "bin" / "java"
        done = subprocess.run([java, "-cp", class_path, "feed.MarketData", *options, file], capture_output=True)
        assert done.returncode == 0, done.stderr
        assert sha256(file) == sha256(day)


def test_what_was_written_is_read_to_the_last_message(day: Path, tmp_path: Path) -> None:
    options = ["--messages", 20_000, "--symbols", 50, "--seed", 3, "--out", tmp_path / "day.bin", "--json"]
    written = json.loads(workbook("jbang", "market-data", *options).stdout)
    done = workbook("jbang", "market-feed", day, "--verify", "--json")
    assert json.loads(done.stdout) == written
    assert sum(row["messages"] for row in written if row["type"] >= 100) == 20_000


def test_a_day_that_is_there_is_not_written_over_and_no_part_is_left(day: Path) -> None:
    before = sha256(day)
    is_one_clear_line(workbook("jbang", "market-data", "--messages", 10, "--out", day), "already exists")
    assert sha256(day) == before
    assert sorted(file.suffix for file in day.parent.iterdir()) == [".bin"] * len(list(day.parent.iterdir()))


def test_the_sample_is_what_its_readme_says(tmp_path: Path) -> None:
    """The committed file, unpacked, equals the output of the command in its README; compressed, it can be read."""
    folder = ROOT / "datasets" / "market"
    (line,) = re.findall(r"^\./workbook (jbang market-data .*)$", (folder / "README.md").read_text(), re.MULTILINE)
    assert workbook(*line.split(), folder=tmp_path).returncode == 0
    with gzip.open(folder / "day-100000.bin.gz") as packed:
        assert packed.read() == (tmp_path / "day-100000.bin").read_bytes()
    done = workbook("jbang", "market-feed", folder / "day-100000.bin.gz", "--verify")
    assert done.returncode == 0, done.stderr
    assert "read to the end" in done.stdout
    assert "Checked: sizes, sequence numbers" in done.stdout


def test_a_file_that_is_not_whole_gzip_is_one_line(tmp_path: Path) -> None:
    packed = (ROOT / "datasets" / "market" / "day-100000.bin.gz").read_bytes()
    for name, content in {"cut.gz": packed[:5000], "no.gz": b"nothing of the kind"}.items():
        (tmp_path / name).write_bytes(content)
        is_one_clear_line(workbook("jbang", "market-feed", tmp_path / name), "is not a whole gzip file")


@pytest.mark.skipif(os.name == "nt", reason="there is no kill -9")
def test_what_a_killed_program_had_unpacked_is_deleted_by_the_next(tmp_path: Path) -> None:
    settings = {"JAVA_TOOL_OPTIONS": f"-Djava.io.tmpdir={tmp_path}"}
    command = [sys.executable, str(ROOT / "workbook"), "jbang", "market-feed"]
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([*command, "--messages", "9000000000"], env=os.environ | settings, **pipes) as process:
        assert any(line.startswith("[1/") for line in process.stderr), "it did not begin"
        process.kill()
    assert list(tmp_path.rglob("*.bin")), "a killed program cannot clean up"
    assert workbook("jbang", "market-feed", "--verify", **settings).returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_a_truncated_day_is_one_line_with_the_place(day: Path, tmp_path: Path) -> None:
    file = tmp_path / "cut.bin"
    file.write_bytes(day.read_bytes()[:-7])
    is_one_clear_line(workbook("jbang", "market-feed", file, "--verify"), ": PktSize ")
    is_one_clear_line(workbook("jbang", "market-feed", file), ": PktSize ")


def test_each_batch_is_a_row_in_its_order(day: Path) -> None:
    options = ["--strategy", "POOL", "--layout", "COMBINED", "--fill", "REAL", "--warm-up", 1_000, "--each-batch"]
    done = workbook("jbang", "market-feed", day, *options, "--messages", 20_000, "--batch", 5_000, "--json")
    rows = json.loads(done.stdout)
    assert [row["batch_number"] for row in rows] == [1, 2, 3, 4]
    assert all(row["batch"] == 5_000 and row["ns_per_op"] > 0 for row in rows)


def test_a_seed_shuffles_the_contenders_and_the_same_seed_the_same_way(day: Path) -> None:
    options = ["--messages", 2_000, "--batch", 1_000, "--warm-up", 1_000, "--layout", "COMBINED", "--json"]

    def order(*seed: object) -> list[tuple]:
        rows = json.loads(workbook("jbang", "market-feed", day, *options, *seed).stdout)
        return [(row["strategy"], row["fill"]) for row in rows]

    one, other = order("--seed", 1), order("--seed", 2)
    assert sorted(one, key=str) == sorted(other, key=str)
    assert one == order("--seed", 1)
    assert one != other


def test_a_jvm_that_fails_is_said_and_no_puzzle(day: Path) -> None:
    """The time of each of ten million batches does not fit into so small a heap."""
    done = workbook("jbang", "market-feed", day, "--heap", "16m", "--batch", 1)
    assert done.returncode == 1
    said, last = done.stderr.splitlines()[-2:]
    assert said == "out of memory: Java heap space"
    assert last == "NEW TYPES EMPTY failed in its JVM; its message is above"


def test_a_message_that_is_handed_on_is_an_object_even_if_it_is_empty(day: Path) -> None:
    options = ["--strategy", "NEW_ESCAPES", "--fill", "EMPTY", "--messages", 500_000, "--batch", 1_000, "--json"]
    rows = json.loads(workbook("jbang", "market-feed", day, *options).stdout)
    assert {row["layout"] for row in rows} == {"TYPES", "COMBINED"}
    assert all(row["bytes_per_op"] >= 24 for row in rows), "a header and fields"


def test_the_slowest_hundredth_is_between_p99_and_the_maximum(day: Path) -> None:
    options = ["--strategy", "NEW", "--fill", "REAL", "--messages", 200_000, "--batch", 200, "--warm-up", 1_000]
    for row in json.loads(workbook("jbang", "market-feed", day, *options, "--json").stdout):
        slowest = row["batch_slowest_ns_per_op"]
        assert row["batch_p99_ns_per_op"] <= slowest <= row["batch_max_ns_per_op"]
        assert row["batch_p99_9_ns_per_op"] is None


def test_a_kept_fork_of_another_day_is_not_taken_for_one_of_this(day: Path, tmp_path: Path) -> None:
    file = tmp_path / "day.bin"
    shutil.copyfile(day, file)
    bench = [
        "bench-strings",
        "--strategies",
        "POOL",
        "--profile",
        "smoke",
        "-i",
        1,
        "--results",
        tmp_path,
        "--day",
        file,
    ]
    first = workbook("jbang", *bench, "--json")
    assert first.returncode == 0, first.stderr
    assert workbook("jbang", *bench, "--json").stdout == first.stdout, "it is not measured again"
    options = ["--messages", 20_000, "--symbols", 50, "--seed", 4, "--force", "--out", file]
    assert workbook("jbang", "market-data", *options).returncode == 0
    is_one_clear_line(workbook("jbang", *bench), "has forks of other code or data")


def test_histograms_are_kept_and_never_overwritten(day: Path, tmp_path: Path) -> None:
    log = tmp_path / "times.hlog"
    options = ["--strategy", "NEW,POOL", "--layout", "COMBINED", "--fill", "REAL", "--warm-up", 1_000]
    options += ["--messages", 2_000, "--batch", 100, "--rounds", 2, "--histograms", log]
    done = workbook("jbang", "market-feed", day, *options, "--json")
    assert len(json.loads(done.stdout)) == 4
    tags = [line.split(",")[0].split("/") for line in log.read_text().splitlines() if line.startswith("Tag=")]
    assert len(tags) == 8, "the batches and the messages of two contenders in two JVMs each"
    assert {tag[0] for tag in tags} == {"Tag=NEW", "Tag=POOL"}
    assert {tag[-1] for tag in tags} == {"batches", "messages"}
    assert {tag[-3] for tag in tags} == {"round-1", "round-2"}
    before = log.read_bytes()
    is_one_clear_line(workbook("jbang", "market-feed", day, *options), "exists already: name another file")
    assert log.read_bytes() == before
    for options, said in [
        (["--histograms", tmp_path / "no" / "x.hlog"], "x.hlog cannot be written"),
        (["--histograms", tmp_path / "x.hlog", "--verify"], "--verify makes no histograms"),
        (["--histograms", tmp_path / "x.hlog", "--each-batch", "--json"], "--each-batch makes no histograms"),
    ]:
        is_one_clear_line(workbook("jbang", "market-feed", day, *options), said)
    assert not (tmp_path / "x.hlog").exists()


def test_every_combination_replays_in_a_small_heap(day: Path) -> None:
    options = ["--messages", 40_000, "--batch", 1_000, "--warm-up", 10_000, "--pools", "1,2,4,12", "--heap", "32m"]
    rows = json.loads(workbook("jbang", "market-feed", day, *options, "--json").stdout)
    assert len(rows) == 4 + (2 + 2 * 4) + 4 + 1  # NEW, POOL (types; combined), SHARED, FLYWEIGHT
    for row in rows:
        assert row["messages"] == 40_000
        assert row["batches"] == 40
        assert 0 < row["batch_p50_ns_per_op"] <= row["batch_max_ns_per_op"]
        assert row["batch_p90_ns_per_op"] is row["batch_slowest_ns_per_op"] is None, "four batches lie above p90"
        assert 0 < row["p50_us"] <= row["p99_9_us"] <= row["max_us"]
        assert row["p99_99_us"] is None, "four messages lie above it"
        assert row["probe_before_us"] > 0 and row["probe_after_us"] > 0 and row["calm_wait_s"] is None
    real = {row["checksum"] for row in rows if row["fill"] in ("REAL", None)}
    assert len(real) == 1, "one came to another book than the others"
