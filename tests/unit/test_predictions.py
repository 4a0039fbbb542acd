"""Guesses are kept, and never stop a lesson."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from poolbook.cells import predictions as module
from poolbook.cells.predictions import predict, prediction, predictions, result


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(module, "MY", tmp_path / "my")
    monkeypatch.setattr(module, "BUILD", tmp_path / "build")
    monkeypatch.delenv("WORKBOOK_RUNNING", raising=False)
    return tmp_path


def test_the_last_guess_counts() -> None:
    predict("03", "NEW / POOL", 3, "times as long")
    predict("03", "NEW / POOL", 2.5, "times as long")
    predict("02", "NEW / POOL", 9, "times as long")
    assert prediction("03", "NEW / POOL") == 2.5
    assert predictions()["value"].tolist() == [2.5, 9]
    assert predictions()["unit"].tolist() == ["times as long"] * 2


def test_what_came_is_kept_beside_its_guess(own_folders: Path) -> None:
    result("03", "NEW / POOL", 4.0)
    assert not (own_folders / "my").exists(), "there was no guess"
    predict("03", "NEW / POOL", 3, "times as long")
    predict("03", "warm", 2, "passes")
    result("03", "NEW / POOL", 1.5)
    result("03", "warm", float("nan"))
    assert predictions()["came"].tolist() == pytest.approx([1.5, float("nan")], nan_ok=True)
    predict("03", "NEW / POOL", 1, "times as long")
    assert predictions()["came"].isna().all(), "a new guess waits for its own answer"


def test_three_dots_are_no_prediction(capsys: pytest.CaptureFixture[str], own_folders: Path) -> None:
    predict("03", "NEW / POOL", ..., "times as long")
    assert "No guess yet" in capsys.readouterr().out
    assert prediction("03", "NEW / POOL") is None
    assert not (own_folders / "my").exists()


@pytest.mark.parametrize("value", ["three", [3], True, float("nan"), float("inf"), 1e16, 10**400])
def test_what_is_no_number_is_refused_in_words(value: object) -> None:
    with pytest.raises(ValueError, match="a prediction is a number"):
        predict("03", "NEW / POOL", value, "times as long")


def test_a_number_of_numpy_is_a_number() -> None:
    for value in (np.int64(3), np.float32(3)):
        predict("03", "NEW / POOL", value, "times as long")
        assert prediction("03", "NEW / POOL") == 3


def test_a_broken_line_costs_only_itself(own_folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    predict("00", "one", 1, "x")
    with (own_folders / "my" / "predictions.jsonl").open("a") as file:
        file.write("{half a li\n" + "[" * 100_000 + "\n")
    predict("00", "two", 2, "x")
    assert predictions()["value"].tolist() == [1, 2]
    said = capsys.readouterr().out
    assert "line 2 is not a prediction" in said and "line 3 is not a prediction" in said


def test_the_workbooks_own_runs_keep_their_hands_off(own_folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    predict("00", "one", 1, "x")
    monkeypatch.setenv("WORKBOOK_RUNNING", "1")
    predict("00", "one", 99, "x")
    monkeypatch.delenv("WORKBOOK_RUNNING")
    assert prediction("00", "one") == 1


def test_a_guess_from_a_java_lesson_is_read(own_folders: Path) -> None:
    (own_folders / "my").mkdir()
    (own_folders / "my" / "predictions.jsonl").write_text(
        '{"lesson": "02", "question": "wrong", "value": 100, "unit": "of 100,000", "time": "2026-01-01T00:00:00Z"}\n'
    )
    assert prediction("02", "wrong") == 100
