"""The data package describes every table, and every table fits its description."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from frictionless import Package

from poolbook.record import experiments
from poolbook.record.experiments import EXPERIMENTS
from poolbook.system import files
from poolbook.system.address import address
from poolbook.system.paths import DATASETS, JAVA, ROOT
from poolbook.tables import columns
from poolbook.tables.compare import contenders
from poolbook.tables.recorded import FORMAT_VERSION, NoData, digest, machines, published, recorded, tables
from poolbook.upkeep import all as upkeep
from poolbook.upkeep import datapackage, readme

RECORDED = sorted((DATASETS / "recorded").glob("*/*/*.csv"))
MACHINES = sorted((DATASETS / "recorded").glob("*/*/machine.json"))


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """The description of all tables, beside them."""
    for name in ("published", "recorded"):
        (tmp_path / name).symlink_to(DATASETS / name)
    file = tmp_path / "datapackage.json"
    file.write_text(datapackage.text(), encoding="utf-8")
    return file


def test_every_table_is_valid(package: Path) -> None:
    report = Package(str(package)).validate()
    assert report.valid, report.flatten(["name", "rowNumber", "fieldName", "note"])[:5]


def test_a_wrong_value_would_be_found(package: Path) -> None:
    published = package.parent / "published"
    published.unlink()
    published.mkdir()
    text = (DATASETS / "published" / "dates-2006.csv").read_text().replace(",POOL", ",puddle", 1)
    (published / "dates-2006.csv").write_text(text)
    assert not Package(str(package)).validate().valid


def test_the_published_table_is_whole() -> None:
    table = published("dates-2006")
    assert len(table) == 24
    cell = table.set_index(["machine", "compiler", "threads", "strategy"])["milliseconds"]
    assert cell["Apple", "server", 15, "NEW"] == 849
    assert cell["FreeBSD", "client", 5, "POOL"] == 126


def test_dates_are_recorded_with_ten_forks_on_four_javas() -> None:
    frame = recorded("dates").frame
    forks = frame.groupby(["jdk", "threads", "strategy"])["round"].nunique()
    assert set(frame["jdk"]) == {8, 17, 21, 25}
    assert set(frame["threads"]) == {5, 15}
    assert (forks >= 10).all(), forks[forks < 10]


def of_file(name: str) -> dict[str, str]:
    """The labels in the name of a fork's file; the usual kind of blackhole is not among them."""
    return dict(part.split("=") for part in Path(name).name.removesuffix(".jmh.json").split(","))


def same(value: object, text: str) -> bool:
    """Whether a field matches its part of a file name, which has no colons."""
    is_number = text.replace(".", "", 1).isdigit()
    if is_number:
        return float(value) == float(text)
    return text == (str(value).lower() if isinstance(value, bool) else str(value).replace(":", "_"))


