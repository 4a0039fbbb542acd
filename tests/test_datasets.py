"""The data package describes every table, and every table fits its description."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pandas as pd
import pytest
from frictionless import Package

from poolbook import datapackage, readme
from poolbook.experiments import EXPERIMENTS
from poolbook.paths import DATASETS, ROOT
from poolbook.recorded import NoData, published, recorded

RECORDED = sorted((DATASETS / "recorded").glob("*/*.csv"))


def test_every_table_is_valid() -> None:
    report = Package(str(DATASETS / "datapackage.json")).validate()
    assert report.valid, report.flatten(["name", "rowNumber", "fieldName", "note"])[:5]


def test_the_description_is_fresh() -> None:
    assert (DATASETS / "datapackage.json").read_text(encoding="utf-8") == datapackage.text(), (
        "run python -m poolbook.datapackage"
    )


def test_a_wrong_value_would_be_found(tmp_path: Path) -> None:
    for name in ("datapackage.json", "schemas", "published", "recorded"):
        (tmp_path / name).symlink_to(DATASETS / name)
    table = (DATASETS / "published" / "dates-2006.csv").read_text().replace("POOL", "PUDDLE", 1)
    (tmp_path / "published").unlink()
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / "dates-2006.csv").write_text(table)
    assert not Package(str(tmp_path / "datapackage.json")).validate().valid


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
    """The labels in the name of a fork's file."""
    return dict(part.split("=") for part in Path(name).name.removesuffix(".jmh.json").split(","))


def same(value: object, text: str) -> bool:
    """Whether a field says what a file name says, which has no colons."""
    is_number = text.replace(".", "", 1).isdigit()
    return float(value) == float(text) if is_number else str(value).replace(":", "_") == text


@pytest.mark.parametrize("table", RECORDED, ids=lambda file: file.stem)
def test_the_rows_are_those_of_jmhs_own_json(table: Path) -> None:
    """Anyone can recompute the table: JMH's raw figures and our counters are in the archive, untouched."""
    archive = table.with_name(f"{table.stem}-jmh.zip")
    frame = pd.read_csv(table)
    if "jmh_ops_per_ms" not in frame:
        pytest.skip("not measured by JMH")
    if "stuck" in frame:
        frame = frame[~frame["stuck"]]  # a fork that hung has no JSON
    with zipfile.ZipFile(archive) as raw:
        names = raw.namelist()
        labels = {key for name in names for key in of_file(name)} | {"jdk"}
        assert len(names) == frame.groupby(sorted(labels), dropna=False).ngroups
        for name in names[:: max(1, len(names) // 10)]:
            (result,) = json.loads(raw.read(name))
            jdk = int(Path(name).parent.name.rpartition("jdk")[2])
            rows = frame[frame["jdk"] == jdk]
            for key, text in sorted(of_file(name).items(), key=lambda part: part[0] != "round"):  # leaves few rows
                rows = rows[rows[key].map(lambda value, text=text: same(value, text))]
            for key in labels - set(of_file(name)) - {"jdk"}:
                rows = rows[rows[key].isna()]
            clock = result["secondaryMetrics"]["clock.ops_per_ms"]["rawData"][0]
            assert rows["ops_per_ms"].tolist() == pytest.approx(list(map(float, clock)), nan_ok=True)
            assert rows["jmh_ops_per_ms"].tolist() == pytest.approx(result["primaryMetric"]["rawData"][0])
            assert result["jvm"] == f"jdks/{jdk}/bin/java", "no path of the machine"
            assert str(ROOT.parent) not in raw.read(name).decode("utf-8")


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
    """What no pool can exceed in each row's cell, in borrows per ms: what gets done without a pool, and what as many
    objects allow as there are, each of them held as long as the work takes.
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


def test_the_readme_tells_every_table_and_which_are_still_to_come() -> None:
    text = (DATASETS / "README.md").read_text(encoding="utf-8")
    told = {name for row in re.findall(r"^\| (`.*?) \|", text, re.MULTILINE) for name in re.findall(r"`([\w-]+)`", row)}
    assert set(EXPERIMENTS) <= told
    to_come = re.search(r"^Not recorded yet: (.*?)\n\n", text, re.MULTILINE | re.DOTALL)
    names = set(re.findall(r"`([\w-]+)`", to_come[1])) if to_come else set()
    assert names == set(EXPERIMENTS) - {table.stem for table in RECORDED}


def test_another_format_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "2030-01-01-x"
    folder.mkdir()
    (folder / "dates.csv").write_text("a\n1\n")
    (folder / "machine.json").write_text('{"format_version": 99}')
    with pytest.raises(NoData, match="has format 99, this workbook reads 1"):
        recorded("dates", tmp_path)
    with pytest.raises(NoData, match="no recording of feed"):
        recorded("feed", tmp_path)


def test_the_readme_is_fresh() -> None:
    assert (ROOT / "README.md").read_text(encoding="utf-8") == readme.text(), "run python -m poolbook.readme"
    assert readme.PICTURE.read_bytes() == readme.picture()[0], "run python -m poolbook.readme"


def test_the_readme_has_all_its_parts() -> None:
    text = readme.text()
    for name, part in readme.parts().items():
        assert f"<!-- {name}: generated -->\n{part}\n<!-- end -->" in text
    assert text.count("<!-- end -->") == len(readme.parts())
