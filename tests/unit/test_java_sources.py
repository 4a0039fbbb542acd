"""Java in Python lessons: showing it, and fetching the learner's pool."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from poolbook.cells import java, turns
from poolbook.cells.java import IMPORTS, java_source, my_pool, show_java
from poolbook.system.paths import JAVA


@pytest.mark.parametrize(
    ("topic", "name", "begins", "ends"),
    [
        ("dates", "POOL", "/** The pool of 2006", "}"),
        ("dates", "YOURS", "/** A learner's pool", "}"),
        ("pools", "BlockingQueuePool", "/**\n * A pool on a blocking queue", "}"),
        ("pools", "lend", '@SuppressWarnings("unchecked")', "}"),
        ("dates", "parse", "/** Parses one text", "}"),
    ],
)
def test_the_lines_are_whole(topic: str, name: str, begins: str, ends: str) -> None:
    file, line, text = java_source(topic, name)
    assert text.startswith(begins)
    assert text.endswith(ends)
    assert text.count("{") == text.count("}")
    assert file.read_text(encoding="utf-8").splitlines()[line - 1].strip() == text.splitlines()[0].strip()


def test_braces_in_comments_and_strings_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "Odd.java").write_text(
        "class Odd {\n  /** a } in words */\n  void odd() {\n    String s = \"}\"; // }\n    char c = '}';\n  }\n}\n"
    )
    monkeypatch.setattr(java, "JAVA", tmp_path)
    assert java_source("odd", "odd")[2].splitlines()[-1] == "}"
    assert java_source("odd", "odd")[2].count("\n") == 4


def test_an_unknown_name_suggests_others() -> None:
    with pytest.raises(ValueError, match=r"did you mean .*POOL"):
        java_source("dates", "POOLS")
    with pytest.raises(ValueError, match="no Java package nonsense"):
        java_source("nonsense", "POOL")


def test_what_is_shown_names_its_place() -> None:
    assert "java/dates/Strategy.java" in show_java("dates", "LOCKED").data


def book(source: str, stub: str | None = None) -> nbformat.NotebookNode:
    metadata = {"tags": ["my-pool"], **({"workbook": {"stub": stub}} if stub else {})}
    return new_notebook(cells=[new_code_cell(source, metadata=metadata)])


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, folder in {"MY": "my", "NOTEBOOKS": "notebooks", "SOLUTIONS": "solutions", "BUILD": "build"}.items():
        (tmp_path / folder).mkdir()
        monkeypatch.setattr(java, name, tmp_path / folder)
    monkeypatch.setattr(java, "ROOT", tmp_path)
    monkeypatch.delenv("WORKBOOK_RUNNING", raising=False)
    nbformat.write(book("class MyPool { solved }", "class MyPool { ... }"), tmp_path / "solutions" / "02-x.ipynb")
    nbformat.write(book("class MyPool { ... }"), tmp_path / "notebooks" / "02-x.ipynb")
    return tmp_path


def test_an_unsolved_pool_is_replaced_by_the_solution_and_says_so(folders: Path) -> None:
    nbformat.write(book("class  MyPool  { ... }\n"), folders / "my" / "02-x.ipynb")
    pool = my_pool("02")
    assert pool.source == "class MyPool { solved }"
    assert pool.origin == "the solution of lesson 02"
    assert (folders / pool.path).read_text() == IMPORTS + "class MyPool { solved }\n"


def test_the_learners_pool_is_taken_from_the_saved_notebook(folders: Path) -> None:
    nbformat.write(book("class MyPool { mine }"), folders / "my" / "02-x.ipynb")
    pool = my_pool("02")
    assert pool.source == "class MyPool { mine }"
    assert pool.origin == "the pool you wrote in lesson 02"


def test_a_lesson_without_a_pool_is_refused(folders: Path) -> None:
    with pytest.raises(LookupError, match="lesson 09 has no pool"):
        my_pool("09")


@pytest.mark.parametrize("cell", ["class MyPool { }", "import java.util.*;\nclass MyPool { }"])
def test_the_cell_magic_keeps_the_cell_as_a_file_and_checks_it(
    folders: Path, monkeypatch: pytest.MonkeyPatch, cell: str
) -> None:
    checked = []
    monkeypatch.setattr(java, "check", checked.append)
    java._java_cell("MyPool.java", cell)
    assert checked == ["my/java/MyPool.java"]
    text = (folders / "my" / "java" / "MyPool.java").read_text()
    assert text == (cell if cell.startswith("import") else IMPORTS + cell)


def test_a_table_of_strings_has_its_imports_too(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java, "check", lambda path: None)
    java._java_cell("MyPool.java", "class MyPool implements StringTable { }")
    text = (folders / "my" / "java" / "MyPool.java").read_text()
    assert "import strings.*;" in text
    assert "import pools.*;" in text


def test_each_idea_of_the_turn_pool_has_its_line() -> None:
    lines = turns.map_of_ideas().data.splitlines()[2:]
    assert len(lines) == len(turns.IDEAS)
    for line, (_, _, name, code) in zip(lines, turns.IDEAS, strict=True):
        (number,) = re.findall(r"line (\d+)", line)
        assert code in (JAVA / "pools" / f"{name}.java").read_text(encoding="utf-8").splitlines()[int(number) - 1]


def test_the_cell_magic_wants_the_name_of_a_file(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    java._java_cell("../MyPool", "class MyPool { }")
    assert capsys.readouterr().out == "name a Java file, as in %%java MyPool.java, not ../MyPool\n"
    assert not (folders / "my" / "java").exists()


def test_no_number_is_printed_as_the_readers_country_writes_it() -> None:
    """What one program prints, another may read; and 20.000 is twenty for half of the world."""
    unsaid = re.compile(r"(?:String\.format|\.printf)\(\s*(?!\s|Locale\b)|to(?:Upper|Lower)Case\(\)")
    found = [file.name for file in JAVA.rglob("*.java") if unsaid.search(file.read_text(encoding="utf-8"))]
    assert set(found) <= {"MyPool.java"}, "name a Locale, such as Locale.ROOT"