@pytest.mark.parametrize("table", RECORDED, ids=lambda file: file.stem)
def test_the_rows_are_those_of_jmhs_own_json(table: Path) -> None:
    """Anyone can recompute the table: JMH's raw figures and our counters are in the archive, unchanged."""
    archive = table.with_name(f"{table.stem}-jmh.tar.xz")
    frame = pd.read_csv(table)
    if "jmh_ops_per_ms" not in frame:
        pytest.skip("not measured by JMH")
    if "stuck" in frame:
        frame = frame[~frame["stuck"]]  # a fork that hung has no JSON
    raw = files.unpacked(archive)
    names = list(raw)
    labels = {key for name in names for key in of_file(name)} | {"jdk"}
    assert len(names) == frame.groupby(sorted(labels), dropna=False).ngroups
    for name in names[:: max(1, len(names) // 10)]:
        (result,) = json.loads(raw[name])
        jdk = int(Path(name).parent.name.rpartition("jdk")[2])
        rows = frame[frame["jdk"] == jdk]
        for key, text in sorted(of_file(name).items(), key=lambda part: part[0] != "round"):  # leaves few rows
            rows = rows[rows[key].map(lambda value, text=text: same(value, text))]
            assert len(rows), f"{name}: {key}"
        for key in labels - set(of_file(name)) - {"jdk"}:
            rows = rows[rows[key].eq("FULL") if key == "blackholes" else rows[key].isna()]
        clock = result["secondaryMetrics"]["clock.ops_per_ms"]["rawData"][0]
        assert rows["ops_per_ms"].tolist() == pytest.approx(list(map(float, clock)), nan_ok=True)
        assert rows["jmh_ops_per_ms"].tolist() == pytest.approx(result["primaryMetric"]["rawData"][0])
        assert result["jvm"] == f"jdks/{jdk}/bin/java", "no path of the machine"
        assert str(ROOT.parent) not in raw[name].decode("utf-8")


def test_the_feed_is_recorded_with_ten_forks_on_four_javas() -> None:
    frame = recorded("feed").frame
    forks = frame.groupby(["jdk", "gc", "strategy", "layout", "fill"], dropna=False)["round"].nunique()
    assert set(frame["jdk"]) == {8, 17, 21, 25}
    assert set(frame["gc"]) == {"DEFAULT", "PARALLEL"}
    assert set(frame["strategy"]) == {"NEW", "POOL", "SHARED", "FLYWEIGHT", "HOP"}
    assert (forks >= 10).all(), forks[forks < 10]
    assert (frame["batches"] >= 1_000).all(), "or there is no p99.9"
    books = frame[frame["fill"] != "EMPTY"].query("strategy != 'HOP'").groupby("strategy")["checksum"].nunique()
    assert (books == 1).all(), "every Java and collector comes to the same book"


def test_pools_and_stores_are_recorded_with_ten_forks_on_four_javas() -> None:
    for table, labels in (("feed-pools", ["layout", "pools", "choice"]), ("stores", ["store"])):
        forks = recorded(table).frame.groupby([*labels, "jdk"], dropna=False)["round"].nunique()
        assert set(forks.reset_index()["jdk"]) == {8, 17, 21, 25}
        assert (forks >= 10).all(), forks[forks < 10]


def limit(frame: pd.DataFrame, folder: Path) -> pd.Series:
    """The limit for any pool in each row's cell, in borrows per ms: the throughput without a pool, and the throughput
    that the number of objects allows, each held as long as the work takes.
    """
    cell = ["jdk", "threads", "configuration", "versions", "rate_per_s"]
    none = frame[frame["pool"] == "NONE"].groupby(cell, dropna=False)["ops_per_ms"].mean().rename("none")
    none = frame.join(none, on=cell)["none"]
    cores = json.loads((folder / "machine.json").read_text(encoding="utf-8"))["logical_cores"]
    burning = none / cores  # of one processor: with one object nobody else can burn
    waiting = 1 / pd.to_numeric(frame["hold"].str.extract(r"block:(\d+)ms")[0])
    objects = frame["objects"].where(frame["pool"] != "LOCKED", 1)
    by_objects = objects * waiting.where(waiting.notna(), burning)
    return pd.concat([none, by_objects], axis="columns").min(axis="columns")


LIBRARIES = [table for table in RECORDED if table.stem.startswith("libraries") and EXPERIMENTS[table.stem].jmh]


@pytest.mark.parametrize("table", LIBRARIES, ids=lambda file: file.stem)
def test_no_pool_does_more_than_no_pool_and_its_objects_allow(table: Path) -> None:
    frame = pd.read_csv(table)
    frame = frame[frame["disturbed"] != True]  # noqa: E712, it may be empty
    frame["of_limit"] = frame["ops_per_ms"] / limit(frame, table.parent)
    cells = ["pool", "jdk", "threads", "objects", "configuration", "versions", "rate_per_s"]
    shares = frame.groupby(cells, dropna=False)["of_limit"].mean()
    assert shares.notna().all()
    assert (shares <= 1.05).all(), shares[shares > 1.05]


def made_up(
    root: Path, machine: str, day: str, version: int = FORMAT_VERSION, rows: str = "a\n1\n", **run: object
) -> Path:
    """A recording of one table, ``dates``; ``run`` is what else was asked for."""
    noon = f"{day[:10]}T12:00:00+00:00"
    runs = [{"experiments": ["dates"], "start": noon, "end": noon, "profile": "publish", **run}] if run else []
    folder = root / machine / day
    folder.mkdir(parents=True)
    (folder / "dates.csv").write_text(rows)
    tables = {"dates": {"rows": 1, "sha256": digest(rows.encode())}}
    (folder / "machine.json").write_text(
        json.dumps(
            {"format_version": version, "machine": machine, "cpu_model": machine, "tables": tables, "runs": runs}
        )
    )
    return folder


@pytest.fixture
def two_machines(tmp_path: Path) -> Path:
    """Recordings of a reference and of another machine, which recorded later."""
    made_up(tmp_path, "ours", "2030-01-01")
    made_up(tmp_path, "theirs", "2031-01-01", rows="a\n2\n")
    (tmp_path / "REFERENCE").write_text("ours\n")
    return tmp_path


def test_a_night_is_one_evening_on_both_sides_of_midnight(two_machines: Path) -> None:
    round_of = "jdk,round,a\n17,{0},{0}\n".format
    made_up(two_machines, "ours", "2030-02-03", rows=round_of(1), start="2030-02-03T23:14:10+00:00")
    made_up(two_machines, "ours", "2030-02-04", rows=round_of(2), start="2030-02-04T00:06:08+00:00", from_round=2)
    made_up(two_machines, "ours", "2030-02-04-2", rows=round_of(3), start="2030-02-04T12:00:00+00:00", from_round=3)
    rows = recorded("dates", root=two_machines).frame.sort_values("round")
    assert rows["evening"].tolist() == ["2030-02-03", "2030-02-03", "2030-02-04"]
    made_up(two_machines, "ours", "2030-02-05", rows=round_of(4), start="tomorrow")
    with pytest.raises(NoData, match="no run starts at tomorrow"):
        recorded("dates", root=two_machines)


def test_who_records_last_does_not_become_the_reference(two_machines: Path) -> None:
    assert recorded("dates", root=two_machines).frame["a"].tolist() == [1]
    assert recorded("dates", "theirs", two_machines).frame["a"].tolist() == [2]
    assert recorded("dates", two_machines / "theirs", two_machines).machine["cpu_model"] == "theirs"
    assert recorded("dates", two_machines / "theirs" / "2031-01-01").frame["a"].tolist() == [2]


def test_who_records_one_java_again_keeps_the_others(two_machines: Path) -> None:
    made_up(two_machines, "ours", "2030-02-01", rows="jdk,a\n17,2\n21,2\n")
    made_up(two_machines, "ours", "2030-02-02", rows="jdk,a\n21,3\n25,3\n")
    made_up(two_machines, "ours", "2030-02-02-9", rows="jdk,a\n25,9\n")
    made_up(two_machines, "ours", "2030-02-02-10", rows="jdk,a\n25,4\n")
    (two_machines / "ours" / "2030-01-01" / "dates.csv").unlink()
    both = recorded("dates", root=two_machines)
    assert both.frame.set_index("jdk")["a"].to_dict() == {17: 2, 21: 3, 25: 4}
    assert (both.name, both.date) == ("2030-02-02-10", "2030-02-01 to 2030-02-02")


def test_who_goes_on_from_a_recording_has_the_rounds_of_both(two_machines: Path) -> None:
    (two_machines / "ours" / "2030-01-01" / "dates.csv").unlink()
    made_up(two_machines, "ours", "2030-02-01", rows="jdk,round,a\n17,1,0\n17,2,0\n17,3,0\n")
    made_up(two_machines, "ours", "2030-02-02", rows="jdk,round,a\n17,1,1\n17,2,1\n21,1,1\n")
    made_up(two_machines, "ours", "2030-02-03", rows="jdk,round,a\n17,3,3\n17,4,3\n", from_round=3)
    whole = recorded("dates", root=two_machines)
    rounds = whole.frame.sort_values(["jdk", "round"])
    assert list(zip(rounds["jdk"], rounds["round"], rounds["a"], strict=True)) == [
        (17, 1, 1), (17, 2, 1), (17, 3, 3), (17, 4, 3), (21, 1, 1),
    ]  # fmt: skip
    assert whole.date == "2030-02-02 to 2030-02-03"
    made_up(two_machines, "ours", "2030-02-04", rows="jdk,round,a\n17,1,4\n")
    assert recorded("dates", root=two_machines).query("jdk == 17").frame["a"].tolist() == [4], (
        "who begins anew is alone"
    )
    made_up(two_machines, "ours", "2030-02-04-2", rows="jdk,round,a,released_by\n17,2,9,ANOTHER\n", from_round=2)
    joined = recorded("dates", root=two_machines).query("jdk == 17").frame.sort_values("round")
    assert list(zip(joined["a"], joined["released_by"], strict=True)) == [(4, "BORROWER"), (9, "ANOTHER")], "a default"
    made_up(two_machines, "ours", "2030-02-05", rows="jdk,round,b\n17,2,5\n", from_round=2)
    assert recorded("dates", root=two_machines).query("jdk == 17").frame["round"].tolist() == [2], "other columns"
    made_up(two_machines, "ours", "2030-02-06", rows="jdk,round,b\n17,3,6\n")
    assert recorded("dates", root=two_machines).query("jdk == 17").frame["round"].tolist() == [3], (
        "a machine that got the third round from a scheduler did not go on from an earlier recording"
    )


def test_a_caption_says_who_built_the_javas_of_its_rows() -> None:
    rows = recorded("dates")
    vendors = rows.machine["runs"][0]["javas"]
    assert rows.query("jdk == 17").caption.endswith(f"; Java 17 ({vendors['17']['vendor']})")
    assert rows.query("jdk in [21, 25]").caption.endswith(f"; Java 21 and 25 ({vendors['21']['vendor']})")
    assert "; Java" not in dataclasses.replace(rows, frame=rows.frame.drop(columns="jdk")).caption


def test_recordings_of_a_day_are_in_the_order_of_their_numbers(two_machines: Path) -> None:
    for number in (2, 9, 10):
        made_up(two_machines, "ours", f"2030-01-01-{number}", rows=f"a\n{number}\n")
    assert recorded("dates", root=two_machines).name == "2030-01-01-10"


def test_line_ends_that_git_changed_are_no_damage(two_machines: Path) -> None:
    (two_machines / "ours" / "2030-01-01" / "dates.csv").write_bytes(b"a\r\n1\r\n")
    assert recorded("dates", root=two_machines).frame["a"].tolist() == [1]


RUN = b'{"format_version": 2, "runs": [{"experiments": [], "start": "", "end": "", "profile": "", %s}]}'


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("machine.json", None, "machine.json is missing: a table means nothing without it"),
        ("machine.json", b"{", "machine.json is damaged"),
        ("machine.json", b"[]", "machine.json is damaged"),
        ("machine.json", b"\xff", "machine.json is damaged"),
        ("machine.json", b'{"format_version": 99}', f"has format 99, this workbook reads {FORMAT_VERSION}"),
        ("machine.json", b"[" * 100_000, "machine.json is damaged"),
        ("machine.json", b'{"format_version": 2, "tables": []}', "machine.json is damaged"),
        ("machine.json", b'{"format_version": 2, "tables": {"dates": 1}}', "machine.json is damaged"),
        ("machine.json", b'{"format_version": 2, "runs": [1]}', "machine.json is damaged"),
        (
            "machine.json",
            b'{"format_version": 2, "runs": [{"experiments": [], "start": "", "end": "", "profile": "", '
            b'"javas": {"17": 1}}]}',
            "machine.json is damaged",
        ),
        ("machine.json", b'{"format_version": 2, "memory_bytes": "much"}', "damaged: memory_bytes must be integer or"),
        ("machine.json", RUN % b'"experiments": 5', "damaged: runs[0].experiments must be array"),
        ("machine.json", RUN % b'"profile": ["z"]', "damaged: runs[0].profile must be string"),
        ("machine.json", RUN % b'"from_round": null', "damaged: runs[0].from_round must be integer"),
        ("machine.json", b'{"format_version": "\\u001b[2J"}', "has format \N{REPLACEMENT CHARACTER}[2J, this workbook"),
        ("machine.json", b'{"format_version": 2%s}' % (b" " * 2_000_000), "damaged: it has more than 2,000,000 bytes"),
        ("dates.csv", b"a\n", "is not the recorded table"),
        ("dates.csv", b"a\n\xff\n", "is not the recorded table"),
        ("dates.csv", None, "no recording of dates in"),
    ],
)
def test_a_damaged_recording_is_one_line(two_machines: Path, file: str, content: bytes | None, said: str) -> None:
    damaged = two_machines / "ours" / "2030-01-01" / file
    if content is None:
        damaged.unlink()
    else:
        damaged.write_bytes(content)
    with pytest.raises(NoData, match=re.escape(said)) as caught:
        recorded(
            "dates", "ours" if damaged.parent.joinpath("machine.json").exists() else damaged.parent.parent, two_machines
        )
    assert str(caught.value).isprintable()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
