"""The ledger over all machines, on machines that are made up."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from poolbook import fleet, ledger
from poolbook.claims import decide
from poolbook.machine import name
from poolbook.machines import AGREE, CANNOT_TELL, DISAGREE
from poolbook.recorded import NoData, digest, folder_of, recorded, recordings, reference
from poolbook.verdicts import HOLDS, NOT_HERE, REVERSED

CLAIM, JAVA = 23, 21  # on the table dates, and decided: the pool is faster than making a new format


@pytest.fixture
def machines(tmp_path: Path) -> Callable[..., Path]:
    """Makes other machines: each has the reference's ``dates``, with the pool so many times as fast."""
    ours = folder_of(None)
    for recording in ours.iterdir():
        shutil.copytree(recording, tmp_path / ours.name / recording.name, ignore=shutil.ignore_patterns("*.zip"))
    (tmp_path / "REFERENCE").write_text(ours.name)
    facts = json.loads((next(recordings(ours)) / "machine.json").read_text())

    def make(*factors: float, rows: Callable[[pd.DataFrame], pd.DataFrame] = lambda frame: frame) -> Path:
        for place, factor in enumerate(factors):
            mine = facts | {"cpu_model": f"Made Up {place}"}
            folder = tmp_path / name(mine) / "2030-01-01"
            folder.mkdir(parents=True)
            frame = recorded("dates").frame
            frame.loc[frame["strategy"] == "POOL", "ops_per_ms"] *= factor
            text = rows(frame).to_csv(index=False, lineterminator="\n")
            (folder / "dates.csv").write_text(text)
            mine |= {
                "machine": name(mine),
                "identity": f"{place:012x}",
                "tables": {"dates": {"sha256": digest(text.encode())}},
            }
            (folder / "machine.json").write_text(json.dumps(mine))
        return tmp_path

    return make


def test_each_machine_is_held_against_the_reference(machines: Callable[..., Path]) -> None:
    rows = fleet.across([CLAIM, 7], machines(1.0, 0.1))
    assert rows["machine"].iloc[0] == reference() and rows["machine"].nunique() == 3
    here = rows[(rows["id"] == CLAIM) & (rows["jdk"] == JAVA)]
    ours = decide(CLAIM, JAVA).verdict
    assert ours in (HOLDS, REVERSED)
    verdicts = dict(zip(here["machine"].str.extract(r"up-(\d)")[0].fillna("reference"), here["answer"], strict=True))
    assert verdicts == {"reference": AGREE, "0": AGREE, "1": DISAGREE}
    assert set(rows.loc[(rows["id"] == 7) & (rows["machine"] != reference()), "answer"]) == {CANNOT_TELL}
    assert set(rows.loc[(rows["id"] == 7) & (rows["machine"] != reference()), "verdict"]) == {NOT_HERE}


@pytest.mark.parametrize(
    "rows",
    [lambda frame: frame[frame["round"] <= 4], lambda frame: frame[frame["threads"] == 5]],
    ids=["four rounds", "some of the cells"],
)
def test_part_of_what_the_reference_measured_counts_for_nothing(
    machines: Callable[..., Path], rows: Callable[[pd.DataFrame], pd.DataFrame]
) -> None:
    found = fleet.across([CLAIM], machines(1.0, 1.0, rows=rows))
    assert set(found.loc[found["machine"] != reference(), "answer"]) == {CANNOT_TELL}


def test_a_line_has_a_sign_for_each_machine_and_java(machines: Callable[..., Path]) -> None:
    rows = fleet.across([CLAIM, 7], machines(1.0, 0.1))
    first, second = fleet.table(rows, 100).splitlines()[1:3]
    assert first.split()[-2:] == ["....", "...."]
    agrees, differs = second.split()[-2:]
    assert set(agrees) <= {"+", "?"} and "+" in agrees and "-" in differs


def test_a_machine_with_a_damaged_table_is_left_out_with_a_word(
    machines: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    root = machines(1.0, 1.0)
    damaged, whole = sorted(root.glob("made-up-*/2030-01-01/dates.csv"))
    damaged.write_text(damaged.read_text() + "x")
    assert fleet.across([CLAIM], root)["machine"].nunique() == 2
    said = capsys.readouterr().err
    assert re.fullmatch(r"made-up-0-\S+ is left out: .*dates\.csv is not the recorded table .*\n", said)
    whole.write_text(whole.read_text() + "x")
    with pytest.raises(NoData, match=r"nothing is left to compare"):
        fleet.across([CLAIM], root)


def test_a_copy_of_a_machine_is_left_out_and_so_is_one_that_no_rule_can_judge(
    machines: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    def of_two_collectors(frame: pd.DataFrame) -> pd.DataFrame:
        return pd.concat([frame, frame[frame["strategy"] == "POOL"].assign(gc="ZGC")])

    root = machines(1.0, rows=of_two_collectors)
    (strange,) = root.glob("made-up-0-*")
    shutil.copytree(root / reference(), root / "copy")
    with pytest.raises(NoData, match=r"nothing is left to compare"):
        fleet.across([CLAIM], root)
    assert capsys.readouterr().err.splitlines() == [
        "copy is left out: another folder has recordings of the same machine",
        f"{strange.name} is left out: rows of several cells: gc is PARALLEL, ZGC",
    ]


@pytest.mark.parametrize(
    ("arguments", "said"), [(["99"], "no claim 99; they are numbered from 1 to"), ([], "only .* has recordings here")]
)
def test_bad_requests_are_one_line(
    arguments: list[str], said: str, machines: Callable[..., Path], monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    root = machines()
    over = fleet.across
    monkeypatch.setattr(ledger.fleet, "across", lambda only: over(only, root))
    assert ledger.main(["--machines", *arguments]) == 2
    captured = capsys.readouterr()
    assert len(captured.err.splitlines()) == 1 and re.search(said, captured.err)


def test_json_is_one_array_of_flat_objects(
    machines: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root, over = machines(1.0, 1.1), fleet.across
    monkeypatch.setattr(ledger.fleet, "across", lambda only: over(only, root))
    assert ledger.main(["--machines", "--json", str(CLAIM)]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert len(rows) == 3 * 4 and {row["machine"] for row in rows} >= {reference()}
