"""The book: it is built without a warning, asks no other host for anything, and says what the lessons say."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from subprocess import CompletedProcess
from urllib.parse import unquote, urlsplit

import pytest

from poolbook import compare, recorded
from poolbook.book import explorer, lessons
from poolbook.notebook import read
from poolbook.paths import BUILD, SOLUTIONS

BOOK = BUILD / "book"
PAIRED = {"details", "section", "div", "table", "figure", "form", "article", "main"}


class Page(HTMLParser):
    """What a page refers to, its pictures, and whether its elements are nested."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.alts: list[str] = []
        self.ids: set[str] = set()
        self.empty_heads = 0
        self.wrong: list[str] = []
        self._open: list[str] = []
        self._head = ""
        self.feed(file.read_text(encoding="utf-8"))
        self.wrong += self._open

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        has = dict(attributes)
        if "id" in has:
            self.ids.add(has["id"])
        if tag == "a" and has.get("href"):
            self.links.append(has["href"])
        if tag in ("script", "img", "iframe") and has.get("src"):
            self.loads.append(has["src"])
        if tag == "link" and has.get("href") and has.get("rel") != "canonical":
            self.loads.append(has["href"])
        if tag == "img":
            self.alts.append(has.get("alt") or "")
        if tag == "th":
            self._head = "th"
        if tag in PAIRED:
            self._open.append(tag)

    def handle_data(self, data: str) -> None:
        if self._head and data.strip():
            self._head = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "th" and self._head:
            self.empty_heads += 1
            self._head = ""
        if tag in PAIRED:
            if not self._open or self._open[-1] != tag:
                self.wrong.append(f"</{tag}> in {self._open[-3:]}")
            else:
                self._open.pop()


@pytest.fixture(scope="module")
def book(made_book: CompletedProcess[str]) -> dict[str, Page]:
    """All pages, by their path in the book."""
    said = [
        line for line in made_book.stderr.splitlines() if not line.endswith("...") and not line.startswith("workbook:")
    ]
    assert said == []
    return {file.relative_to(BOOK).as_posix(): Page(file) for file in sorted(BOOK.rglob("*.html"))}


def test_every_lesson_has_a_page(book: dict[str, Page]) -> None:
    wanted = {f"lessons/{file.stem}.html" for file in SOLUTIONS.glob("*.ipynb")}
    assert wanted | {"index.html", "ledger.html", "explorer.html", "teaching.html", "search.html"} <= set(book)


def test_nothing_is_loaded_from_another_host(book: dict[str, Page]) -> None:
    away = {(name, load) for name, page in book.items() for load in page.loads if urlsplit(load).netloc}
    assert not away
    for file in [*BOOK.glob("_static/*.css"), BOOK / "_static" / "explorer.js", BOOK / "_static" / "claims.js"]:
        assert not re.search(r"url\(['\"]?(https?:)?//", file.read_text(encoding="utf-8")), file.name


def test_every_link_inside_the_book_leads_somewhere(book: dict[str, Page]) -> None:
    lost = []
    for name, page in book.items():
        for link in [*page.links, *page.loads]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            file = (BOOK / name).parent / unquote(parts.path) if parts.path else BOOK / name
            target = file.resolve()
            if not target.exists():
                lost.append((name, link))
            elif parts.fragment and target.suffix == ".html":
                there = book[target.relative_to(BOOK.resolve()).as_posix()].ids
                lost += [(name, link)] if unquote(parts.fragment) not in there else []
    assert not lost


def test_every_picture_has_short_words(book: dict[str, Page]) -> None:
    alts = [(name, alt) for name, page in book.items() for alt in page.alts]
    assert len(alts) > 30
    assert not [(name, alt) for name, alt in alts if not alt or alt.endswith(".png") or len(alt) > lessons.SHORT + 30]


def test_folds_and_sections_are_nested_and_no_head_of_a_table_is_empty(book: dict[str, Page]) -> None:
    assert {name: page.wrong for name, page in book.items() if page.wrong} == {}
    assert {name: page.empty_heads for name, page in book.items() if page.empty_heads} == {}


def test_every_prediction_is_followed_by_a_fold() -> None:
    for file in sorted(SOLUTIONS.glob("*.ipynb")):
        page = lessons.page(read(file), file.stem[:2], BUILD / "book-test")
        sources = [cell.source for cell in page.cells]
        assert sources.count(lessons.UNFOLD) == sources.count(lessons.FOLD) + sources.count(lessons.SOLVED)
        depth, asked = 0, 0
        for place, cell in enumerate(page.cells):
            depth += (cell.source in (lessons.FOLD, lessons.SOLVED)) - (cell.source == lessons.UNFOLD)
            assert depth in (0, 1)
            if cell.cell_type == "code" and lessons.PREDICTS.search(cell.source) and depth == 0:
                assert sources[place + 1] == lessons.FOLD, cell["id"]
                asked += 1
        assert asked >= 3, file.stem


def test_the_explorer_says_what_compare_says() -> None:
    data = explorer.table("dates")
    rows = recorded("dates").frame.query("jdk == 17 and threads == 5")
    keys = [key["name"] for key in data["keys"]]
    at = {"jdk": "17", "threads": "5", "strategy": "POOL"}
    wanted = [key["values"].index(at[key["name"]]) for key in data["keys"] if key["name"] in at]
    (group,) = [one for one in data["groups"] if [one["at"][keys.index(key)] for key in keys if key in at] == wanted]
    assert group["said"] == str(compare(rows, "POOL", "NEW"))
    middle, low, high, *forks = group["figures"][0]
    assert low < middle < high
    assert len(forks) == rows["round"].nunique()


def test_every_table_of_the_explorer_can_be_read(book: dict[str, Page]) -> None:
    files = sorted((BOOK / "_static" / "tables").glob("*.js"))
    assert {file.stem for file in files} == set(explorer.all_tables())
    for file in files:
        text = file.read_text(encoding="utf-8")
        data = json.loads(text[text.index("(") + 1 : text.rindex(")")])
        for group in data["groups"]:
            assert len(group["at"]) == len(data["keys"])
            assert len(group["figures"]) == len(data["figures"])