@pytest.mark.parametrize("file", ["machine.json", "dates.csv"])
@pytest.mark.parametrize("make", [lambda file: os.mkfifo(file), lambda file: file.symlink_to("/dev/zero"), Path.mkdir])
def test_a_recording_is_in_regular_files(two_machines: Path, file: str, make: Callable[[Path], None]) -> None:
    strange = two_machines / "ours" / "2030-01-01" / file
    strange.unlink()
    make(strange)
    with pytest.raises(NoData, match=rf"{re.escape(file)} is damaged: it is not a regular file"):
        recorded("dates", root=two_machines)


def test_what_a_recording_says_is_shown_without_what_moves_a_cursor(two_machines: Path) -> None:
    content = b'strategy,round,jdk\n"a\x1b[2J\nb",1,17\n'
    folder = two_machines / "ours" / "2030-01-01"
    (folder / "dates.csv").write_bytes(content)
    facts = {"format_version": FORMAT_VERSION, "machine": "ours", "tables": {"dates": {"sha256": digest(content)}}}
    (folder / "machine.json").write_text(json.dumps({**facts, "cpu_model": "\x1b[31mCPU"}))
    found = recorded("dates", root=two_machines)
    assert found.frame["strategy"].tolist() == ["a\N{REPLACEMENT CHARACTER}[2J\N{REPLACEMENT CHARACTER}b"]
    assert found.machine["cpu_model"] == "\N{REPLACEMENT CHARACTER}[31mCPU"


