"""The tools that make, check, run and copy notebooks, on invented notebooks."""

from __future__ import annotations

import base64
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

from poolbook.cells.lesson import SMOKE_SECONDS, Lesson
from poolbook.lessons import copies, run
from poolbook.lessons import notebook as module
from poolbook.lessons.notebook import copy_problems, problems, read, stale_charts, stamp, write
from poolbook.system.paths import NOTEBOOKS, ROOT
from poolbook.upkeep import sources


def cell(source: str, name: str, **metadata: object) -> nbformat.NotebookNode:
    made = new_code_cell(source, metadata=metadata)
    made["id"] = name
    return made


def notebook(*cells: nbformat.NotebookNode, kernel: str = "python3") -> nbformat.NotebookNode:
    title = new_markdown_cell("# Race two things\n\nAbout 0 minutes with the exercise. Python kernel.")
    title["id"] = "title"
    book = new_notebook(cells=[title, *cells])
    book.metadata["kernelspec"] = {"name": kernel, "display_name": kernel, "language": "python"}
    stamp(book, "teach", "2026-01-01")
    return book


def test_a_good_notebook_has_no_problems() -> None:
    assert problems(notebook(cell("1 + 1", "one"))) == []


def picture(alt: str | None) -> nbformat.NotebookNode:
    metadata = {"image/png": {"alt": alt}} if alt else {}
    return new_output("display_data", {"image/png": "aGk="}, metadata=metadata)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda book: book.cells[0].update(source="# Race\n\nAbout 5 minutes."), "must say: About 0 minutes with the"),
        (lambda book: book.metadata["kernelspec"].update(name="my-conda"), "kernel"),
        (lambda book: book.cells[0].update(source="Race"), "title"),
        (lambda book: book.cells[1].update(source="1 + 2"), "cell one was changed since it was run"),
        (lambda book: book.cells[1].update(source="\n".join("x" * 26)), "cell one has 26 lines"),
        (lambda book: book.metadata["workbook"]["executed"].update(profile="smoke"), "profile teach"),
        (
            lambda book: book.cells[1].outputs.append(new_output("error", ename="ValueError")),
            "ends in an error: ValueError",
        ),
        (lambda book: book.cells[1].outputs.append(picture(None)), "without alternative text"),
        (lambda book: book.cells[1].outputs.append(new_output("stream", text="log\n" * 41)), "wall of 41 lines"),
    ],
)
def test_each_problem_is_found(spoil, said: str) -> None:
    book = notebook(cell("1 + 1", "one"))
    spoil(book)
    assert any(said in problem for problem in problems(book)), problems(book)


def test_a_picture_with_alternative_text_is_fine() -> None:
    book = notebook(cell("draw()", "one"))
    book.cells[1].outputs.append(picture("a bar"))
    assert problems(book) == []


# --------------------------------------------------------------------------- learners' copies


def exercise() -> nbformat.NotebookNode:
    solved = cell("answer = 42", "exercise", tags=["solution", "my-pool"], workbook={"stub": "answer = ..."})
    guessed = cell("guess = 3", "predict", workbook={"stub": "guess = ..."})
    return notebook(cell("1 + 1", "one", tags=["hide-input"], jupyter={"source_hidden": True}), solved, guessed)


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sources, "NOTEBOOKS", tmp_path)
    monkeypatch.setattr(sources, "SOLUTIONS", tmp_path / "solutions")
    write(exercise(), tmp_path / "solutions" / "00-try.ipynb")
    return tmp_path


def test_stale_copies_are_found_and_made_anew(folders: Path) -> None:
    assert sources.stale_copies() == ["00-try.ipynb"]
    sources.update()
    assert sources.stale_copies() == []
    copy = read(folders / "00-try.ipynb")
    assert [c.source.splitlines()[0] for c in copy.cells] == [
        "# Race two things",
        "1 + 1",
        "answer = ...",
        "guess = ...",
    ]
    assert copy.cells[1].metadata == {"tags": ["hide-input"], "jupyter": {"source_hidden": True}}
    assert copy.cells[2].metadata == {"tags": ["my-pool"]}
    copy.cells[1].source = "1 + 3"
    write(copy, folders / "00-try.ipynb")
    assert sources.stale_copies() == ["00-try.ipynb"]


