"""The book: it is built without a warning, asks no other host for anything, and says what the lessons say.

Then it is opened in a real browser, where there is one. Screenshots are in build/browser/, to be looked at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from subprocess import CompletedProcess
from urllib.parse import unquote, urlsplit

import pytest

from launch import served, workbook
from poolbook import compare, recorded
from poolbook.lessons.notebook import read
from poolbook.site.book import explorer, lessons, pages
from poolbook.system.address import Address
from poolbook.system.paths import BUILD, SOLUTIONS
from poolbook.tables.recorded import tables

BOOK = BUILD / "book"
SHOTS = BUILD / "browser"
WIDTHS = (360, 1440)
PAGES = [
    "index",
    "ledger",
    "explorer",
    "teaching",
    *(f"lessons/{file.stem}" for file in sorted(SOLUTIONS.glob("*.ipynb"))),
]
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
def made_book() -> CompletedProcess[str]:
    """What ``./workbook book`` said; its pages are in build/book."""
    done = workbook("book", seconds=600)
    assert done.returncode == 0, done.stderr
    return done


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


def test_no_table_is_shown_as_text(made_book: CompletedProcess[str]) -> None:
    pages = {page.name: page.read_text(encoding="utf-8") for page in (BOOK / "lessons").glob("*.html")}
    assert "<th" in pages["10-break-a-pool.html"] and not [name for name, text in pages.items() if "<p>| " in text]


def test_every_prediction_is_followed_by_a_fold() -> None:
    for file in sorted(SOLUTIONS.glob("*.ipynb")):
        page = lessons.page(read(file), file.stem, BUILD / "book-test", Address())
        sources = [cell.source for cell in page.cells]
        assert sources.count(lessons.UNFOLD) == sources.count(lessons.FOLD) + sources.count(lessons.SOLVED)
        depth, asked = 0, 0
        for place, cell in enumerate(page.cells):
            depth += (cell.source in (lessons.FOLD, lessons.SOLVED)) - (cell.source == lessons.UNFOLD)
            assert depth in (0, 1, 2), "a solution may be inside what happened"
            if cell.cell_type == "code" and lessons.PREDICTS.search(cell.source) and depth == 0:
                assert sources[place + 1] == lessons.FOLD, cell["id"]
                asked += 1
        assert asked >= 2, file.stem


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


def test_the_name_of_a_table_is_a_text_in_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explorer, "all_tables", lambda: {'x"><img src=x>': {"question": ""}})
    said = pages.explore(Address())
    assert '<option value="x&quot;&gt;&lt;img src=x&gt;">x&quot;&gt;&lt;img src=x&gt;</option>' in said


def _tables_of_the_book() -> dict[str, dict]:
    """The explorer's tables, as the book has them."""
    texts = {file.stem: file.read_text(encoding="utf-8") for file in (BOOK / "_static" / "tables").glob("*.js")}
    return {name: json.loads(text[text.index("(") + 1 : text.rindex(")")]) for name, text in texts.items()}


def test_every_table_of_the_explorer_can_be_read(book: dict[str, Page]) -> None:
    found = _tables_of_the_book()
    offered = re.findall(r'<option value="([^"]+)"', (BOOK / "explorer.html").read_text(encoding="utf-8"))
    assert set(found) <= set(offered)
    without_figures = {"fast-pool-sizes", "zoo-early"}
    assert set(found) == set(tables()) - without_figures - set(explorer.LEFT_OUT)
    for data in found.values():
        for group in data["groups"]:
            assert len(group["at"]) == len(data["keys"])
            assert len(group["figures"]) == len(data["figures"])


# -------------------------------------------------------------------------------- in a browser


@pytest.fixture
def opened(browser: object, made_book: CompletedProcess[str]) -> Iterator[Callable[..., object]]:
    """Opens a page of the book from its file; a request to any other place is a failure."""
    contexts, asked = [], []

    def opening(name: str, width: int = 1440, scheme: str = "light") -> object:
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: asked.append(f"error: {error}"))
        page.goto((BOOK / f"{name}.html").as_uri())
        page.wait_for_load_state("load")
        return page

    yield opening
    for context in contexts:
        context.close()
    assert not [url for url in asked if not url.startswith(("file:", "data:", "blob:"))]