def test_a_table_has_the_name_of_one(two_machines: Path) -> None:
    folder = two_machines / "ours" / "2030-01-01"
    shutil.copy(folder / "dates.csv", folder / 'x"><img src=x onerror=alert(1)>.csv')
    assert list(tables(folder)) == ["dates"]


@pytest.mark.parametrize(
    "content",
    [b"", b"a\n\xff\n", b"a,b\n1,2\n1,2,3,4\n", b"\0" * 100, b"a," * 10_000 + b"\n", b"a\n" + b"," * 20_000,
     b"round\nmany\n", b"jdk\n17.5\n", b"jdk,round\n,1\n", b"ops_per_ms\ninf\n", b"strategy\n1\n", b"disturbed\n7\n",
     b"gc\nNEW\n", b"threads\n0\n"],
)  # fmt: skip
def test_a_damaged_table_whose_hash_was_made_of_the_damage_is_one_line(two_machines: Path, content: bytes) -> None:
    folder = two_machines / "theirs" / "2031-01-01"
    (folder / "dates.csv").write_bytes(content)
    facts = {"format_version": FORMAT_VERSION, "tables": {"dates": {"sha256": digest(content)}}}
    (folder / "machine.json").write_text(json.dumps(facts))
    with pytest.raises(
        NoData, match=r"dates\.csv is damaged: it(s column \w+ has (something else than \w+ )?va| is not a t)"
    ):
        recorded("dates", "theirs", two_machines)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
