"""Every committed notebook is complete, up to date, and readable without running it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from poolbook.lessons.notebook import copy_problems, problems, read
from poolbook.system.paths import NOTEBOOKS, ROOT, SOLUTIONS
from poolbook.upkeep.sources import stale_copies

COPIES, WORKED = sorted(NOTEBOOKS.glob("*.ipynb")), sorted(SOLUTIONS.glob("*.ipynb"))
COMMITTED = [*COPIES, *WORKED]
NOT_IN_IJAVA = re.compile(
    r"^\s*(%(?!maven|classpath|jars|addMavenDependency|loadFromPOM)\w+|assert\b|sealed\b)", re.MULTILINE
)


def test_there_are_notebooks() -> None:
    expected = {"00", "01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12", "13", "14"}
    assert expected <= {file.name[:2] for file in COMMITTED}


@pytest.mark.parametrize("file", WORKED, ids=lambda file: file.stem)
def test_nothing_is_wrong_with_the_worked_edition(file: Path) -> None:
    assert problems(read(file)) == [], f"./workbook run {file.stem[:2]} --solutions --in-place"


@pytest.mark.parametrize("file", COPIES, ids=lambda file: file.stem)
def test_a_learners_copy_has_no_outputs(file: Path) -> None:
    assert copy_problems(read(file)) == []


def test_the_learners_copies_are_fresh() -> None:
    assert stale_copies() == [], "run ./workbook upkeep"


@pytest.mark.parametrize("file", COMMITTED, ids=lambda file: file.relative_to(NOTEBOOKS).as_posix())
def test_it_says_nothing_of_the_machine_it_ran_on(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert str(ROOT) not in text
    assert str(Path.home()) + "/" not in text


@pytest.mark.parametrize("file", COMMITTED, ids=lambda file: file.relative_to(NOTEBOOKS).as_posix())
def test_links_between_lessons_lead_somewhere(file: Path) -> None:
    for cell in read(file).cells:
        if cell.cell_type == "markdown":
            for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", cell.source):
                assert (NOTEBOOKS / target).exists(), f"{cell['id']} links to {target}"


@pytest.mark.parametrize("file", COMMITTED, ids=lambda file: file.relative_to(NOTEBOOKS).as_posix())
def test_a_java_lesson_uses_only_what_ijava_has_too(file: Path) -> None:
    book = read(file)
    if book.metadata["kernelspec"]["name"] != "java":
        pytest.skip("a Python lesson")
    for cell in book.cells:
        if cell.cell_type == "code":
            assert not NOT_IN_IJAVA.search(cell.source), cell["id"]


def test_every_exercise_is_unsolved_for_the_learner_and_solved_in_its_source() -> None:
    for file in sorted(SOLUTIONS.glob("*.ipynb")):
        copy = {cell["id"]: cell for cell in read(NOTEBOOKS / file.name).cells}
        solved = [cell for cell in read(file).cells if "solution" in cell.metadata.get("tags", [])]
        assert solved, f"{file.name} has no exercise"
        for cell in solved:
            stub = cell.metadata["workbook"]["stub"]
            assert copy[cell["id"]].source == stub != cell.source
            assert "solution" not in copy[cell["id"]].metadata.get("tags", [])


def said_by_checks(file: Path) -> str:
    """The output of the exercises' checks when the notebook was run."""
    checks = (cell for cell in read(file).cells if cell["id"].endswith("-check"))
    return "".join(output.get("text", "") for cell in checks for output in cell.outputs)


@pytest.mark.parametrize("file", WORKED, ids=lambda file: file.stem)
def test_checks_pass_for_solutions(file: Path) -> None:
    said = said_by_checks(file)
    assert "✓" in said and "✗" not in said, said[:300]


@pytest.mark.parametrize("lesson", ["02", "04", "06"])
def test_the_exercise_for_the_command_line_is_that_of_the_notebook(lesson: str) -> None:
    file = (ROOT / "java" / "exercises" / lesson / "MyPool.java").read_text(encoding="utf-8")
    source = next(SOLUTIONS.glob(f"{lesson}-*.ipynb"))
    cell = next(cell for cell in read(source).cells if "my-pool" in cell.metadata.get("tags", []))
    assert file.rstrip().endswith(cell.metadata["workbook"]["stub"].rstrip())
