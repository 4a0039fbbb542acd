"""The ledger over all machines, on machines that are made up."""

from __future__ import annotations

import json
import math
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

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


def test_with_three_machines_there_are_estimates(machines: Callable[..., Path]) -> None:
    factors = [1.1, 0.9, 1.25, 0.8]
    rows = fleet.across([CLAIM], machines(*factors))
    ours = decide(CLAIM, JAVA).parts
    found = {part: one for (_, jdk, part), one in fleet.estimates(rows).items() if jdk == JAVA}
    assert found.keys() == ours.keys() and len(found) > 1
    logs = np.log([1.0, *factors])
    for part, one in found.items():
        assert one.machines == 5
        assert one.ratio == pytest.approx(ours[part].ratio * math.exp(logs.mean()), rel=0.01)
        assert one.between == pytest.approx(logs.std(ddof=1), rel=0.2)
        assert one.next_low < one.low < one.ratio < one.high < one.next_high
        assert f"{part}: {one}" in " ".join(fleet.details(rows, 100).split())
    told = re.search(r"rest on (\d+) comparisons that 3 machines or more", " ".join(fleet.table(rows, 100).split()))
    assert int(told[1]) == len(fleet.estimates(rows))


def test_two_machines_have_no_estimate(machines: Callable[..., Path]) -> None:
    rows = fleet.across([CLAIM], machines(1.0))
    assert fleet.estimates(rows) == {}
    assert "With 3 machines there would be estimates" in " ".join(fleet.table(rows, 100).split())
    assert "machines" not in fleet.details(rows, 100)


@pytest.mark.parametrize(
    "rows",
    [lambda frame: frame[frame["round"] <= 4], lambda frame: frame[frame["threads"] == 5]],
    ids=["four rounds", "some of the cells"],
)
def test_part_of_what_the_reference_measured_counts_for_nothing(
    machines: Callable[..., Path], rows: Callable[[pd.DataFrame], pd.DataFrame]
) -> None:
    found = fleet.across([CLAIM], machines(1.0, 1.0, rows=rows))
    assert not any(found.loc[found["machine"] != reference(), "ratios"])
    assert fleet.estimates(found) == {}


def test_a_line_has_a_sign_for_each_machine_and_java(machines: Callable[..., Path]) -> None:
    rows = fleet.across([CLAIM, 7], machines(1.0, 0.1))
    first, second = fleet.table(rows, 100).splitlines()[1:3]
    assert first.split()[-2:] == ["....", "...."]
    agrees, differs = second.split()[-2:]
    assert set(agrees) <= {"+", "?"} and "+" in agrees and "-" in differs


@pytest.mark.parametrize("count", [3, 5, 10])
def test_the_intervals_cover_what_they_say(count: int) -> None:
    """Of machines whose true ratios differ by 10%: the mean, and the true ratio of one more machine."""
    chance, centre, between, error = np.random.default_rng(count), math.log(1.4), 0.10, 0.03
    runs = 400
    means = nexts = 0
    width = 0.0
    for _ in range(runs):
        true = chance.normal(centre, between, count + 1)
        found = fleet.estimate(chance.normal(true[:-1], error), [error] * count)
        means += found.low < math.exp(centre) < found.high
        nexts += found.next_low < math.exp(true[-1]) < found.next_high
        width += math.log(found.next_high / found.next_low) / runs
    assert 0.92 < means / runs < 0.99
    assert 0.92 < nexts / runs < (0.99 if count > 5 else 1.01)  # few machines, long intervals
    assert width / 2 < 2 * stats.t.ppf(0.975, count - 2) * math.hypot(between, error)


def test_it_is_what_the_formulas_say_for_machines_with_equal_errors() -> None:
    """With equal errors every method gives the plain mean, and the variance of the ratios less that of the errors."""
    logs, error = np.array([0.1, 0.3, 0.35, 0.5]), 0.05
    found = fleet.estimate(logs, [error] * 4)
    between = math.sqrt(logs.var(ddof=1) - error**2)
    of_mean = logs.std(ddof=1) / 2
    assert math.log(found.ratio) == pytest.approx(logs.mean())
    assert found.between == pytest.approx(between, rel=1e-3)
    assert math.log(found.high / found.ratio) == pytest.approx(stats.t.ppf(0.975, 3) * of_mean, rel=1e-3)
    beyond = stats.t.ppf(0.975, 2) * math.hypot(between, of_mean)
    assert math.log(found.next_high / found.ratio) == pytest.approx(beyond, rel=1e-3)


def test_machines_that_agree_have_a_narrow_estimate() -> None:
    found = fleet.estimate([math.log(1.4)] * 4, [0.01] * 4)
    assert found.between == pytest.approx(0, abs=1e-3)
    assert 1.37 < found.next_low < found.low < 1.4 < found.high < found.next_high < 1.45


def test_equal_rounds_do_not_divide_by_zero() -> None:
    assert math.isfinite(fleet.estimate([0.1, 0.2, 0.3], [0.0, 0.0, 0.0]).high)


def test_more_difference_needs_more_machines() -> None:
    counts = [fleet.needed(math.log(1.5), 0.02, between) for between in (0.02, 0.05, 0.10, 0.15)]
    assert counts == sorted(counts) and counts[0] == 3 < counts[-1]
    assert fleet.needed(math.log(1.03), 0.001, 0.01) is None, "less than what counts as a difference"


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