def test_what_stands_for_a_strangers_reference_is_not_opened(two_machines: Path) -> None:
    (two_machines / "REFERENCE").unlink()
    os.mkfifo(two_machines / "REFERENCE")
    assert recorded("dates", two_machines / "theirs", two_machines).frame["a"].tolist() == [2]
    (two_machines / "REFERENCE").unlink()
    (two_machines / "REFERENCE").symlink_to("/dev/zero")
    assert recorded("dates", two_machines / "theirs", two_machines).frame["a"].tolist() == [2]
    with pytest.raises(NoData, match="REFERENCE is missing"):
        recorded("dates", root=two_machines)


def test_a_machine_without_tables_has_recorded_nothing(two_machines: Path) -> None:
    (two_machines / "other" / "2031-01-01").mkdir(parents=True)
    assert machines(two_machines) == ["ours", "theirs"]


def test_a_reference_that_is_not_there_is_one_line(two_machines: Path) -> None:
    (two_machines / "REFERENCE").write_text("nobody\n")
    with pytest.raises(NoData, match="REFERENCE must name a machine's folder, and says nobody"):
        recorded("dates", root=two_machines)
    (two_machines / "REFERENCE").write_text("\n")
    with pytest.raises(NoData, match="and says nothing"):
        recorded("dates", root=two_machines)
    (two_machines / "REFERENCE").unlink()
    with pytest.raises(NoData, match="REFERENCE is missing"):
        recorded("dates", root=two_machines)
    with pytest.raises(NoData, match="no machine or folder nobody; there are: ours, theirs"):
        recorded("dates", "nobody", two_machines)
    with pytest.raises(NoData, match="no machine or folder a"):
        recorded("dates", "a" * 300, two_machines)  # longer than a name of a file can be


