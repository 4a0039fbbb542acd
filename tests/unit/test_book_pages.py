"""The book's pages, before Sphinx makes them: labels in words, links with and without an address, verdicts."""

from __future__ import annotations

import functools
import re
from urllib.parse import unquote

import pytest

from poolbook.cells.charts.look import STYLE
from poolbook.ledger.claims import ledger
from poolbook.lessons.notebook import read
from poolbook.record.experiments import aliases
from poolbook.site.book import build, explorer, lessons, pages
from poolbook.system.address import Address
from poolbook.system.paths import DATASETS, ROOT, SOLUTIONS
from poolbook.tables.columns import COLUMNS

STEMS = [file.stem for file in sorted(SOLUTIONS.glob("[0-9][0-9]-*.ipynb"))]
SHOWN = {name: about for name, about in COLUMNS.items() if about["role"] in ("cell", "contender", "figure")}
UNITS = {"us", "ns", "ms", "s", "mb", "b", "bytes", "percent", "%"}
HERE = Address("someone/pools", "https://someone.example/pools/")


@pytest.mark.parametrize("name", SHOWN)
def test_a_label_is_words_without_a_unit(name: str) -> None:
    words = explorer.label(name)
    assert re.fullmatch(r"[A-Za-z][A-Za-z0-9 ,.'-]+", words)
    assert words.split()[-1].lower() not in UNITS


def test_no_table_has_two_columns_with_one_label() -> None:
    for file in sorted((DATASETS / "recorded").glob("*/*/*.csv")):
        with file.open(encoding="utf-8") as table:
            names = [name for name in table.readline().strip().split(",") if name in SHOWN]
        labels = [explorer.label(name) for name in names]
        assert len(set(labels)) == len(labels), file.name


def test_a_key_and_a_figure_come_with_their_label_and_unit_once(monkeypatch: pytest.MonkeyPatch) -> None:
    data = explorer.table("dates-race")
    assert data["question"].startswith("One `SimpleDateFormat`") and data["question"].endswith(".")
    assert [key["label"] for key in data["keys"]] == ["Java", "threads"]
    assert [(one["label"], one["unit"]) for one in data["figures"]] == [
        ("right answers", ""),
        ("wrong answers", ""),
        ("exceptions", ""),
    ]


@functools.cache
def lessons_of_programs() -> dict[str, str]:
    """The numbers of the lessons that the programs name, by the constant of cli.Lesson."""
    text = (ROOT / "java" / "cli" / "Lesson.java").read_text(encoding="utf-8")
    return dict(re.findall(r'^  ([A-Z_]+)\("(\d\d)-', text, re.MULTILINE))


@pytest.mark.parametrize("stem", STEMS)
def test_a_lesson_names_a_program_that_belongs_to_it(stem: str) -> None:
    """Its cells run the program or use its package, or the program says that this lesson explains it."""
    cells = "\n".join(cell.source for cell in read(SOLUTIONS / f"{stem}.ipynb").cells)
    assert lessons.PROGRAMS[stem[:2]]
    for alias in lessons.PROGRAMS[stem[:2]]:
        folder = (ROOT / aliases()[alias]["script-ref"]).parent
        java = "".join(file.read_text(encoding="utf-8") for file in folder.glob("*.java"))
        explained = {lessons_of_programs()[name] for name in re.findall(r"\bLesson\.([A-Z_]+)", java)}
        assert f'"{alias}"' in cells or f"import {folder.name}." in cells or stem[:2] in explained


def test_a_lesson_begins_with_how_to_run_it() -> None:
    stem, title = "03-race-new-locked-and-pool", "Race NEW, LOCKED and POOL"
    said = lessons.yourself(stem, title, Address())
    assert "\n./workbook jbang dates --threads 5,15\n" in said
    assert f"`notebooks/{stem}.ipynb`" in said
    assert "http" not in said and "@" not in said
    said = lessons.yourself(stem, title, HERE)
    links = dict(re.findall(r"\[([^]]+)\]\((\S+)\)", said))
    assert links["The notebook on GitHub"] == f"https://github.com/someone/pools/blob/main/notebooks/{stem}.ipynb"
    assert links["Open in Binder"].startswith(
        "https://mybinder.org/v2/gh/someone/pools/main?urlpath=lab/tree/notebooks/"
    )
    assert links["Open in Codespaces"] == "https://codespaces.new/someone/pools"
    wrong = links["This is wrong"]
    assert unquote(wrong) == f"https://github.com/someone/pools/issues/new?title=Lesson 03, {title}: "
    assert "\njbang dates@someone/pools --threads 5,15\n" in said


def test_a_page_says_where_to_report_only_with_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = ledger(only=[23, 35])
    tables = {"dates": explorer.table("dates")}
    monkeypatch.setattr(pages, "ledger", lambda: rows)
    monkeypatch.setattr(explorer, "all_tables", lambda: tables)
    for page in (pages.claims, pages.explore):
        assert "This is wrong" not in page(Address()) and "github.com" not in page(Address())
        assert "https://github.com/someone/pools/issues/new?" in page(HERE)
    assert "new?template=claim.yml&amp;number=23&amp;title=Claim%2023%3A%20" in pages.claims(HERE)
    form = (ROOT / ".github" / "ISSUE_TEMPLATE" / "claim.yml").read_text(encoding="utf-8")
    assert "id: number" in form, "or GitHub fills nothing"
    assert "](https://github.com/someone/pools)" in pages.start("pictures", HERE)
    assert "github.com" not in pages.start("pictures", Address())


def test_a_claim_has_its_author_and_leads_to_its_table(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = ledger(only=[23, 35])
    table = rows[rows["id"] == 23]["experiment"].iloc[0]
    monkeypatch.setattr(pages, "ledger", lambda: rows)
    monkeypatch.setattr(explorer, "all_tables", lambda: {table: explorer.table(table)})
    page = pages.claims(Address())
    assert page.count(f"<td>{rows.iloc[0]['author']}</td>") == 1
    assert f'href="explorer.html?table={table}&amp;figure=ops_per_ms&amp;claim=23"' in page
    assert "the table <code>fast-pool-sizes</code>" in page, "which the explorer does not have"
    assert "The ledger has 2 claims." in page


def test_the_colours_of_verdicts_are_no_strategys() -> None:
    css = (build.SITE / "static" / "book.css").read_text(encoding="utf-8")
    colours = set(re.findall(r"--verdict: (#[0-9a-f]{6})", css))
    assert len(colours) >= 5
    assert not colours & {colour for colour, _ in STYLE.values()}
    named = re.findall(r'\[data-verdict\^?="([^"]+)"\]', css)
    assert all(any(words.startswith(name) for name in named) for words in pages.WORDS.values())