def test_a_copy_without_a_source_is_stale(folders: Path) -> None:
    sources.update()
    shutil.copy(folders / "00-try.ipynb", folders / "01-orphan.ipynb")
    assert sources.stale_copies() == ["01-orphan.ipynb"]


def test_a_copy_has_no_outputs(folders: Path) -> None:
    worked = exercise()
    worked.cells[1].outputs = [new_output("stream", text="2\n")]
    worked.cells[1].execution_count = 1
    write(worked, folders / "solutions" / "00-try.ipynb")
    sources.update()
    copy = read(folders / "00-try.ipynb")
    assert copy_problems(copy) == []
    copy.cells[1].outputs = [new_output("stream", text="2\n")]
    assert copy_problems(copy) == ["cell one has outputs: they spoil the reader's prediction"]


def test_a_changed_chart_makes_the_notebooks_stale_that_draw_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in {"bars": "def bars(\n", "lines": "def lines(\n", "lessons": "def guess(\n", "look": ""}.items():
        (tmp_path / f"{name}.py").write_text(f"\n{text}")
    monkeypatch.setattr(module, "CHARTS", tmp_path)
    bars, lines = notebook(cell("charts.bars(1)", "one")), notebook(cell("charts.lines(1); here.guess(1)", "one"))
    none = notebook(cell("1 + 1", "one"))
    assert [stale_charts(book) for book in (bars, lines, none)] == [[], [], []]
    (tmp_path / "bars.py").write_text("\ndef bars(changed\n")
    assert [stale_charts(book) for book in (bars, lines, none)] == [["bars.py"], [], []]
    assert problems(bars) == ["charts/bars.py was changed since it was run"]
    (tmp_path / "look.py").write_text("changed")
    assert [stale_charts(book) for book in (bars, lines, none)] == [["bars.py", "look.py"], ["look.py"], []]
    (tmp_path / "lessons.py").write_text("\ndef guess(changed\n")
    assert stale_charts(lines) == ["lessons.py", "look.py"]


# ------------------------------------------------------------------------------ working copies


def test_working_copies_never_overwrite_what_the_learner_did(tmp_path: Path) -> None:
    source, target = tmp_path / "notebooks", tmp_path / "my"
    book = notebook(cell("1 + 1", "one"))
    write(book, source / "00-try.ipynb")

    assert copies.make(source, target) == ["my/00-try.ipynb is ready"]
    assert copies.make(source, target) == []

    book.cells[1].source = "1 + 2"
    write(book, source / "00-try.ipynb")
    assert copies.make(source, target) == ["my/00-try.ipynb was updated"]

    mine = read(target / "00-try.ipynb")
    mine.cells[1].source = "my own idea"
    write(mine, target / "00-try.ipynb")
    assert copies.make(source, target) == []
    book.cells[1].source = "1 + 3"
    write(book, source / "00-try.ipynb")
    assert copies.make(source, target)[0].endswith("the new version is my/00-try.new.ipynb")
    assert read(target / "00-try.ipynb").cells[1].source == "my own idea"
    assert read(target / "00-try.new.ipynb").cells[1].source == "1 + 3"
    assert copies.make(source, target) == []

    (target / "00-try.new.ipynb").write_text("mine, too")
    book.cells[1].source = "1 + 4"
    write(book, source / "00-try.ipynb")
    assert copies.make(source, target)[0].endswith("the new version is my/00-try.new2.ipynb")
    assert (target / "00-try.new.ipynb").read_text() == "mine, too"


@pytest.mark.parametrize("damage", [b"{", b"[" * 100_000, b"\xff", b"[]"])
def test_what_is_damaged_in_the_learners_folder_keeps_no_lesson_shut(damage: bytes, tmp_path: Path) -> None:
    source, target = tmp_path / "notebooks", tmp_path / "my"
    for name in ("00", "01"):
        write(notebook(cell("1 + 1", "one")), source / f"{name}-try.ipynb")
    (target / "01-try.ipynb").mkdir(parents=True)
    (target / "00-try.ipynb").write_bytes(damage)
    (target / copies.MEMORY).write_bytes(damage)
    assert [line.rpartition(" ")[2] for line in copies.make(source, target)] == [
        "my/00-try.new.ipynb",
        "my/01-try.new.ipynb",
    ]
    assert (target / "00-try.ipynb").read_bytes() == damage


