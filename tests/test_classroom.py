"""A class of thirty, five of whom hand in something that is no answer."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from launch import is_one_clear_line, workbook
from poolbook import classroom, predictions

QUESTION = "FORMATTER / NEW"


def one(number: int, **changes: object) -> dict:
    """A made-up answer: every third machine has 16 processors and Java 21, and measures three times as much."""
    rng = np.random.default_rng(number)
    big = number % 3 == 0
    answer = {"question": QUESTION, "unit": "times as fast", "guess": float(rng.integers(1, 9)),
              "came": float((12 if big else 4) * rng.normal(1, 0.05))}  # fmt: skip
    return {
        "format_version": 1, "id": f"{number:06x}", "lesson": "03", "processors": 16 if big else 2,
        "java": "21.0.2" if big else "17.0.15", "collector": "G1", "cpu": None, "answers": [answer],
    } | changes  # fmt: skip


BROKEN = [
    "not JSON at all",
    json.dumps([1, 2]),
    json.dumps(one(100, format_version=2)),
    json.dumps(one(101, processors="many")),
    json.dumps(one(102, answers=[{"question": "x\ny", "unit": "s", "guess": 1}])),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(25):
        (tmp_path / f"{number}.json").write_text(json.dumps(one(number)), encoding="utf-8")
    for number, text in enumerate(BROKEN):
        (tmp_path / f"broken-{number}.json").write_text(text, encoding="utf-8")
    return tmp_path


def test_thirty_answers_five_of_them_broken(folder: Path) -> None:
    answers, refused = classroom.gathered(folder)
    assert len(answers) == 25
    assert len(refused) == len(BROKEN)
    assert all(line.startswith("broken-") for line in refused)
    text = classroom.report(answers)
    assert "25 guesses" in text
    assert "with 16 processors, Java 21, G1" in text
    assert "with 2 processors" not in text


def test_it_is_drawn_with_a_dot_per_machine(folder: Path) -> None:
    answers, _ = classroom.gathered(folder)
    figure = classroom.chart(answers)
    (axes,) = figure.axes
    dots = [line for line in axes.lines if line.get_marker() == "o" and len(line.get_xdata()) == 1]
    assert len(dots) == 2 * 25, "a guess and a result for each"
    assert len(axes.get_legend().get_texts()) == 2
    assert QUESTION in figure.get_label()


def test_a_copy_counts_once(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_text(json.dumps(one(1)), encoding="utf-8")
    answers, refused = classroom.gathered(tmp_path)
    assert len(answers) == 1
    assert "a copy" in refused[0]


def test_nobody_has_measured_yet(tmp_path: Path) -> None:
    answer = one(1)
    answer["answers"][0]["came"] = None
    (tmp_path / "a.json").write_text(json.dumps(answer), encoding="utf-8")
    answers, _ = classroom.gathered(tmp_path)
    assert "nobody has measured it yet" in classroom.report(answers)
    assert classroom.chart(answers).axes


def test_an_own_answer_has_no_name_and_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(predictions, "MY", tmp_path)
    monkeypatch.delenv("WORKBOOK_RUNNING", raising=False)
    predictions.predict("03", QUESTION, 2, "times as fast")
    predictions.result("03", QUESTION, 3.5)
    answer = classroom.own_answer("03")
    assert set(answer) == {"format_version", "id", "lesson", "processors", "java", "collector", "cpu", "answers"}
    assert answer["answers"] == [{"question": QUESTION, "unit": "times as fast", "guess": 2, "came": 3.5}]
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(answer), encoding="utf-8")
    assert classroom.read_answer(file) == answer
    assert answer["cpu"] is None


def test_the_command_draws_and_names_what_it_left_out(folder: Path) -> None:
    done = workbook("class", folder)
    assert done.returncode == 0, done.stderr
    assert "drawn: build/class/03.png" in done.stdout.replace("\\", "/")
    assert done.stderr.count("was left out") == len(BROKEN)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["class", "no-such-folder"], "there is no folder"),
        (["class", "java"], "no answer in java"),
        (["answer", "99"], "no guess of yours in lesson 99"),
        (["answer", "three"], "no guess of yours"),
    ],
)
def test_bad_input_is_refused_in_one_line(arguments: list[str], said: str) -> None:
    is_one_clear_line(workbook(*arguments), said)
