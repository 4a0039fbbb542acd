"""One command makes all that is generated, and names the lessons that have to be run again."""

from __future__ import annotations

from pathlib import Path

import pytest

from poolbook.lessons.notebook import read, stale_tables, stamp, write
from poolbook.system.paths import SOLUTIONS
from poolbook.upkeep import all as upkeep


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """What was made, with nothing written into the checkout."""
    done: list[str] = []
    monkeypatch.setattr(upkeep.style, "update", lambda: done.append("style") or "")
    for module in (upkeep.java_sources, upkeep.sources):
        monkeypatch.setattr(module, "update", lambda module=module: done.append(module.__name__))
    monkeypatch.setattr(upkeep, "texts", lambda here: {})
    monkeypatch.setattr(upkeep.readme, "PICTURES", {})
    monkeypatch.setattr(upkeep.datapackage, "write", lambda: done.append("datapackage"))
    monkeypatch.setattr(upkeep.dependencies, "main", lambda: done.append("pins") or 0)
    monkeypatch.setattr(upkeep, "SOLUTIONS", tmp_path)
    return done


def test_all_is_made_and_the_pins_only_if_asked_for(made: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    everything = ["style", "poolbook.upkeep.java_sources", "poolbook.upkeep.sources", "datapackage"]
    assert upkeep.main([]) == 0 and made == everything
    made.clear()
    assert upkeep.main(["--pins"]) == 0 and made == ["pins", *everything]
    assert capsys.readouterr().out == ""


def test_a_lesson_whose_cell_was_changed_is_to_be_run_again(
    made: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = read(next(SOLUTIONS.glob("00-*.ipynb")))
    next(cell for cell in book.cells if cell.cell_type == "code").source += "  # changed"
    write(book, tmp_path / "00-check-your-setup.ipynb")
    assert upkeep.main([]) == 0
    said = capsys.readouterr().out
    assert said.startswith("00-check-your-setup: ")
    assert said.endswith("./workbook run 00 --solutions --in-place\n")


def test_what_cannot_be_mended_is_shown(
    made: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(upkeep.style, "update", lambda: "a line is too long\n")
    assert upkeep.main([]) == 1
    assert capsys.readouterr().out == "a line is too long\n"


def test_a_table_that_was_recorded_again_makes_its_lesson_stale() -> None:
    book = read(next(SOLUTIONS.glob("07-*.ipynb")))
    stamp(book, "teach", "2030-01-01", ["strings", "claims"])
    assert stale_tables(book) == []
    book.metadata["workbook"]["executed"]["tables"]["strings"] = "another"
    assert stale_tables(book) == ["strings"]