# -------------------------------------------------------------------------------------- running


@pytest.fixture
def runnable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(run, "NOTEBOOKS", tmp_path)
    monkeypatch.setattr(run, "SOLUTIONS", tmp_path / "solutions")
    monkeypatch.setattr(run, "BUILD", tmp_path / "build")
    for name in ("WORKBOOK_PROFILE", "WORKBOOK_RUNNING"):
        monkeypatch.setenv(name, "restored after the test")
    return tmp_path


def test_a_notebook_that_ends_in_an_error_is_named_with_its_cell(
    runnable: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(notebook(cell("1 + 1", "one"), cell("raise ValueError('lost')", "two"), cell("3", "three")),
          runnable / "00-bad.ipynb")  # fmt: skip
    write(notebook(cell("import os; print(os.environ['WORKBOOK_PROFILE'])", "one")), runnable / "01-good.ipynb")
    assert run.main(["00", "01-good", "--profile", "smoke"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"00-bad   +\d+\.\d s    3 cells  failed", said[0])
    assert said[1] == "  code cell 2 (two): ValueError: lost"
    assert re.fullmatch(r"01-good  +\d+\.\d s    1 cells  ok", said[2])
    assert re.fullmatch(r"1 of 2 notebooks ran without errors in \d+ s", said[3])
    assert read(runnable / "build" / "notebooks" / "01-good.ipynb").cells[1].outputs[0].text == "smoke\n"
    assert read(runnable / "01-good.ipynb").cells[1].outputs == [], "the committed notebook is left alone"


def test_in_place_keeps_the_outputs_and_the_stamp(runnable: Path) -> None:
    bar = "import sys, pathlib; print('kept'); print('50%|###  |', end='\\r'); print(' ' * 20)"
    worked = runnable / "solutions" / "00-good.ipynb"
    write(notebook(cell(f"{bar}; print(pathlib.Path.home() / 'x')", "one")), worked)
    assert run.main(["00", "--solutions", "--in-place"]) == 0
    book = read(worked)
    assert book.cells[1].outputs[0].text == "kept\n~/x\n"
    assert problems(book) == []


def test_a_learners_copy_keeps_no_outputs(runnable: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        run.main(["--in-place"])
    assert stop.value.code == 2
    assert "--in-place needs --solutions" in capsys.readouterr().err


def test_unknown_notebooks_are_one_line(runnable: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(notebook(), runnable / "00-good.ipynb")
    assert run.main(["99"]) == 2
    assert capsys.readouterr().err == "no notebook 99; there are: 00-good\n"


def test_in_place_writes_into_the_worked_edition_only(runnable: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = runnable / "00-mine.ipynb"
    write(notebook(cell("1 + 1", "one")), mine)
    before = mine.read_bytes()
    assert run.main([str(mine), "--solutions", "--in-place"]) == 2
    assert capsys.readouterr().err == f"only the worked edition keeps outputs, and {mine} does not belong to it\n"
    assert mine.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is not a notebook, or it is damaged"),
        (b"{", "is not a notebook, or it is damaged"),
        (b"[]", "is not a notebook, or it is damaged"),
        (b"\xff", "is not a notebook, or it is damaged"),
        (b'{"nbformat": 4}', "is not a notebook, or it is damaged"),
        pytest.param(b'{"cells": ' + 100_000 * b"[", "is not a notebook, or it is damaged", id="deep"),
        (b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {"workbook": [1]}, "cells": []}', "is not a notebook, or"),
        (b'{"nbformat": 9, "nbformat_minor": 1, "metadata": {}, "cells": []}', "is not a notebook, or it is damaged"),
        (b'{"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": []}', "is of an old format"),
    ],
)
def test_a_damaged_notebook_is_one_line_before_anything_runs(
    runnable: Path, capsys: pytest.CaptureFixture[str], content: bytes, said: str
) -> None:
    write(notebook(cell("1 + 1", "one")), runnable / "00-good.ipynb")
    (runnable / "01-bad.ipynb").write_bytes(content)
    assert run.main(["00", "01"]) == 2
    captured = capsys.readouterr()
    assert said in captured.err and len(captured.err.splitlines()) == 1
    assert captured.out == "" and not (runnable / "build").exists()
    assert (runnable / "01-bad.ipynb").read_bytes() == content


def test_a_name_longer_than_a_file_can_have_is_one_line(runnable: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(notebook(), runnable / "00-good.ipynb")
    assert run.main(["a" * 300 + ".ipynb"]) == 2
    assert capsys.readouterr().err.startswith("no notebook aaa")


def test_two_notebooks_of_one_name_would_share_one_file(runnable: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [runnable / folder / "mine.ipynb" for folder in "ab"]
    for file in files:
        file.parent.mkdir()
        write(notebook(), file)
    assert run.main(list(map(str, files))) == 2
    assert "have the same name" in capsys.readouterr().err
    assert len(run.find([str(files[0]), str(files[0])])) == 1


def test_an_interrupt_is_one_line_and_leaves_no_kernel(tmp_path: Path) -> None:
    if os.name == "nt":
        pytest.skip("signals")
    import signal

    write(notebook(cell("import time; time.sleep(60)", "one")), tmp_path / "00-slow.ipynb")
    process = subprocess.Popen(
        [sys.executable, "-m", "poolbook.lessons.run", str(tmp_path / "00-slow.ipynb")],
        cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr.readline() == "running 00-slow\n", "the first cell has begun"
    process.send_signal(signal.SIGINT)
    _out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert "interrupted" in err


def test_without_java_the_race_shows_recorded_figures_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKBOOK_JAVA_HOME", str(tmp_path / "nowhere"))
    monkeypatch.setenv("WORKBOOK_RUNNING", "1")
    outcome = run.execute(next(NOTEBOOKS.glob("03-*.ipynb")), tmp_path / "03.ipynb", "smoke")
    assert outcome.failure == ""
    outputs = {cell["id"]: cell.outputs for cell in read(tmp_path / "03.ipynb").cells if cell.cell_type == "code"}
    assert "figures are recorded ones" in outputs["setup"][0]["text"]
    assert "No Java here: these are recorded figures" in outputs["today-run"][0]["text"]
    assert "recorded" in outputs["today-chart"][0]["metadata"]["image/png"]["alt"]


def test_smoke_measures_a_cell_for_a_moment_only(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr("poolbook.cells.lesson.jbang.run", lambda *arguments: seen.append(arguments))
    for profile in ("smoke", "teach"):
        lesson = Lesson("09", {"version": "17"}, profile)
        lesson.run("libraries", "--threads", 2, seconds=0.8)
        lesson.run("bench-dates", timing=["-wi", 3])
    lengths = {"smoke": SMOKE_SECONDS, "teach": 0.8}
    libraries, dates = ("libraries", "--threads", 2, "--profile"), ("bench-dates", "--profile")
    assert seen[::2] == [(*libraries, name, "--seconds", seconds) for name, seconds in lengths.items()]
    assert seen[1::2] == [(*dates, "smoke"), (*dates, "teach", "-wi", 3)]


def test_progress_bars_go_and_indentation_stays() -> None:
    text = "feed:  10%|#  | 1/10\rfeed: 100%|###| 10/10\n        \nclass A {\n  int b;\n}\n"
    book = new_notebook(cells=[new_code_cell("1")])
    book.cells[0].outputs = [new_output("stream", name="stdout", text=text)]
    run.scrub(book)
    assert book.cells[0].outputs[0].text == "class A {\n  int b;\n}\n"


@pytest.mark.parametrize("no_picture", ["notbase64!", "AAAA"])
def test_what_is_no_picture_stays_as_it_is(no_picture: str) -> None:
    book = new_notebook(cells=[new_code_cell("1")])
    book.cells[0].outputs = [new_output("display_data", data={"image/png": no_picture})]
    run.scrub(book)
    assert book.cells[0].outputs[0].data["image/png"] == no_picture


def test_a_picture_gets_smaller_and_its_white_stays_white() -> None:
    pixels = np.full((200, 300, 3), 255, dtype="uint8")
    pixels[50:150] = np.random.default_rng(1).integers(0, 255, (100, 300, 3))
    picture, made = Image.fromarray(pixels), io.BytesIO()
    picture.save(made, "PNG")
    small = base64.b64decode(run.smaller(base64.b64encode(made.getvalue()).decode("ascii")))
    assert len(small) < len(made.getvalue())
    shown = Image.open(io.BytesIO(small)).convert("RGB")
    assert shown.size == picture.size and shown.getpixel((1, 1)) == (255, 255, 255)
