"""A class of thirty, five of whom hand in something that is no answer."""

from __future__ import annotations

import io
import json
import os
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

from launch import is_one_clear_line, workbook
from poolbook.cells import predictions
from poolbook.site import classroom
from poolbook.system.strangers import Refused, clean

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


def said(**changes: object) -> str:
    """The text of an answer with another question, unit, guess or result."""
    answer = one(100)
    return json.dumps(answer | {"answers": [answer["answers"][0] | changes]})


BROKEN = {
    "no JSON": ("not JSON at all", "it cannot be read as JSON"),
    "no UTF-8": (b"\xff", "it cannot be read as JSON"),
    "deep JSON": ("[" * 49_000, "it cannot be read as JSON"),
    "a number of 5,000 digits": (said(guess="X").replace('"X"', "1" * 5_000), "it cannot be read as JSON"),
    "a number of 400 digits": (said(guess="X").replace('"X"', "1" + "0" * 400), "it cannot be read as JSON"),
    "a number beyond all": (said(guess="X").replace('"X"', "1e999"), "it cannot be read as JSON"),
    "no number": (said(guess="X").replace('"X"', "NaN"), "it cannot be read as JSON"),
    "a huge number": (said(guess=1e300), "answers[0].guess must be smaller than or equal to"),
    "a list": ("[1, 2]", "must be object"),
    "another format": (json.dumps(one(101, format_version=2)), "format_version must be same as const definition: 1"),
    "words for a number": (json.dumps(one(102, processors="many")), "processors must be integer"),
    "no Java": (json.dumps({key: what for key, what in one(103).items() if key != "java"}), "must contain ["),
    "an id of another kind": (json.dumps(one(104, id="../../a")), "id must match pattern"),
    "no question": (said(question=""), "answers[0].question must be longer than or equal to 1 characters"),
    "a long question": (said(question="x" * 201), "must be shorter than or equal to 200 characters"),
    "a list for a unit": (said(unit=["s"]), "answers[0].unit must be string"),
    "very many questions": (json.dumps(one(105, answers=one(1)["answers"] * 21)), "less than or equal to 20 items"),
    "a large file": (" " * 200_000, "it has more than 100,000 bytes"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(25):
        (tmp_path / f"{number}.json").write_text(json.dumps(one(number)), encoding="utf-8")
    for number, (content, _) in enumerate(BROKEN.values()):
        (tmp_path / f"broken-{number:02}.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    return tmp_path


@pytest.mark.parametrize("what", BROKEN)
def test_a_file_that_is_no_answer_is_named_with_the_reason(what: str, folder: Path) -> None:
    file = folder / f"broken-{list(BROKEN).index(what):02}.json"
    with pytest.raises(Refused, match=re.escape(BROKEN[what][1])) as refused:
        classroom.read_answer(file)
    assert str(refused.value).isprintable() and len(str(refused.value)) < 250


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
def test_what_is_no_regular_file_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text(json.dumps(one(1)))
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "zero.json").symlink_to("/dev/zero")
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    (tmp_path / "folder.json").mkdir()
    answers, refused = classroom.gathered(tmp_path)
    assert len(answers) == 1
    assert refused == [
        f"{name}.json was left out: it is not a regular file" for name in ("folder", "link", "pipe", "zero")
    ]


def test_a_class_has_so_many_answers_at_most(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classroom, "MOST_FILES", 10)
    answers, refused = classroom.gathered(folder)
    assert answers["id"].nunique() == 10
    assert len(refused) == len(BROKEN) + 1
    assert refused[-1] == "15 files were left out: a class has 10 at most"


def test_of_very_many_files_that_are_no_answers_the_first_are_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(classroom, "MOST_SHOWN", 3)
    assert classroom.class_main([str(folder), "--json"]) == 0
    said = capsys.readouterr()
    assert len(json.loads(said.out)) == 25
    assert said.err.splitlines()[-1] == f"and {len(BROKEN) - 3} more"


def test_nobody_can_answer_for_another(tmp_path: Path) -> None:
    (tmp_path / "0.json").write_text(json.dumps(one(1) | {"processors": 64}))
    for name in ("1", "2", "3"):
        (tmp_path / f"{name}.json").write_text(json.dumps(one(min(int(name), 2))))
    answers, refused = classroom.gathered(tmp_path)
    assert list(answers["id"]) == [one(2)["id"]]
    assert refused == [
        "0.json, 1.json were left out: they have the same id, but say different things",
        "3.json was left out: a copy of 2.json",
    ]


@pytest.mark.parametrize("text", [r"$\foo$", "$^$", "$_$", "a $ b", r"\$", "\x1b[2J\nOK", "\ud800", "比较", "<b>", "_"])
def test_any_text_is_printed_and_drawn_as_it_is(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classroom, "BUILD", tmp_path / "build")
    answer = one(1, java=None, collector=text)
    answer["answers"][0] |= {"question": text, "unit": text}
    (tmp_path / "a.json").write_text(json.dumps(answer))
    (tmp_path / "b.json").write_text(json.dumps(one(2, collector=None)))
    answers, refused = classroom.gathered(tmp_path)
    assert len(answers) == 2 and not refused
    shown = clean(text)
    assert f"03  {shown} ({shown})" in classroom.report(answers)
    drawn = []
    monkeypatch.setattr(classroom, "chart", lambda rows, chart=classroom.chart: drawn.append(chart(rows)) or drawn[0])
    with warnings.catch_warnings(action="error"):
        assert classroom.class_main([str(tmp_path)]) == 0
    titles = [axes.get_title().replace(r"\$", "$") for axes in drawn[0].axes]  # as matplotlib shows it
    assert f"03: {shown}" in titles
    assert shown.isprintable()


def test_the_names_of_files_move_no_cursor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.json").write_text(json.dumps(one(1)))
    (tmp_path / "\x1b[2J\nOK all fine.json").write_text("x")
    assert classroom.class_main([str(tmp_path), "--lesson", "3", "--json"]) == 0
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and err.strip().isprintable() and "OK all fine.json was left out" in err


def test_a_chart_of_very_many_questions_has_those_that_most_have_answered(tmp_path: Path) -> None:
    for number in range(40):
        answer = one(number)
        answer["answers"] += [{**answer["answers"][0], "question": f"my own {number}"}]
        (tmp_path / f"{number}.json").write_text(json.dumps(answer))
    figure = classroom.chart(classroom.gathered(tmp_path)[0])
    assert len(figure.axes) == classroom.MOST_QUESTIONS
    assert figure.axes[0].get_title() == f"03: {QUESTION}"


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


def test_a_machine_counts_once_and_another_unit_is_another_question(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.json").write_text(json.dumps(one(number)), encoding="utf-8")
    stranger = one(9)
    stranger["answers"] = [stranger["answers"][0] | {"unit": "hours", "came": 1000.0}] * 20
    (tmp_path / "00.json").write_text(json.dumps(stranger), encoding="utf-8")
    answers, _ = classroom.gathered(tmp_path)
    text = classroom.report(answers)
    assert f"{QUESTION} (hours)\n    1 guess," in text
    assert f"{QUESTION} (times as fast)\n    3 guesses" in text


def test_a_legend_names_the_most_frequent_kinds_of_machine(tmp_path: Path) -> None:
    for number in range(40):
        answer = one(number, processors=max(1, number - 20))
        (tmp_path / f"{number}.json").write_text(json.dumps(answer), encoding="utf-8")
    legend = classroom.chart(classroom.gathered(tmp_path)[0]).axes[0].get_legend()
    names = [text.get_text() for text in legend.get_texts()]
    assert len(names) == len(classroom.COLOURS) + 1 and names[-1] == "another kind"
    assert any(name.startswith("1 processor,") for name in names)


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


def test_a_folder_is_looked_for_where_the_user_is_and_letters_that_the_output_lacks_are_escaped(tmp_path: Path) -> None:
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / "größe.json").write_text("{}", encoding="utf-8")
    done = workbook("class", "answers", folder=tmp_path, PYTHONIOENCODING="ascii")
    assert "there is no folder" not in done.stderr
    assert "gr\\xf6\\xdfe.json" in done.stderr + done.stdout, done.stderr


def test_the_end_of_the_input_is_a_no(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert not classroom._agreed("Write this? ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["class", "a" * 300], "File name too long"),
        (["class", "no-such-folder"], "there is no folder"),
        (["class", ""], "a path is needed, and this one is empty"),
        (["class", "java", "--lesson", "9" * 5000], "no answer in java"),
        (["class", "java"], "no answer in java"),
        (["answer", "99"], "no guess of yours in lesson 99"),
        (["answer", "three"], "a lesson is a number such as 03, not 'three'"),
    ],
)
def test_bad_input_is_refused_in_one_line(arguments: list[str], said: str) -> None:
    is_one_clear_line(workbook(*arguments), said)
