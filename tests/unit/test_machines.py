"""Another machine's recordings do not affect those of the reference."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest

from poolbook.ledger import machines
from poolbook.ledger.claims import ledger, summary
from poolbook.ledger.machines import AGREE, CANNOT_TELL, DISAGREE, answer, compared, known
from poolbook.system.machine import name, own_name
from poolbook.tables.recorded import RECORDED, NoData, digest, facts, folder_of, recorded, recordings, reference
from poolbook.tables.verdicts import DECIDED, DEPENDS, HOLDS, NOT_HERE, REVERSED, SMALLER, UNDECIDED


def write(folder: Path, table: pd.DataFrame) -> None:
    """A table ``dates`` with the machine.json that belongs to it."""
    text = table.to_csv(index=False, lineterminator="\n")
    (folder / "dates.csv").write_text(text)
    facts = json.loads((folder / "machine.json").read_text())
    facts["tables"] = {"dates": {"rows": len(table), "sha256": digest(text.encode())}}
    (folder / "machine.json").write_text(json.dumps(facts))


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, str]:
    """The reference's recordings, and a later recording of ``dates`` on a machine with another processor.

    It has the same figures, except that the pool is ten times as slow. Returns the folder of all recordings
    and the other machine's name.
    """
    ours = folder_of(None)
    for recording in ours.iterdir():
        shutil.copytree(recording, tmp_path / ours.name / recording.name, ignore=shutil.ignore_patterns("*.xz"))
    (tmp_path / "REFERENCE").write_text(ours.name)
    facts = json.loads((ours / "2026-11-21" / "machine.json").read_text()) | {"cpu_model": "Another CPU"}
    theirs = tmp_path / name(facts) / "2030-01-01"
    theirs.mkdir(parents=True)
    (theirs / "machine.json").write_text(json.dumps(facts | {"machine": name(facts)}))
    table = recorded("dates").frame
    table.loc[table["strategy"] == "POOL", "ops_per_ms"] /= 10
    write(theirs, table)
    return tmp_path, theirs.parent.name


def test_a_later_recording_of_another_machine_changes_no_claim(two: tuple[Path, str]) -> None:
    root, _ = two
    with_other = ledger(lambda table: recorded(table, root=root).frame)
    alone = ledger()
    for rows in (with_other, alone):  # where nothing is recorded, it says in which folder
        rows["why"] = rows["why"].str.replace(r"(no recording of \S+) in .*", r"\1", regex=True)
    pd.testing.assert_frame_equal(with_other, alone)
    assert summary.headline(with_other) == summary.headline(alone)


def test_a_machine_of_the_reference_s_kind_changes_no_claim_either(two: tuple[Path, str]) -> None:
    root, other = two
    (root / other).rename(root / own_name(facts(next(recordings(folder_of(None)))), "abcdef012345"))
    assert recorded("dates", root=root).name == recorded("dates").name
    pd.testing.assert_frame_equal(recorded("dates", root=root).frame, recorded("dates").frame)


def test_the_machines_are_listed(two: tuple[Path, str]) -> None:
    root, other = two
    rows = known(root).set_index("machine")
    assert rows["reference"].to_dict() == {reference(): True, other: False}
    assert rows.loc[other, ["tables", "first_day", "processor"]].tolist() == [1, "2030-01-01", "Another CPU"]


def test_claims_are_compared_one_by_one(two: tuple[Path, str], capsys: pytest.CaptureFixture[str]) -> None:
    root, other = two
    rows = compared(other, [7, 18, 19, 23], root)
    by_name = rows.set_index(["id", "jdk"])
    assert set(by_name.loc[7, "answer"]) == {CANNOT_TELL}, "it has no data there"
    assert set(by_name.loc[7, "other_verdict"]) == {NOT_HERE}
    assert DISAGREE in set(rows["answer"]), "the pool is slower there than anything else"
    for row in rows.to_dict("records"):
        assert row["answer"] == answer(row["reference_verdict"], row["other_verdict"])
    printed = machines.table(rows, 100)
    assert "-: not testable there" in printed
    assert machines.details(rows, 100).count("reference: ") == len(rows)
    assert compared(root / other, [23], root).equals(compared(other, [23], root))


def test_a_copy_of_the_reference_agrees_with_it(two: tuple[Path, str]) -> None:
    root, other = two
    write(root / other / "2030-01-01", recorded("dates").frame)
    rows = compared(other, [18, 19, 23], root)
    told = rows[rows["other_verdict"].isin(DECIDED)]
    assert len(told) and set(told["answer"]) == {AGREE}


@pytest.mark.parametrize(
    ("here", "there", "expected"),
    [
        (HOLDS, HOLDS, AGREE),
        (REVERSED, REVERSED, AGREE),
        (HOLDS, REVERSED, DISAGREE),
        (REVERSED, HOLDS, DISAGREE),
        (DEPENDS, DEPENDS, CANNOT_TELL),
        (HOLDS, DEPENDS, CANNOT_TELL),
        (SMALLER, HOLDS, DISAGREE),
        (UNDECIDED, UNDECIDED, CANNOT_TELL),
        (HOLDS, NOT_HERE, CANNOT_TELL),
    ],
)
def test_only_what_is_decided_on_both_can_agree(here: str, there: str, expected: str) -> None:
    assert answer(here, there) == expected


@pytest.mark.parametrize("part", ["", "2026-11-21"])
def test_the_reference_is_not_compared_with_itself(two: tuple[Path, str], part: str) -> None:
    root, _ = two
    with pytest.raises(NoData, match="is the reference itself: name another machine"):
        compared(root / reference() / part, root=root)


def test_a_part_of_what_the_reference_measured_decides_nothing(two: tuple[Path, str]) -> None:
    """POOL with 5 threads alone would say "faster in 1 of 1" where the reference was asked twice."""
    root, other = two
    frame = recorded("dates").frame
    write(root / other / "2030-01-01", frame[(frame["threads"] == 5) | (frame["jdk"] != 17)])
    rows = compared(other, [23], root).set_index("jdk")
    assert rows.loc[17, ["answer", "other_verdict", "other_forks"]].tolist() == [CANNOT_TELL, NOT_HERE, 0]
    assert rows.loc[21, "other_verdict"] != NOT_HERE
    assert "claim to see why" in machines.table(rows.reset_index(), 100).replace("\n", " ")


def test_one_of_two_tables_decides_nothing(two: tuple[Path, str]) -> None:
    root, other = two
    folder = root / other / "2030-01-01"
    text = recorded("bursts").frame.to_csv(index=False, lineterminator="\n")
    (folder / "bursts.csv").write_text(text)
    facts = json.loads((folder / "machine.json").read_text())
    facts["tables"]["bursts"] = {"sha256": digest(text.encode())}
    (folder / "machine.json").write_text(json.dumps(facts))
    rows = compared(other, [15], root)
    assert set(rows["other_verdict"]) == {NOT_HERE}
    assert rows["other_why"].str.startswith("no data: no recording of bursts-events").all()


def test_a_table_of_another_version_is_no_data(two: tuple[Path, str]) -> None:
    root, other = two
    write(root / other / "2030-01-01", recorded("dates").frame.drop(columns=["threads"]))
    rows = compared(other, [23], root)
    assert set(rows["other_why"]) == {
        "no data: dates lacks the columns threads: another version of the workbook made it"
    }
    write(root / other / "2030-01-01", recorded("dates").frame.drop(columns=["round"]))
    assert set(compared(other, [23], root)["other_verdict"]) == {NOT_HERE}


def test_a_table_without_rounds_is_no_data(two: tuple[Path, str]) -> None:
    root, other = two
    write(root / other / "2030-01-01", recorded("dates").frame.drop(columns=["round"]))
    assert compared(other, [23], root)["other_why"].str.contains("dates lacks the columns round: another").all()


@pytest.mark.parametrize("spoilt", [float("nan"), 0.0])
def test_impossible_figures_are_no_data(two: tuple[Path, str], spoilt: float) -> None:
    root, other = two
    write(root / other / "2030-01-01", recorded("dates").frame.assign(ops_per_ms=spoilt))
    assert set(compared(other, [23, 24], root)["other_verdict"]) == {NOT_HERE}


def test_a_figure_that_its_column_does_not_allow_is_damage(two: tuple[Path, str]) -> None:
    root, other = two
    write(root / other / "2030-01-01", recorded("dates").frame.assign(ops_per_ms=-1.0))
    with pytest.raises(NoData, match="ops_per_ms has values that are not allowed"):
        compared(other, [23], root)


def test_a_damaged_table_is_not_passed_over(two: tuple[Path, str]) -> None:
    root, other = two
    with (root / other / "2030-01-01" / "dates.csv").open("a") as table:
        table.write("x")
    with pytest.raises(NoData, match=r"dates\.csv is not the recorded table"):
        compared(other, [23], root)
    assert set(compared(other, [7], root)["other_verdict"]) == {NOT_HERE}, "no claim that needs the damaged table"


def test_the_forks_and_the_profile_behind_a_verdict_are_told(two: tuple[Path, str]) -> None:
    root, other = two
    folder = root / other / "2030-01-01"
    frame = recorded("dates").frame
    write(folder, frame[frame["round"] <= 6])
    facts = json.loads((folder / "machine.json").read_text())
    for run in facts["runs"]:
        run["profile"] = "teach"
    (folder / "machine.json").write_text(json.dumps(facts))
    rows = compared(other, [23], root)
    assert set(rows["other_forks"]) == {6} and set(rows["reference_forks"]) == {frame["round"].max()}
    assert set(rows["other_profile"]) == {"teach"} and set(rows["reference_profile"]) == {"publish"}
    told = " ".join(machines.table(rows, 100).split())
    assert f"Forks behind these verdicts: 6 there, {frame['round'].max()} on the reference." in told
    assert "with the profile teach, whose figures are for trying things out" in told
    assert "[forks: 6, profile teach]" in machines.details(rows, 100)


def test_a_checkout_without_recordings_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(machines, "known", lambda root=tmp_path: known(root))
    assert machines.main(["machines"]) == 0
    assert capsys.readouterr().out == "no machine has recorded anything\n"


def test_a_damaged_machine_is_listed_as_such(two: tuple[Path, str]) -> None:
    root, other = two
    (root / other / "2030-01-01" / "machine.json").write_text('{"format_version": 2, "memory_bytes": "much"}')
    assert (
        known(root)
        .set_index("machine")
        .loc[other, "processor"]
        .endswith("machine.json is damaged: memory_bytes must be integer or null")
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["compare", "nowhere"], "no machine or folder nowhere; there are: "),
        (["compare", ""], "a path is needed, and this one is empty"),
        (["compare"], "the following arguments are required: MACHINE|FOLDER"),
        (["compare", str(RECORDED / reference()), "99"], "is the reference itself"),
    ],
)
def test_bad_requests_are_one_line(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status = machines.main(arguments)
    except SystemExit as stop:
        status = stop.code
    captured = capsys.readouterr()
    assert status == 2
    assert said in captured.err
    assert len(captured.err.splitlines()) == 1


def test_json_is_one_array_of_flat_objects(capsys: pytest.CaptureFixture[str]) -> None:
    assert machines.main(["machines", "--json"]) == 0
    (row,) = [row for row in json.loads(capsys.readouterr().out) if row["reference"]]
    assert row["machine"] == reference()