def test_every_column_is_described_and_used() -> None:
    files = [*RECORDED, *(DATASETS / "published").glob("*.csv")]
    used = {name for file in files for name in pd.read_csv(file, nrows=0).columns}
    programs = "".join(file.read_text(encoding="utf-8") for file in JAVA.rglob("*.java"))
    new = {name for name in columns.COLUMNS if f'"{name}"' in programs}  # no recording has them yet
    assert used <= set(columns.COLUMNS) <= used | new
    for name, about in columns.COLUMNS.items():
        assert about["role"] in columns.ROLES, name
        assert about["description"].endswith((".", "%.")), name


PARTS = '[parts]\nX = "--x"\n[smoke]\ndates = ""\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[broken", "Expected .* table declaration"),
        ("", r"the table \[parts\] is missing"),
        ("experiments = 1", r"the table \[parts\] is missing"),
        (PARTS, r"the table \[experiments\] is missing"),
        (PARTS.replace('"--x"', "1") + "[experiments]", r"X in \[parts\] must be a string"),
        (PARTS + "[experiments]\nx = 1", "experiment x: alias must be one of jbang-catalog.json"),
        (PARTS + "[experiments.x]", "experiment x: alias must be one of jbang-catalog.json"),
        (PARTS + '[experiments.x]\nalias = "nope"', "experiment x: alias must be one of jbang-catalog.json"),
        (PARTS + '[experiments."../x"]\nalias = "dates"', "experiment ../x: a name may have only lowercase letters"),
        *(
            (PARTS + f'[experiments.x]\nalias = "dates"\n{line}', said)
            for line, said in (
                ("typo = 1", "experiment x: there is no key typo; there are alias"),
                ('arguments = "{NOPE}"', r"experiment x: \{NOPE\} is not in \[parts\]"),
                ('cells = ["{NOPE}"]', r"experiment x: \{NOPE\} is not in \[parts\]"),
                ('arguments = "{X.nope}"', "experiment x: 'str' object has no attribute"),
                ('arguments = "{"', "experiment x: Single '{'"),
                ('arguments = "a \' b"', "experiment x: No closing quotation"),
                ("arguments = 1", "experiment x: arguments must be a string"),
                ('cells = "--threads 1"', "experiment x: cells must be a list of strings"),
                ("cells = []", "experiment x: cells must be a list of strings"),
                ('jdks = ["8"]', "experiment x: jdks must be a list of numbers"),
                ("rounds = 0", "experiment x: rounds must be a number above 0"),
                ("rounds = true", "experiment x: rounds must be a number above 0"),
                ("day = 1", "experiment x: day must be true or false"),
            )
        ),
    ],
)
def test_a_mistake_in_the_experiments_is_named(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        experiments.parse(text)


def test_an_experiment_has_the_keys_that_are_checked() -> None:
    assert set(experiments.MEANT) == {field.name for field in dataclasses.fields(experiments.Experiment)}
    found, smoke = experiments.parse(PARTS + '[experiments.x]\nalias = "dates"\ncells = ["{X} 1", "{X} 2"]')
    assert found["x"].cells == (("--x", "1"), ("--x", "2"))
    assert smoke == {"dates": []}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "Expecting property name"),
        ("[]", "it must be an object"),
        ('{"x": 1}', "the column x needs a role, a type and a description"),
        ('{"x": {"role": "cell"}}', "the column x needs a role, a type and a description"),
        ('{"x": {"type": "string", "description": "X."}}', "the role of the column x must be one of cell, contender"),
        ('{"x": {"role": "cel", "type": "string", "description": "X."}}', "the role of the column x must be one of"),
    ],
)
def test_a_mistake_in_the_columns_is_named(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        columns.parse(text)


@pytest.mark.parametrize("content", [None, "[]", "\n{"])
def test_a_broken_file_of_the_workbook_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], content: str | None
) -> None:
    monkeypatch.setattr(files, "ROOT", tmp_path)
    if content is not None:
        (tmp_path / "columns.json").write_text(content)
    with pytest.raises(SystemExit) as stop:
        files.load(tmp_path / "columns.json", columns.parse)
    assert stop.value.code == 2
    assert re.fullmatch(r"columns\.json: .+\n", capsys.readouterr().err)


