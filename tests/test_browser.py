"""The book and JupyterLab in a real browser. Skipped where there is none; REQUIRE_BROWSER=1 makes that a failure.

Screenshots are in build/browser/, to be looked at.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from subprocess import CompletedProcess

import pytest

from poolbook import extras
from poolbook.paths import BUILD, ROOT, SOLUTIONS

BOOK = BUILD / "book"
SHOTS = BUILD / "browser"
NO_BROWSER = "no browser: apt-get install chromium"
WIDTHS = (360, 1440)
PAGES = [
    "index",
    "ledger",
    "explorer",
    "teaching",
    *(f"lessons/{file.stem}" for file in sorted(SOLUTIONS.glob("*.ipynb"))),
]


def _chromium() -> str | None:
    """The browser's program; None for none."""
    named = [os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"]
    return next((found for name in named if name and (found := shutil.which(name))), None)


def _missing(why: str) -> None:
    if os.environ.get("REQUIRE_BROWSER"):
        pytest.fail(why)
    pytest.skip(why)


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    """A Chromium without windows."""
    program = _chromium()
    if program is None:
        _missing(NO_BROWSER)
    try:
        folder = extras.packages(
            ROOT / "tests" / "browser" / "requirements.txt", "Playwright, which drives the browser"
        )
    except extras.NotFetched as problem:
        _missing(str(problem))
    sys.path.append(str(folder))
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


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


def test_results_stay_hidden_until_asked_for(opened: Callable[..., object]) -> None:
    page = opened("lessons/03-race-new-locked-and-pool")
    fold = page.locator("details.fold").first
    assert fold.locator("img").first.is_visible() is False
    fold.locator("summary").first.click()
    fold.locator("img").first.scroll_into_view_if_needed()
    assert fold.locator("img").first.is_visible()


def test_the_search_finds_a_word_without_a_server(opened: Callable[..., object]) -> None:
    page = opened("search")
    page.goto(page.url + "?q=fairness")
    page.wait_for_selector("ul.search li")
    assert page.locator("ul.search li").count() >= 2


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


def test_the_claims_can_be_searched_sorted_and_opened(opened: Callable[..., object]) -> None:
    page = opened("ledger")
    rows = page.locator("#claims tbody tr:visible")
    all_rows = rows.count()
    page.locator("#claims-filter input").fill("stormpot")
    assert 0 < rows.count() < all_rows
    page.locator("#claims-filter input").fill("")
    page.locator("#claims th button").first.click()
    assert rows.first.locator("td").first.inner_text() == str(all_rows)
    rows.first.locator("summary").click()
    assert "Rule:" in rows.first.inner_text()