def _shot(page: object, name: str) -> None:
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / f"{name.replace('/', '-')}.png", full_page=True)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_and_everybody_can_use_it(name: str, width: int, opened: Callable[..., object]) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = opened(name, width)
    if page.locator(".live").count():
        page.wait_for_selector(".live svg")
    _shot(page, f"{name}-{width}")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width != max(WIDTHS):
        return  # the same elements, and Axe takes seconds
    faults = Axe().run(page).response["violations"]
    serious = {
        fault["id"]: [node["html"][:120] for node in fault["nodes"][:3]]
        for fault in faults
        if fault["impact"] in ("serious", "critical")
    }
    assert serious == {}


def test_dark_pages_can_be_read(opened: Callable[..., object]) -> None:
    from axe_playwright_python.sync_playwright import Axe

    for name in ("index", "ledger", "explorer", "lessons/03-race-new-locked-and-pool"):
        page = opened(name, scheme="dark")
        _shot(page, f"{name}-dark")
        faults = Axe().run(page).response["violations"]
        assert [fault["id"] for fault in faults if fault["impact"] in ("serious", "critical")] == []


@pytest.mark.parametrize("width", WIDTHS)
def test_a_page_has_one_search(width: int, opened: Callable[..., object]) -> None:
    for name in ("index", "ledger", "explorer", "teaching", "search", "lessons/03-race-new-locked-and-pool"):
        found = opened(name, width).locator("input[type=search]:visible, .search-button__button:visible")
        assert found.count() == 1, name


def test_results_stay_hidden_until_asked_for(opened: Callable[..., object]) -> None:
    page = opened("lessons/03-race-new-locked-and-pool")
    fold = page.locator("details.fold").first
    assert fold.locator("img").first.is_visible() is False
    fold.locator("summary").first.click()
    fold.locator("img").first.scroll_into_view_if_needed()
    assert fold.locator("img").first.is_visible()


def _search_from_the_start(page: object) -> None:
    page.locator("#start-search input").fill("fairness")
    page.locator("#start-search input").press("Enter")
    page.wait_for_selector("ul.search li")
    assert page.locator("ul.search li").count() >= 2


def test_the_search_finds_a_word_without_a_server(opened: Callable[..., object]) -> None:
    page = opened("index")
    _search_from_the_start(page)
    page.locator("ul.search li a").first.click()
    page.wait_for_selector("article h1")


def test_the_search_finds_a_word_on_a_server(browser: object, made_book: CompletedProcess[str]) -> None:
    with served(BOOK) as address:
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"{address}index.html")
        _search_from_the_start(page)
        context.close()


def test_a_lesson_has_a_line_to_copy(opened: Callable[..., object]) -> None:
    page = opened("lessons/03-race-new-locked-and-pool")
    line = page.locator(".yourself pre").first
    assert line.inner_text().strip() == "./workbook jbang dates --threads 5,15"
    assert page.locator(".yourself button.copybtn").first.is_visible()


def test_the_explorer_draws_what_is_chosen(opened: Callable[..., object]) -> None:
    page = opened("explorer")
    page.wait_for_selector("#explorer svg")
    before = page.locator("#explorer svg").first.get_attribute("aria-label")
    page.locator("#explorer select[name=figure]").select_option("bytes_per_op")
    page.wait_for_function(
        "before => document.querySelector('#explorer svg').getAttribute('aria-label') !== before", arg=before
    )
    page.locator("#explorer-table select").select_option("two-borrows")
    page.wait_for_selector("#explorer select[name=pool], #explorer select[name=borrows]")
    page.locator("#explorer summary").click()
    assert page.locator("#explorer tbody tr").count() > 3
    _shot(page, "explorer-two-borrows")
    page.locator("#explorer select[name=threads]").select_option(index=1)
    shown = page.locator("#explorer svg").first.get_attribute("aria-label")
    page.reload()  # at the address that the menus made
    page.wait_for_selector("#explorer svg")
    assert page.locator("#explorer svg").first.get_attribute("aria-label") == shown


