"""The Java programs, through the launcher: their own tests, their answers, and every one-liner of the catalog."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import platform
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from launch import is_one_clear_line, workbook
from poolbook.notebook import read
from poolbook.paths import ROOT, SOLUTIONS

CATALOG = json.loads((ROOT / "jbang-catalog.json").read_text(encoding="utf-8"))["aliases"]
STUB = ROOT / "java" / "exercises" / "02" / "MyPool.java"
JDKS_WITH_EVENTS = [
    "17",
    pytest.param("8", marks=pytest.mark.skipif("JAVA_HOME_8_X64" not in os.environ, reason="no JAVA_HOME_8_X64 here")),
]
# The least that shows that a one-liner works; {pool} is a pool that keeps the contract,
# {day} a feed file, {new} a file that is not there yet.
SMOKE = {
    "dates": ["--threads", "1", "--parses", "50", "--strategies", "POOL", "--compiler", "client", "--json"],
    "dates-race": ["--threads", "1", "--parses", "50", "--json"],
    "bench-dates": ["--profile", "smoke", "--threads", "1", "--strategies", "POOL", "--json"],
    "market-data": ["--messages", "1000", "--symbols", "5", "--out", "{new}", "--json"],
    "feed": [
        "{day}",
        "--strategy",
        "POOL",
        "--layout",
        "COMBINED",
        "--fill",
        "REAL",
        "--messages",
        "5000",
        "--batch",
        "1000",
        "--warm-up",
        "1000",
        "--json",
    ],
    "bench-feed": [
        *["{day}", "--strategy", "POOL", "--layout", "COMBINED", "--fill", "REAL"],
        *["--profile", "smoke", "--gc", "DEFAULT", "--json"],
    ],
    "bench-stores": ["--profile", "smoke", "--stores", "ARRAY_STACK", "--json"],
    "strings": ["--strategies", "POOL", "--lengths", "8", "--texts", "100000", "--json"],
    "bench-strings": ["--profile", "smoke", "--strategies", "POOL", "--lengths", "8", "--json"],
    "strings-kept": ["--symbols", "10000", "--json"],
    "libraries": ["--pools", "HIKARI_BAG", "--threads", "2", "--objects", "2", "--seconds", "0.2", "--json"],
    "bench-libraries": ["--profile", "smoke", "--pools", "HIKARI_BAG", "--threads", "2", "--objects", "2", "--json"],
    "libraries-facts": ["--json"],
    "bench-bursts": ["--profile", "smoke", "--pools", "COMMONS_1_STACK", "--threads", "4", "--objects", "2", "--json"],
    "bench-pitfalls": ["--profile", "smoke", "--tricks", "HASH", "--json"],
    "leaks": ["--heaps", "16m", "--messages", "10000", "--json"],
    "bench-break-even": ["--profile", "smoke", "--tokens", "100", "--threads", "1", "--strategies", "POOL", "--json"],
    "soft-pools": ["--pools", "COMMONS_2_SOFT", "--objects", "100", "--json"],
    "fast-pool-sizes": ["--json"],
    "hold-and-wait": ["--json"],
    "two-borrows": ["--pools", "HIKARI_BAG", "--threads", "4", "--objects", "4", "--seconds", "0.2", "--json"],
    "check": ["{pool}", "--borrows", "100", "--json"],
}


# Systems for which Jazzer ships its native part.
JAZZER = {("Linux", "x86_64"), ("Darwin", "x86_64"), ("Darwin", "arm64"), ("Windows", "AMD64")}


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The exercise of lesson 02, solved."""
    book = read(next(SOLUTIONS.glob("02-*.ipynb")))
    cell = next(cell for cell in book.cells if "my-pool" in cell.metadata.get("tags", []))
    stub = cell.metadata["workbook"]["stub"].rstrip()
    text = STUB.read_text(encoding="utf-8")
    assert stub in text
    file = tmp_path_factory.mktemp("somewhere else") / "MyPool.java"
    file.write_text(text.replace(stub, cell.source), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small day of market data."""
    file = tmp_path_factory.mktemp("market") / "day.bin"
    done = workbook("jbang", "market-data", "--messages", 20_000, "--symbols", 50, "--seed", 3, "--out", file)
    assert done.returncode == 0, done.stderr
    return file


def test_junit() -> None:
    done = workbook("jbang", "java/test/Tests.java")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip().endswith("0 failed, 0 skipped")


@pytest.mark.skipif("JAVA_HOME_8_X64" not in os.environ, reason="no JAVA_HOME_8_X64 on this machine")
def test_junit_on_java_8() -> None:
    assert workbook("jbang", "build", "java/test/Tests.java").returncode == 0
    class_path = workbook("jbang", "info", "classpath", "java/test/Tests.java").stdout.strip()
    java = Path(os.environ["JAVA_HOME_8_X64"]) / "bin" / "java"
    done = subprocess.run([java, "-cp", class_path, "test.Tests"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


# --------------------------------------------------------------------------------------------- the catalog


def test_every_alias_has_a_smoke_run() -> None:
    assert set(SMOKE) == set(CATALOG)


@pytest.mark.parametrize("alias", CATALOG)
def test_its_description_begins_with_an_example(alias: str) -> None:
    example, _, what = CATALOG[alias]["description"].partition(" : ")
    assert example.split()[0] == alias
    assert len(what) > 20


@pytest.mark.parametrize("inside", [True, False], ids=["inside", "outside"])
@pytest.mark.parametrize("alias", CATALOG)
def test_it_runs_from_anywhere(alias: str, inside: bool, pool: Path, day: Path) -> None:
    files = {"pool": pool, "day": day, "new": day.with_name(f"new-{inside}.bin")}
    names = {name: str(file) if inside else os.path.relpath(file, pool.parent) for name, file in files.items()}
    arguments = [word.format(**names) for word in SMOKE[alias]]
    done = workbook("jbang", alias, *arguments, folder=ROOT if inside else pool.parent)
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert rows
    assert all(isinstance(value, (str, int, float, bool, type(None))) for row in rows for value in row.values())
    assert all(name == name.lower() for row in rows for name in row)


@pytest.mark.parametrize("alias", CATALOG)
def test_it_has_help(alias: str) -> None:
    done = workbook("jbang", alias, "--help")
    assert done.returncode == 0
    assert done.stdout.startswith(f"Usage: {alias} ")
    assert "[picocli WARN]" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("dates --threads 0", "--threads must be at least 1, not 0"),
        ("dates --threads 5,-1", "--threads must be at least 1, not -1"),
        ("dates --parses 0", "--parses must be at least 1, not 0"),
        ("dates --objects 0", "--objects must be at least 1, not 0"),
        ("dates --passes 0", "--passes must be at least 1, not 0"),
        ("dates --threads many", "'many' is not an int"),
        ("dates --strategies NOPE", "NOPE"),
        ("dates --compiler fast", "fast"),
        ("dates --strategies YOURS", "YOURS needs a pool of yours: --yours MyPool.java"),
        ("dates --yours nowhere.java --strategies YOURS", "nowhere.java"),
        ("dates --nonsense", "Unknown option: '--nonsense'"),
        ("dates-race --threads 0", "--threads must be at least 1, not 0"),
        ("dates-race --parses 0", "--parses must be at least 1, not 0"),
        ("bench-dates --threads 0", "--threads must be at least 1, not 0"),
        ("bench-dates --objects 0", "--objects must be at least 1, not 0"),
        ("bench-dates --strategies NOPE", "NOPE"),
        ("bench-dates --profile quick", "quick"),
        ("bench-dates --profile smoke -wi x", "x"),
        ("market-data", "--out"),
        ("market-data --out build/never.bin --messages 0", "--messages must be from 1 to 4000000000, not 0"),
        ("market-data --out build/never.bin --symbols -1", "--symbols must be from 1 to 100000, not -1"),
        ("market-data --out README.md", "README.md is there already: --force writes over it"),
        ("market-data --out java", "java is a folder"),
        ("market-data --out nowhere/day.bin", "no folder"),
        ("feed", "FILE"),
        ("feed nowhere.bin", "no file nowhere.bin"),
        ("feed README.md", "README.md: byte 0: PktSize"),
        ("feed README.md --verify", "README.md: byte 0: PktSize"),
        ("feed README.md --strategy NOPE", "NOPE"),
        ("feed README.md --pools 5", "--pools must be 1, 2, 3, 4, 6 or 12, not 5"),
        ("feed README.md --warm-up -1", "--warm-up must be at least 0, not -1"),
        ("feed README.md --batch 0", "--batch must be at least 1, not 0"),
        ("feed README.md --messages 10", "--messages must be at least a --batch of 1000000, not 10"),
        ("feed README.md --batch 1 --warm-up 99999999999", "--warm-up / --batch must be at most 10000000"),
        ("feed README.md --each-batch", "--each-batch prints a row per batch: it needs --json"),
        ("bench-feed README.md --profile smoke", "README.md: byte 0: PktSize 8227 where the file has"),
        ("bench-feed no-such-file", "no file no-such-file"),
        ("bench-stores --jdk 3", "no Java 3 found: install one, or set JAVA_HOME_3_X64 to its folder"),
        ("bench-stores --jdk 17 -jvm java", "--jdk or -jvm, not both"),
        ("bench-stores --gc EPSILON", "EPSILON"),
        ("bench-strings --lengths 1 --hit-rates 50", "there are too few texts of length 1 for a hit rate of 50%"),
        ("bench-strings --hit-rates 101", "a hit rate is from 0 to 100 percent"),
        ("bench-strings --residents 0", "--residents must be at least 1, not 0"),
        ("bench-strings --slots 100000000 --hit-rates 0 --lengths 8", "are more than one buffer holds"),
        ("bench-strings --day nowhere.bin", "no file nowhere.bin"),
        ("bench-strings --compact-strings MAYBE", "MAYBE"),
        ("bench-strings --strategies YOURS", "YOURS needs a pool of yours: --yours MyPool.java"),
        ("bench-strings --strategies YOURS --yours java/exercises/02/MyPool.java", "MyPool"),
        ("strings --strategies YOURS", "YOURS is for bench-strings"),
        ("strings --texts 0", "--texts must be at least 1, not 0"),
        ("libraries --pools NOBODY", "no pool NOBODY; there are: all, NONE, NEW, LOCKED,"),
        ("libraries --threads 0", "--threads must be at least 1, not 0"),
        ("libraries --objects 0", "--objects must be at least 1, not 0"),
        ("libraries --hold sleep:1", "a hold is cpu:TOKENS or block:N"),
        ("libraries --timeout 10", "--timeout is a number with ms or s behind it"),
        ("libraries --seconds 0", "--seconds is from 0.1 to 3600, not 0.0"),
        ("libraries --rate -1", "--rate must be at least 0"),
        ("libraries --partitions 3 --objects 10", "10 objects cannot be divided among 3 partitions"),
        ("bench-bursts --rate 5", "in a burst each borrows one object when all do"),
        ("bench-pitfalls --threads 0", "--threads must be at least 1, not 0"),
        ("leaks --heaps 1g", "--heaps are megabytes such as 64m, not 1g"),
        ("leaks --messages 0", "--messages must be at least 1, not 0"),
        ("bench-break-even --tokens -1", "--tokens must be at least 0, not -1"),
        ("bench-break-even --threads 0", "--threads must be at least 1, not 0"),
        ("soft-pools --pools NONE", "NONE keeps no objects"),
        ("fast-pool-sizes --partitions 101 --size 100", "more than 10000 objects"),
        ("fast-pool-sizes --size 5 --least 6", "--least 6 is more than --size 5"),
        ("hold-and-wait --borrows 3 --objects 2", "nobody can hold 3 of 2 objects"),
        ("hold-and-wait --limit 0", "--limit must be at least 1, not 0"),
        ("two-borrows --borrows 0", "--borrows must be at least 1, not 0"),
        ("strings-kept --symbols 0", "--symbols must be at least 1, not 0"),
        ("strings-kept --strategies COPY", "COPY is for bench-strings"),
        ("strings --lengths 600", "a length up to 512 bytes"),
        ("bench-stores --objects 0", "--objects must be at least 1, not 0"),
        ("bench-stores --stores SHELF", "SHELF"),
        ("check", "MyPool.java"),
        ("check nowhere.java", "nowhere.java"),
        ("check java/exercises/02/MyPool.java --borrows 0", "--borrows must be at least 1, not 0"),
    ],
)
def test_bad_input_is_one_clear_line(line: str, said: str) -> None:
    is_one_clear_line(workbook("jbang", *line.split()), said)


# ---------------------------------------------------------------------------------------- what they answer


def test_dates_prints_the_twelve_rows_of_2006() -> None:
    done = workbook("jbang", "dates", "--parses", "50")
    assert done.returncode == 0, done.stderr
    rows = [line.split()[:3] for line in done.stdout.splitlines()[2:]]
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
        assert 0 < row["jain"] <= 1
    for raw in tmp_path.glob("*.jmh.json"):
        (result,) = json.loads(raw.read_text())
        counted = {name: metric["score"] for name, metric in result["secondaryMetrics"].items()}
        threads = [counted[f"clock.thread_{number:02d}_ops_per_ms"] for number in (1, 2, 3)]
        assert sum(threads) == pytest.approx(counted["clock.ops_per_ms"])
    assert len(list(tmp_path.glob("*.jmh.json"))) == 2


# ------------------------------------------------------------------------------------------ the market feed


def sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def test_a_seed_gives_the_same_day_on_every_java(day: Path, tmp_path: Path) -> None:
    """On the JDKs that are here anyway: the workbook's own, and those it was told of."""
    options = ["--messages", "20000", "--symbols", "50", "--seed", "3", "--out"]
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
    done = workbook("jbang", "feed", day, "--verify", "--json")
    assert json.loads(done.stdout) == written
    assert sum(row["messages"] for row in written if row["type"] >= 100) == 20_000


def test_a_day_that_is_there_is_not_written_over_and_no_part_is_left(day: Path) -> None:
    before = sha256(day)
    is_one_clear_line(workbook("jbang", "market-data", "--messages", 10, "--out", day), "is there already")
    assert sha256(day) == before
    assert sorted(file.suffix for file in day.parent.iterdir()) == [".bin"] * len(list(day.parent.iterdir()))


def test_the_sample_is_what_its_readme_says(tmp_path: Path) -> None:
    """The committed file, unpacked, is what the command in its README writes; packed, it can be read."""
    folder = ROOT / "datasets" / "market"
    (line,) = re.findall(r"^\./workbook (jbang market-data .*)$", (folder / "README.md").read_text(), re.MULTILINE)
    assert workbook(*line.split(), folder=tmp_path).returncode == 0
    with gzip.open(folder / "day-100000.bin.gz") as packed:
        assert packed.read() == (tmp_path / "day-100000.bin").read_bytes()
    done = workbook("jbang", "feed", folder / "day-100000.bin.gz", "--verify")
    assert done.returncode == 0, done.stderr
    assert "every message is true" in done.stdout


def test_a_file_that_is_not_whole_gzip_is_one_line(tmp_path: Path) -> None:
    packed = (ROOT / "datasets" / "market" / "day-100000.bin.gz").read_bytes()
    for name, content in {"cut.gz": packed[:5000], "no.gz": b"nothing of the kind"}.items():
        (tmp_path / name).write_bytes(content)
        is_one_clear_line(workbook("jbang", "feed", tmp_path / name), "is not a whole gzip file")


def test_a_truncated_day_is_one_line_with_the_place(day: Path, tmp_path: Path) -> None:
    file = tmp_path / "cut.bin"
    file.write_bytes(day.read_bytes()[:-7])
    is_one_clear_line(workbook("jbang", "feed", file, "--verify"), ": PktSize ")
    is_one_clear_line(workbook("jbang", "feed", file), ": PktSize ")


def test_the_decoder_stands_what_a_fuzzer_makes_up() -> None:
    """Jazzer has no build for every system; the test with seeded noise in FeedTest runs on all."""
    if (platform.system(), platform.machine()) not in JAZZER:
        pytest.skip(f"no Jazzer for {platform.system()} on {platform.machine()}")
    done = workbook("jbang", "java/test/FuzzFeed.java", "--seconds", 15)
    assert done.returncode == 0, done.stderr[-2000:]
    runs = int(re.search(r"Done (\d+) runs", done.stderr)[1])
    assert runs > 1_000, "the fuzzer hardly ran"


def test_the_fuzzer_finds_what_is_wrong_with_a_reader_that_trusts() -> None:
    if (platform.system(), platform.machine()) not in JAZZER:
        pytest.skip(f"no Jazzer for {platform.system()} on {platform.machine()}")
    done = workbook("jbang", "java/test/FuzzFeed.java", "--seconds", 60, "--target", "feed.FuzzedFeed$Trusting")
    assert done.returncode == 77
    assert "IndexOutOfBoundsException" in done.stderr


def test_each_batch_is_a_row_in_its_order(day: Path) -> None:
    options = ["--strategy", "POOL", "--layout", "COMBINED", "--fill", "REAL", "--warm-up", 1_000, "--each-batch"]
    done = workbook("jbang", "feed", day, *options, "--messages", 20_000, "--batch", 5_000, "--json")
    rows = json.loads(done.stdout)
    assert [row["batch_number"] for row in rows] == [1, 2, 3, 4]
    assert all(row["batch"] == 5_000 and row["ns_per_op"] > 0 for row in rows)


def test_a_seed_shuffles_the_contenders_and_the_same_seed_the_same_way(day: Path) -> None:
    options = ["--messages", 2_000, "--batch", 1_000, "--warm-up", 1_000, "--layout", "COMBINED", "--json"]

    def order(*seed: object) -> list[tuple]:
        rows = json.loads(workbook("jbang", "feed", day, *options, *seed).stdout)
        return [(row["strategy"], row["fill"]) for row in rows]

    one, other = order("--seed", 1), order("--seed", 2)
    assert sorted(one, key=str) == sorted(other, key=str)
    assert one == order("--seed", 1)
    assert one != other


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
    """All but LIMIT, which compares nothing and may be wrong; Chronicle's interners run with the options they need."""
    names = "POOL,POOL_UTF_8,LOCKED,COPY,VIEW,HIBYTE,US_ASCII,ISO_8859_1,UTF_8,INTERN,MAP"
    names += ",CHRONICLE_BIT8,CHRONICLE_UTF8,CHRONICLE_BYTES"
    done = workbook(
        "jbang", "strings", "--strategies", names, "--lengths", "3,12", "--hit-rate", 90, "--texts", 20_000, "--json"
    )
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert len(rows) == 2 * len(names.split(","))
    for length in (3, 12):
        assert len({row["checksum"] for row in rows if row["length"] == length}) == 1, length
    bytes_of = {row["strategy"]: row["bytes_per_op"] for row in rows if row["length"] == 12}
    assert bytes_of["POOL"] < bytes_of["ISO_8859_1"] / 2, "nine of ten texts are found"


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
    # What a thread allocates is counted by whole pieces of the heap: too short an iteration has too few of them.
    options = ["--profile", "smoke", "-i", "1", "-r", "150ms", "-w", "100ms", "--results", tmp_path, "--json"]
    cell = ["--day", day, "--slots", "8,1024", "--compact-strings", "ON,OFF", "--strategies", "POOL,US_ASCII"]
    done = workbook("jbang", "bench-strings", *options, *cell, "--blackholes", "compiler")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert len(rows) == 8
    for row in rows:
        assert (row["texts"], row["length"], row["hit_rate"], row["blackholes"]) == ("DAY", None, None, "COMPILER")
    by = {(row["strategy"], row["slots"], row["compact_strings"]): row["bytes_per_op"] for row in rows}
    for compact in ("ON", "OFF"):
        assert by["POOL", 1024, compact] < by["POOL", 8, compact] / 4, "eight slots are too few for a day"
        assert by["US_ASCII", 8, compact] == pytest.approx(by["US_ASCII", 1024, compact], rel=0.1), "it has no slots"
    for file in tmp_path.glob("*.jmh.json"):
        (result,) = json.loads(file.read_text(encoding="utf-8"))
        assert ("-XX:-CompactStrings" in result["jvmArgs"]) == ("compact_strings=OFF" in file.name)


@pytest.mark.skipif("JAVA_HOME_8_X64" not in os.environ, reason="no JAVA_HOME_8_X64 on this machine")
def test_compiler_blackholes_are_refused_where_there_are_none() -> None:
    done = workbook("jbang", "bench-strings", "--jdk", "8", "--blackholes", "COMPILER", "--lengths", "8")
    is_one_clear_line(done, "Java 8 has no COMPILER blackholes; they came with Java 17")


# What every row of the libraries has, beside what every benchmark has.
LATENCIES = ["p50_us", "p90_us", "p95_us", "p99_us", "p99_9_us", "p99_99_us", "max_us"]


def test_every_pool_is_measured_with_all_its_figures() -> None:
    done = workbook("jbang", "libraries", "--threads", 4, "--objects", 4, "--seconds", 0.5, "--json")
    assert done.returncode == 0, done.stderr
    rows = {row["pool"]: row for row in json.loads(done.stdout)}
    skipped = set(re.findall(r"skipped: (\w+)", done.stderr))
    assert len(rows) + len(skipped) == 26
    assert skipped <= {"STORMPOT_4_THREADED", "STORMPOT_4_INLINE", "STORMPOT_4_TAP"}, (
        "the others run on every Java that builds them"
    )
    for name, row in rows.items():
        assert row["ops_per_ms"] > 0, name
        assert row["timed"] > 0
        assert row["stuck"] is False
        assert [row[key] for key in LATENCIES] == sorted(row[key] for key in LATENCIES), name
        assert row["borrow_us"] + row["release_us"] > 0
        assert row["mean_us"] >= row["borrow_us"] + row["release_us"]
        assert row["megabytes_per_s"] == pytest.approx(row["ops_per_ms"] * row["bytes_per_op"] / 1000, rel=0.01)
        assert row["object_bytes"] > 10_000, "ten thousand characters"
        if name not in ("NONE", "NEW", "LOCKED", "NETTY_RECYCLER") and "SOFT" not in name and "STACK" not in name:
            assert row["created"] == 4, f"{name} does not have the capacity that was asked for"
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
    quick = ["--profile", "smoke", "-f", 1, "-i", 1, "-jvmArgsAppend", "-Dclock.grace=1"]
    done = workbook("jbang", "bench-libraries", *cell, *quick, "--results", tmp_path, "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert [row["stuck"] for row in rows] == [True, True]
    assert {row["timeout_ms"] for row in rows} == {None}
    assert "STUCK:     at " in done.stderr, "where two of them waited"
    assert len(list(tmp_path.glob("*.rows.json"))) == 2, "a hung fork is a result, and kept as one"


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
    """Eight borrow at once from a stack of two: six objects are made and thrown away, burst after burst."""
    cell = ["--pools", "COMMONS_1_STACK,COMMONS_2_GENERIC", "--threads", 8, "--objects", "2,8", "--timeout", "5ms"]
    done = workbook("jbang", "bench-bursts", *cell, "--events", "--profile", "smoke", "--jdk", jdk, "--json")
    assert done.returncode == 0, done.stderr
    rows = [row for row in json.loads(done.stdout) if row["iteration"] == 2]
    by = {(row["pool"], row["objects"]): row for row in rows}
    assert by["COMMONS_1_STACK", 2]["created_per_op"] == pytest.approx(6, rel=0.1)
    assert by["COMMONS_1_STACK", 8]["created_per_op"] == 0
    assert by["COMMONS_2_GENERIC", 2]["created_per_op"] == 0
    stack = by["COMMONS_1_STACK", 2]
    assert stack["creations_per_s"] == pytest.approx(6 * 1000 * stack["ops_per_ms"], rel=0.4)
    assert stack["monitor_waits_per_s"] > 0, "it makes them one after another, in a synchronized method"
    assert stack["parks_per_s"] > 0
    assert by["COMMONS_1_STACK", 8]["creations_per_s"] == 0
    assert by["COMMONS_2_GENERIC", 2]["timeouts_per_s"] > 0, "it makes no more, so six give up"


def test_flight_recorder_is_asked_in_any_benchmark() -> None:
    options = ["--profile", "smoke", "--threads", 4, "--strategies", "LOCKED", "-i", 1]
    (row,) = json.loads(workbook("jbang", "bench-dates", *options, "--events", "--json").stdout)
    assert row["monitor_waits_per_s"] > 0
    assert row["creations_per_s"] is None, "no class was named whose objects are to be counted"
    (row,) = json.loads(workbook("jbang", "bench-dates", *options, "--json").stdout)
    assert "monitor_waits_per_s" not in row


def test_who_holds_one_and_wants_another_may_wait_for_ever() -> None:
    done = workbook("jbang", "hold-and-wait", "--threads", 10, "--objects", 10, "--limit", 1, "--runs", 2, "--json")
    for row in json.loads(done.stdout):
        assert (row["ended"], row["waiting"], row["deadlocks_found"]) == (False, 10, 0)
        assert "BlockingQueuePool.borrow" in row["stack"]
    done = workbook("jbang", "hold-and-wait", "--threads", 10, "--objects", 11, "--runs", 20, "--json")
    assert [row["ended"] for row in json.loads(done.stdout)] == [True] * 20
    done = workbook("jbang", "hold-and-wait", "--threads", 10, "--objects", 4, "--limit", 1, "--json")
    assert json.loads(done.stdout)[0]["ended"] is False, "four hold one, the others none: nobody gets a second"


def test_what_nobody_reads_is_not_made() -> None:
    tricks = ["--tricks", "NEW_UNREAD,NEW_READ,NEW_STORED"]
    done = workbook("jbang", "bench-pitfalls", "--profile", "smoke", "-wi", 3, *tricks, "--json")
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


def test_soft_references_give_their_objects_away_when_memory_is_short() -> None:
    rows = {row["pool"]: row for row in json.loads(workbook("jbang", "soft-pools", "--json").stdout)}
    assert rows["COMMONS_2_GENERIC"]["made_anew"] == 0
    for pool in ("COMMONS_1_SOFT", "COMMONS_2_SOFT"):
        assert rows[pool]["made"] == rows[pool]["objects"]
        assert rows[pool]["made_anew"] == rows[pool]["objects"], "the collector took them all"
        assert rows[pool]["megabytes"] > rows["COMMONS_2_GENERIC"]["megabytes"]


@pytest.mark.parametrize(("partitions", "size", "lent"), [(4, 10, 40), (2, 5, 10), (1, 10, 10)])
def test_the_size_of_fast_object_pool_is_that_of_a_partition(partitions: int, size: int, lent: int) -> None:
    done = workbook("jbang", "fast-pool-sizes", "--partitions", partitions, "--size", size, "--json")
    (row,) = json.loads(done.stdout)
    assert (row["at_first"], row["lent"], row["created"], row["after_idle"]) == (lent, lent, lent, None)


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
    """One object, held for 2 ms, asked for 400 times a second by four threads: it answers 500 at most."""
    cell = ["--pools", "ARRAY_BLOCKING_QUEUE", "--threads", 4, "--objects", 1, "--hold", "block:2ms", "--timeout", "1s"]
    rows = []
    for rate in (0, 1_000):
        done = workbook("jbang", "libraries", *cell, "--rate", rate, "--seconds", 1, "--json")
        assert done.returncode == 0, done.stderr
        rows += json.loads(done.stdout)
    busy, due = rows
    assert busy["p50_us"] < 20_000, "four threads in turn: each waits for three others"
    assert due["p50_us"] > 3 * busy["p50_us"], "twice as many are due as can be served: they pile up"


def test_a_jvm_that_does_not_start_is_said_and_no_puzzle(day: Path) -> None:
    done = workbook("jbang", "feed", day, "--heap", "nonsense", "--messages", 1000, "--batch", 1000)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "NEW TYPES EMPTY failed in its JVM; its message is above"


def test_every_combination_replays_in_a_small_heap(day: Path) -> None:
    options = ["--messages", 40_000, "--batch", 10_000, "--warm-up", 10_000, "--pools", "1,2,4,12", "--heap", "32m"]
    rows = json.loads(workbook("jbang", "feed", day, *options, "--json").stdout)
    assert len(rows) == 4 + (2 + 2 * 4) + 4 + 1  # NEW, POOL (types; combined), SHARED, FLYWEIGHT
    for row in rows:
        assert row["messages"] == 40_000
        assert row["batches"] == 4
        assert 0 < row["batch_p50_ns_per_op"] <= row["batch_p99_9_ns_per_op"] == row["batch_max_ns_per_op"]
        assert 0 < row["p50_us"] <= row["p99_99_us"] <= row["max_us"]
    real = {row["checksum"] for row in rows if row["fill"] in ("REAL", None)}
    assert len(real) == 1, "one came to another book than the others"


# -------------------------------------------------------------------------------------------- the exercise


def test_the_solved_exercise_passes_and_the_stub_does_not(pool: Path) -> None:
    solved = workbook("jbang", "check", pool)
    assert solved.returncode == 0, solved.stdout
    assert "16 of 16 checks passed" in solved.stdout or "13 of 13 checks passed" in solved.stdout
    stub = workbook("jbang", "check", STUB)
    assert stub.returncode == 1
    assert "✗" in stub.stdout
    assert "not written yet" in stub.stdout


def test_a_pool_that_hands_one_object_to_two_threads_is_caught(pool: Path, tmp_path: Path) -> None:
    """Two threads may read the list's last element before either takes it away."""
    file = tmp_path / "Racy.java"
    file.write_text(
        """
        import java.util.ArrayList;
        import java.util.List;
        import java.util.concurrent.TimeUnit;
        import java.util.function.Supplier;
        import pools.ObjectPool;

        public class Racy<T> implements ObjectPool<T> {
          private final List<T> all = new ArrayList<>();
          private volatile int next;
          public Racy(int capacity, Supplier<T> factory) {
            for (int i = 0; i < capacity; i++) { all.add(factory.get()); }
          }
          public T borrow() { int mine = next; next = mine + 1; return all.get(mine % all.size()); }
          public T borrow(long timeout, TimeUnit unit) { return borrow(); }
          public void release(T object) {}
          public int capacity() { return all.size(); }
          public void close() {}
        }
        """,
        encoding="utf-8",
    )
    done = workbook("jbang", "check", file, "--json")
    assert done.returncode == 1
    failed = {row["check"]: row for row in json.loads(done.stdout) if not row["passed"]}
    assert "nobody shares an object: 8 threads x 100,000 borrows" in failed


def test_a_file_that_does_not_compile_gets_the_compilers_words_and_lines(tmp_path: Path) -> None:
    file = tmp_path / "MyPool.java"
    file.write_text("public class MyPool {\n  int capacity() { return x; }\n}\n", encoding="utf-8")
    is_one_clear_line(workbook("jbang", "check", file), "MyPool.java:2: cannot find symbol")