def test_contenders_of_the_tables_are_constants_of_the_programs() -> None:
    for file in RECORDED:
        frame = pd.read_csv(file, low_memory=False)
        for name in {"strategy", "store", "trick", "pool"} & set(frame):
            assert set(frame[name]) <= contenders(), file.name


def test_every_table_of_the_reference_has_its_experiment() -> None:
    assert set(tables()) <= set(EXPERIMENTS)


def test_no_recording_tells_who_or_where() -> None:
    """The tables and the raw results of every fork, too, name Java by a relative path and no folder of a machine."""
    places = re.compile(rb"/(home|root|Users|tmp|var|opt|usr|private)/|[A-Z]:\\\\|file:/")
    assert places.search(os.fsencode(Path(os.sep, "home", "x"))) or os.name == "nt"
    assert places.search(b"C:" + 2 * b"\\" + b"x") and not places.search(b"jdks/17/bin")
    texts = [file for kind in ("*.json", "*.csv") for file in sorted((DATASETS / "recorded").glob(f"*/*/{kind}"))]
    for file in texts:
        assert not places.search(file.read_bytes()), file
    for archive in sorted((DATASETS / "recorded").glob("*/*/*.tar.xz")):
        for name, raw in files.unpacked(archive).items():
            assert not places.search(raw), f"{archive.name} {name}"


def test_what_is_generated_is_fresh() -> None:
    old = {file for file, text in upkeep.texts(address()).items() if file.read_text(encoding="utf-8") != text}
    assert not old, "run ./workbook upkeep"


@pytest.mark.parametrize("picture", readme.PICTURES)
def test_the_readme_shows_the_picture_of_its_lesson(picture: str) -> None:
    assert (readme.IMAGES / picture).read_bytes() == readme.chart(picture)[0], "run ./workbook upkeep"


def test_a_missing_mark_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "x.md").write_text("no mark")
    with pytest.raises(ValueError, match=r"x.md must have the mark lessons once, and has it 0 times"):
        readme._filled(tmp_path / "x.md", {"lessons": lambda: "x"})


@pytest.mark.parametrize("file", MACHINES, ids=lambda file: "/".join(file.parts[-3:-1]))
def test_a_recording_lies_in_the_folder_of_its_machine(file: Path) -> None:
    assert json.loads(file.read_text(encoding="utf-8"))["machine"] == file.parent.parent.name


def test_a_recording_of_another_machine_does_not_count_in_the_references_folder(two_machines: Path) -> None:
    shutil.move(two_machines / "theirs" / "2031-01-01", two_machines / "ours")
    assert tables(two_machines / "ours")["dates"].parent.name == "2030-01-01"
    assert recorded("dates", root=two_machines).frame["a"].tolist() == [1]
