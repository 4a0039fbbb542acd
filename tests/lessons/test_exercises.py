"""The pools to write yourself: each stub compiles and fails its check, and each solution passes it."""

from __future__ import annotations

import json
import re

import pytest

from launch import workbook
from poolbook.system.paths import ROOT

FOLDER = ROOT / "java" / "exercises"
LESSONS = {"02", "04", "06"}  # solved in the worked edition


@pytest.mark.parametrize(
    ("name", "fails"),
    [
        ("timeout", "timeout"),
        ("partitioned", "object"),
        ("leak-detecting", "overdue"),
    ],
)
def test_the_stub_fails_and_the_solution_passes(name: str, fails: str) -> None:
    stub = workbook("jbang", "pool-check", FOLDER / name / "MyPool.java")
    assert stub.returncode == 1, stub.stdout + stub.stderr
    assert fails in stub.stdout
    solved = workbook("jbang", "pool-check", FOLDER / name / "solved" / "MyPool.java")
    assert solved.returncode == 0, solved.stdout + solved.stderr
    passed, of = map(int, re.search(r"(\d+) of (\d+) checks passed", solved.stdout).groups())
    assert passed == of


@pytest.mark.parametrize(("folder", "is_through"), [("virtual", False), ("virtual/solved", True)])
def test_the_pool_for_virtual_threads(folder: str, is_through: bool) -> None:
    words = ["--ways", "YOURS", "--yours", FOLDER / folder / "MyPool.java", "--threads", "2000", "--limit", "5"]
    done = workbook("jbang", "virtual-threads", *words, "--json")
    if "no Java 21 or later found" in done.stderr:
        pytest.skip("no Java 21 or later here")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)
    assert row["is_through"] is is_through, row["where_they_wait"]


def test_the_benchmark_of_your_own_object_runs() -> None:
    file = FOLDER / "benchmark" / "MyBenchmark.java"
    done = workbook("jbang", file, "-f", "1", "-wi", "0", "-i", "1", "-r", "10ms")
    assert done.returncode == 0, done.stderr
    assert set(re.findall(r"^MyBenchmark\.(\w+) +avgt", done.stdout, re.MULTILINE)) == {"madeNew", "pooled"}


def test_every_folder_is_described_and_checked() -> None:
    folders = {path.name for path in FOLDER.iterdir() if path.is_dir()}
    assert folders == LESSONS | {"timeout", "partitioned", "leak-detecting", "virtual", "benchmark"}
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in text for name in folders)