def test_the_explorer_speaks_in_words(opened: Callable[..., object]) -> None:
    """Every table: no column's name, no raw backtick, and a unit in one place only."""
    page = opened("explorer")
    for name, table in _tables_of_the_book().items():
        page.locator("#explorer-table select").select_option(name)
        page.wait_for_selector(f'#explorer [aria-label="figures of {name}"]', state="attached")
        labels = page.locator("#explorer form label").evaluate_all("all => all.map(one => one.firstChild.textContent)")
        options = page.locator("#explorer select[name=figure] option").all_inner_texts()
        axis = page.locator("#explorer svg .unit").first.text_content()
        assert not [words for words in [*labels, *options, axis] if "_" in words], name
        assert "`" not in page.locator("#explorer").inner_text(), name
        first = table["figures"][0]
        assert options == [figure["label"] for figure in table["figures"]], name
        assert axis == ", ".join(filter(None, [first["unit"] or first["label"], first["better"]])), name


def test_a_claim_opens_the_explorer_at_its_table_and_back(opened: Callable[..., object]) -> None:
    page = opened("ledger")
    row = page.locator("#claim-23")
    row.locator("button").click()
    link = row.locator("a[href^='explorer.html?']")
    table = link.locator("code").inner_text()
    link.click()
    page.wait_for_selector("#explorer svg")
    assert page.locator("#explorer-table select").input_value() == table
    said = page.locator("#explorer-from")
    assert said.inner_text().startswith("You came from claim 23: ")
    said.locator("a").click()
    page.wait_for_selector("#claim-23 tr.about")


def test_the_explorer_opens_at_a_figure(opened: Callable[..., object]) -> None:
    page = opened("explorer")
    page.goto(f"{page.url}?table=strings-kept&figure=kept_bytes")
    page.wait_for_selector("#explorer svg")
    assert page.locator("#explorer select[name=figure]").input_value() == "kept_bytes"
    assert page.locator("#explorer-from").is_hidden()


def test_the_claims_use_the_width_of_the_page(opened: Callable[..., object]) -> None:
    page = opened("ledger")
    sizes = page.evaluate(
        """() => {
          const cells = [...document.querySelector("#claims tbody tr").cells].map((one) => one.getBoundingClientRect());
          const around = document.querySelector(".wide:has(#claims)");
          return [cells[1].width, cells.at(-1).right, around.getBoundingClientRect().right];
        }"""
    )
    claim, last, end = sizes
    assert claim > 350
    assert 1300 < last <= end <= 1440


@pytest.mark.parametrize("width", WIDTHS)
def test_a_verdict_is_a_word_and_a_colour_that_one_can_see(width: int, opened: Callable[..., object]) -> None:
    page = opened("ledger", width)
    assert "The ledger has" in page.locator("article").inner_text()
    for row in page.locator("#claims tbody").all()[:5]:
        for cell in row.locator("td.verdict").all():
            assert cell.inner_text().strip() == cell.get_attribute("data-verdict")
            box = cell.locator("span").bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= width
    colours = page.locator("td.verdict span").evaluate_all(
        "all => [...new Set(all.map(one => getComputedStyle(one).borderLeftColor))]"
    )
    assert len(colours) >= 5


def test_the_claims_can_be_filtered_sorted_and_opened(opened: Callable[..., object]) -> None:
    page = opened("ledger")
    rows = page.locator("#claims tbody:visible")
    all_rows = rows.count()
    page.locator("#claims-filter input").fill("stormpot")
    assert 0 < rows.count() < all_rows
    page.locator("#claims-filter input").fill("")
    page.locator("#claims th button").first.click()
    assert rows.first.locator("td").first.inner_text() == str(all_rows)
    assert "Rule:" not in rows.first.inner_text()
    rows.first.locator("button").click()
    assert "Rule:" in rows.first.inner_text()
