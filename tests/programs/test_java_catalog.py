"""Every one-liner of the catalog: it runs from anywhere, has help, and answers bad input with one clear line."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from launch import is_one_clear_line, served, strangers_jbang, workbook
from poolbook.record.experiments import EXPERIMENTS, SMOKE, aliases
from poolbook.system.paths import ROOT
from poolbook.tables import columns

CATALOG = aliases()
FORMER = {
    "break": "pool-break",
    "check": "pool-check",
    "feed": "market-feed",
    "race": "pool-race",
    "strings": "byte-strings",
}


def test_every_alias_has_a_smoke_run() -> None:
    assert set(SMOKE) == set(CATALOG)


@pytest.mark.parametrize(("former", "alias"), FORMER.items())
def test_the_former_name_of_a_program_still_runs_it(former: str, alias: str) -> None:
    done = workbook("jbang", former, "--help")
    assert done.stdout == workbook("jbang", alias, "--help").stdout
    assert done.returncode == 0


@pytest.mark.parametrize("alias", CATALOG)
def test_its_description_begins_with_an_example(alias: str) -> None:
    example, _, what = CATALOG[alias]["description"].partition(" : ")
    assert example.split()[0] == alias
    assert len(what) > 20


@pytest.mark.parametrize("alias", CATALOG)
def test_it_runs_from_anywhere(alias: str, pool: Path, day: Path) -> None:
    """From another folder and with relative paths, which is harder than from inside the checkout."""
    files = {"pool": pool, "day": day, "new": day.with_name("new.bin")}
    names = {name: os.path.relpath(file, pool.parent) for name, file in files.items()}
    arguments = [word.format(**names) for word in SMOKE[alias]]
    done = workbook("jbang", alias, *arguments, "--json", folder=pool.parent)
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert rows
    assert all(isinstance(value, (str, int, float, bool, type(None))) for row in rows for value in row.values())
    assert all(name == name.lower() for row in rows for name in row)
    if alias in {plan.alias for plan in EXPERIMENTS.values() if plan.jmh}:
        columns.check(name for row in rows for name in row)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., subprocess.CompletedProcess[str]]]:
    """A JBang in an empty folder, which knows the catalog only from a web server and does not know the launcher."""
    with served(ROOT) as address:
        yield strangers_jbang(tmp_path_factory.mktemp("stranger"), address)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="this `jbang` is a shell script")
@pytest.mark.parametrize("alias", ["bench-libraries", "market-feed", "should-i-pool"])
def test_it_runs_from_the_web(alias: str, web: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    """From an empty folder: many jars, a sample of a day, a recipe.

    That each program names all its sources, test_java_lists.py shows.
    """
    done = web(f"{alias}@pools", *(word for word in SMOKE[alias] if word != "{day}"), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)


@pytest.mark.parametrize("alias", CATALOG)
def test_it_has_help(alias: str) -> None:
    done = workbook("jbang", alias, "--help")
    assert done.returncode == 0
    assert done.stdout.startswith(f"Usage: {alias} ")
    assert "[picocli WARN]" not in done.stdout + done.stderr
    measures_with_jmh = alias.startswith("bench-") or alias in (
        "libraries",
        "pool-race",
        "should-i-pool",
        "two-borrows",
    )
    assert ("Most options of JMH may follow" in done.stdout) == measures_with_jmh
    runs_any_code = alias in ("pool-break", "pool-check", "pool-race", "should-i-pool")
    assert ("with your own rights" in " ".join(done.stdout.split())) == runs_any_code


def test_a_benchmark_class_says_how_it_is_run() -> None:
    files = [file for file in (ROOT / "java").glob("*/*Benchmark.java") if "@Benchmark" in file.read_text()]
    assert len(files) >= 8
    for file in files:
        example = re.search(r"\{@code \./workbook jbang (\S+)", file.read_text())
        assert example, f"{file.name} has no 'How to run this'"
        assert example[1] in CATALOG


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("dates --threads 0", "--threads must be from 1 to 2000, not 0"),
        ("dates --threads 5,-1", "--threads must be from 1 to 2000, not -1"),
        ("dates --parses 0", "--parses must be from 1 to 1000000000, not 0"),
        ("dates --objects 0", "--objects must be from 1 to 10000, not 0"),
        ("dates --passes 0", "--passes must be at least 1, not 0"),
        ("dates --threads many", "'many' is not an int"),
        ("dates --strategies NOPE", "NOPE"),
        ("dates --compiler fast", "fast"),
        ("dates --strategies YOURS", "YOURS needs a pool of yours: --yours MyPool.java"),
        ("dates --yours nowhere.java --strategies YOURS", "nowhere.java"),
        ("dates --yours nowhere.java --strategies NEW", "--yours does nothing without YOURS"),
        ("dates --nonsense", "Unknown option: '--nonsense'"),
        ("dates-race --threads 0", "--threads must be from 1 to 2000, not 0"),
        ("dates-race --parses 0", "--parses must be from 1 to 1000000000, not 0"),
        ("bench-dates --threads 0", "--threads must be from 1 to 2000, not 0"),
        ("bench-dates --objects 0", "--objects must be from 1 to 10000, not 0"),
        ("bench-dates --strategies NOPE", "NOPE"),
        ("bench-dates --profile quick", "quick"),
        ("bench-dates --profile smoke -wi x", "x"),
        ("market-data", "--out"),
        ("market-data --out build/never.bin --messages 0", "--messages must be from 1 to 4000000000, not 0"),
        ("market-data --out build/never.bin --symbols -1", "--symbols must be from 1 to 100000, not -1"),
        ("market-data --out README.md", "README.md already exists: --force overwrites it"),
        ("market-data --out java", "java is a folder"),
        ("market-data --out nowhere/day.bin", "no folder"),
        ("market-feed nowhere.bin", "no file nowhere.bin"),
        ("market-feed requirements.in", "requirements.in: byte 0: PktSize"),
        ("market-feed requirements.in --verify", "requirements.in: byte 0: PktSize"),
        ("market-feed README.md --strategy NOPE", "NOPE"),
        ("market-feed README.md --pools 5", "--pools must be 1, 2, 3, 4, 6 or 12, not 5"),
        ("market-feed README.md --warm-up -1", "--warm-up must be at least 0, not -1"),
        ("market-feed README.md --batch 0", "--batch must be at least 1, not 0"),
        ("market-feed README.md --messages 10", "--messages must be at least a --batch of 10000, not 10"),
        ("market-feed README.md --batch 1 --warm-up 99999999999", "--warm-up / --batch must be at most 10000000"),
        ("market-feed README.md --each-batch", "--each-batch prints a row per batch: it needs --json"),
        ("bench-feed requirements.in --profile smoke", "requirements.in: byte 0: PktSize 8227 where the file has"),
        ("bench-feed no-such-file", "no file no-such-file"),
        ("bench-stores --jdk 3", "no Java 3 found: install one, or set JAVA_HOME_3_X64 to its folder"),
        ("bench-stores --jdk 17 -jvm java", "--jdk or -jvm, not both"),
        ("bench-stores --gc EPSILON", "EPSILON"),
        ("bench-strings --lengths 1 --hit-rates 50", "there are too few texts of length 1 for a hit rate of 50%"),
        ("bench-strings --hit-rates 101", "a hit rate in percent must be from 0 to 100"),
        ("bench-strings --residents 0", "--residents must be at least 1, not 0"),
        ("bench-strings --slots 1000000 --hit-rates 0 --lengths 512", "are more than one buffer holds"),
        ("bench-strings --day nowhere.bin", "no file nowhere.bin"),
        ("bench-strings --compact-strings MAYBE", "MAYBE"),
        ("bench-strings --strategies YOURS", "YOURS needs a pool of yours: --yours MyPool.java"),
        ("bench-strings --strategies YOURS --yours java/exercises/02/MyPool.java", "MyPool"),
        ("byte-strings --strategies YOURS", "YOURS is for bench-strings"),
        ("byte-strings --texts 0", "--texts must be at least 1, not 0"),
        ("libraries --pools NOBODY", "no pool NOBODY; there are: all, NONE, NEW, LOCKED,"),
        ("libraries --threads 0", "--threads must be from 1 to 2000, not 0"),
        ("libraries --objects 0", "--objects must be from 1 to 10000, not 0"),
        ("libraries --hold sleep:1", "--hold takes cpu:TOKENS, memory:LOADS, block:TIME or block:TIME+TIME"),
        ("libraries --timed -1", "--timed must be at least 0, not -1"),
        ("libraries --timed 2 --rate 5", "with --rate, each request is timed"),
        ("bench-bursts --timed 1", "each borrow is timed"),
        ("libraries --timeout 10", "--timeout takes none, or a number with its unit"),
        ("libraries --seconds 0", "--seconds must be from 0.1 to 3600, not 0.0"),
        ("libraries --rate -1", "--rate must be from 0 to 10000000"),
        ("bench-libraries --rate 2147483648", "--rate must be from 0 to 10000000"),
        ("bench-tracking zzz", "unknown word 'zzz': --help names the options"),
        ("bench-dates -prof nonsense", "JMH: "),
        ("bench-dates -rff out.json", "JMH's option -rff cannot be used here"),
        ("bench-dates -t 4", "JMH's option -t cannot be used here"),
        ("bench-dates -p size=4", "JMH's option -p cannot be used here"),
        ("bench-dates -l", "JMH's option -l cannot be used here"),
        ("bench-dates -r 0", "JMH: the time of an iteration must be above 0"),
        ("bench-dates -jvm /nope", "/nope is not a Java executable"),
        ("libraries --partitions 3 --objects 10", "10 objects cannot be divided among 3 partitions"),
        ("bench-bursts --rate 5", "in a burst, each thread borrows one object"),
        ("bench-pitfalls --threads 0", "--threads must be from 1 to 2000, not 0"),
        ("leaks --heaps 1g", "--heaps are megabytes such as 64m, not 1g"),
        ("leaks --messages 0", "--messages must be at least 1, not 0"),
        ("bench-break-even --tokens -1", "--tokens must be at least 0, not -1"),
        ("bench-break-even --threads 0", "--threads must be from 1 to 2000, not 0"),
        ("fast-pool-sizes --partitions 101 --size 100", "at most 10000 objects are allowed"),
        ("fast-pool-sizes --size 5 --least 6", "--least 6 is more than --size 5"),
        ("hold-and-wait --borrows 3 --objects 2", "no thread can hold 3 of 2 objects"),
        ("hold-and-wait --limit 0", "--limit must be at least 1, not 0"),
        ("two-borrows --borrows 0", "--borrows must be from 1 to 100, not 0"),
        ("strings-kept --symbols 0", "--symbols must be from 1 to 50000000, not 0"),
        ("strings-kept --strategies COPY", "COPY is only for bench-strings"),
        ("byte-strings --lengths 600", "a text's length in bytes must be from 1 to 512"),
        ("bench-stores --objects 0", "--objects must be from 1 to 1000000, not 0"),
        ("bench-stores --stores SHELF", "SHELF"),
        ("bench-dates --heap abc", "--heap must be a size, such as 256m or 2g, from 8m to this machine's"),
        ("bench-dates --heap 1", "m, not 1"),
        ("bench-dates --heap 999t", "m, not 999t"),
        ("bench-dates --heap 99999g", "m, not 99999g"),
        ("dates --heap 7m", "m, not 7m"),
        ("market-feed README.md --heap nonsense", "m, not nonsense"),
        ("leaks --heaps 99999m", "--heaps must be a size, such as 256m or 2g"),
        ("bench-prices --results=", "--results needs a folder, and this one is empty"),
        ("bench-dates --results README.md", "--results README.md is not a writable folder"),
        ("bench-dates --results README.md/below", "is not a writable folder"),
        ("dates --threads 2147483647", "--threads must be from 1 to 2000, not 2147483647"),
        ("dates --objects 2147483647", "--objects must be from 1 to 10000, not 2147483647"),
        ("dates-race --threads 2147483647", "--threads must be from 1 to 2000, not 2147483647"),
        ("bench-dates --threads 2147483647", "--threads must be from 1 to 2000, not 2147483647"),
        ("bench-dates --objects 2147483647", "--objects must be from 1 to 10000, not 2147483647"),
        ("bench-stores --objects 2147483647", "--objects must be from 1 to 1000000, not 2147483647"),
        ("bench-strings --threads 2147483647", "--threads must be from 1 to 2000, not 2147483647"),
        ("bench-strings --slots 2147483647", "--slots must be from 8 to 1048576, not 2147483647"),
        ("bench-pitfalls --threads 2147483647", "--threads must be from 1 to 2000, not 2147483647"),
        ("bench-break-even --threads 2147483647", "--threads must be from 1 to 2000, not 2147483647"),
        ("bench-break-even --objects 2147483647", "--objects must be from 1 to 10000, not 2147483647"),
        ("libraries --threads 2147483647", "--threads must be from 1 to 2000, not 2147483647"),
        ("libraries --objects 2147483647", "--objects must be from 1 to 10000, not 2147483647"),
        ("libraries --borrows 2147483647", "--borrows must be from 1 to 100, not 2147483647"),
        ("two-borrows --threads 2147483647", "--threads must be from 1 to 2000, not 2147483647"),
        ("byte-strings --slots 2147483647", "--slots must be from 8 to 1048576, not 2147483647"),
        ("strings-kept --slots 2147483647", "--slots must be from 8 to 1048576, not 2147483647"),
        ("hold-and-wait --objects 2147483647", "--objects must be from 1 to 10000, not 2147483647"),
        ("hold-and-wait --threads 2147483647", "--threads must be from 1 to 2000, not 2147483647"),
        ("pool-check", "MyPool.java"),
        ("pool-check nowhere.java", "nowhere.java"),
        ("pool-check java/exercises/02/MyPool.java --borrows 0", "--borrows must be from 1 to 100000, not 0"),
    ],
)
def test_bad_input_is_one_clear_line(line: str, said: str) -> None:
    is_one_clear_line(workbook("jbang", *line.split()), said)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="only Linux has /proc")
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("bench-dates --results /proc/nowhere", "--results /proc/nowhere is not a writable folder"),
        ("market-data --out /dev/null --force", "/dev/null is not a file that can be overwritten"),
        ("market-data --out /dev/null", "/dev/null is not a file that can be overwritten"),
        ("market-data --out /proc/day.bin", "cannot write to /proc"),
    ],
)
def test_a_place_where_nothing_can_be_written_is_one_clear_line(line: str, said: str) -> None:
    is_one_clear_line(workbook("jbang", *line.split()), said)


def test_what_is_named_twice_is_measured_once() -> None:
    options = ["--strategies", "POOL,pool,POOL", "--threads", "1,1", "--compiler", "client,client"]
    done = workbook("jbang", "dates", *options, "--parses", 50, "--json")
    assert [(row["strategy"], row["threads"]) for row in json.loads(done.stdout)] == [("POOL", 1)]
    stores = ["--stores", "ARRAY_STACK,ARRAY_STACK", "--objects", "2,2", "--gc", "SERIAL,SERIAL", "-i", 1]
    done = workbook("jbang", "bench-stores", "--profile", "smoke", *stores, "--json")
    assert [(row["store"], row["objects"], row["gc"]) for row in json.loads(done.stdout)] == [
        ("ARRAY_STACK", 2, "SERIAL")
    ]
