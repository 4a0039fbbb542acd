"""A lesson of the worked edition as a page of the book: results behind a fold, pictures with words, tidy tables."""

from __future__ import annotations

import base64
import html
import re
from pathlib import Path
from urllib.parse import quote, urlencode

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_output

from poolbook.record.experiments import aliases
from poolbook.system import files
from poolbook.system.address import Address

FOLD = '<details class="fold"><summary>Show what happened</summary>'
UNFOLD = "</details>"
SOLVED = '<details class="fold"><summary>Show the solution</summary>'
SHORT = 200  # characters of a picture's alternative text; the rest stands below it
PREDICTS = re.compile(r"\b(?:here\.|Predict\.)predict\(")
GUESS = re.compile(r": you guessed \S+, it ")
NO_PREDICTION = re.compile(r"^No guess yet: .*\n?|^.*\bno prediction\b.*\n?", re.IGNORECASE | re.MULTILINE)
EMPTY_HEAD = re.compile(r"<th((?:\s[^>]*)?)>\s*(?:&nbsp;|\xa0)?\s*</th>")
CAPTION = re.compile(r"<caption[^>]*>(.*?)</caption>", re.DOTALL)
PROGRAMS = {
    "00": ("dates-race",),
    "01": ("bench-pitfalls",),
    "02": ("dates-race",),
    "03": ("dates",),
    "04": ("leaks",),
    "05": ("market-data", "market-feed"),
    "06": ("byte-strings",),
    "07": ("bench-strings",),
    "08": ("libraries",),
    "09": ("two-borrows",),
    "10": ("pool-break",),
    "11": ("virtual-threads",),
    "12": ("bench-break-even",),
    "13": ("should-i-pool",),
    "14": ("size-my-pool",),
    "15": ("pool-race",),
}
"""The program with which to try what a lesson is about, by the lesson's number; the examples are the catalog's."""


def page(book: NotebookNode, stem: str, pictures: Path, here: Address) -> NotebookNode:
    """The notebook with everything in it that the book shows differently; ``pictures`` is the folder for its images."""
    name, title = stem[:2], book.cells[0].source.splitlines()[0].removeprefix("# ")
    cells, is_folded = [book.cells[0], new_markdown_cell(yourself(stem, title, here))], False
    for cell in book.cells[1:]:
        begins = cell.cell_type == "markdown" and re.search(r"^## ", cell.source, re.MULTILINE)
        if is_folded and begins:
            cells.append(new_markdown_cell(UNFOLD))
            is_folded = False
        if cell.cell_type == "code":
            cell.outputs = _outputs(cell, name, pictures)
        is_solution = "solution" in cell.metadata.get("tags", [])
        if is_solution:
            cells += [new_markdown_cell(SOLVED), cell, new_markdown_cell(UNFOLD)]
        else:
            cells.append(cell)
        if cell.cell_type == "code" and PREDICTS.search(cell.source) and not is_folded:
            cells.append(new_markdown_cell(FOLD))
            is_folded = True
    if is_folded:
        cells.append(new_markdown_cell(UNFOLD))
    book.cells = cells
    return book


def yourself(stem: str, title: str, here: Address) -> str:
    """How the reader runs the lesson, and says what is wrong with it; its links need the repository's address."""
    notebook = f"notebooks/{stem}.ipynb"
    links = {}
    if here.repository:
        links = {
            "Open in Binder": f"https://mybinder.org/v2/gh/{here.repository}/main?urlpath=lab/tree/{notebook}",
            "Open in Codespaces": f"https://codespaces.new/{here.repository}",
            "The notebook on GitHub": f"{here.web}/blob/main/{notebook}",
            "This is wrong": issue(here, f"Lesson {stem[:2]}, {title}: "),
        }
    examples = {alias: aliases()[alias]["description"].partition(" : ")[0] for alias in PROGRAMS.get(stem[:2], ())}
    from_here = [f"./workbook jbang {example}" for example in examples.values()]
    from_the_web = [f"jbang {alias}@{here.repository}{line.removeprefix(alias)}" for alias, line in examples.items()]
    blocks = (
        ("On your machine, its program is one line:", from_here),
        ("With [JBang](https://www.jbang.dev), you need no clone:", from_the_web if here.repository else []),
    )
    said = [
        f"**Guess first.** `./workbook lab` opens your own copy of `{notebook}`, without results.",
        " · ".join(f"[{words}]({link})" for words, link in links.items()),
        *("\n".join([words, "", "```text", *lines, "```"]) for words, lines in blocks if lines),
    ]
    return "\n\n".join([":::{container} yourself", *filter(None, said), ":::"])


def issue(here: Address, title: str, **form: object) -> str | None:
    """The address that begins an issue with this title, and fills fields of a form; None without a repository."""
    return here.web and f"{here.web}/issues/new?{urlencode({**form, 'title': title}, quote_via=quote)}"


def _outputs(cell: NotebookNode, name: str, pictures: Path) -> list[NotebookNode]:
    shown = []
    for number, output in enumerate(cell.outputs):
        data = output.get("data", {})
        if output.output_type == "stream":
            output.text = NO_PREDICTION.sub("", output.text)
            shown += [output] if output.text.strip() else []
        elif "image/png" in data:
            file = pictures / f"{name}-{cell['id']}-{number}.png"
            files.write(file, base64.b64decode(data["image/png"]))
            words = output.metadata.get("image/png", {}).get("alt", "")
            shown.append(_html(figure(f"../_static/{pictures.name}/{file.name}", words)))
        elif "image/svg+xml" in data:
            shown.append(_html(drawing(data["image/svg+xml"])))
        elif "text/html" in data:
            shown.append(_html(table(data["text/html"])))
        else:
            shown.append(output)
    return shown


def _html(text: str) -> NotebookNode:
    return new_output("display_data", data={"text/html": text})


def figure(address: str, words: str) -> str:
    """A picture with a short alternative text; all its figures, if there are more, in words below it."""
    brief = words if len(words) <= SHORT else f"{words[: words.rfind(' ', 0, SHORT)]} ... (all figures follow)"
    more = f"<details><summary>The figures in words</summary><p>{html.escape(words)}</p></details>"
    said = f"<figcaption>{html.escape(words)}</figcaption>" if GUESS.search(words) else ""  # a telephone shows one half
    return (
        f'<figure class="chart"><a href="{address}"><img src="{address}" alt="{html.escape(brief)}" loading="lazy"></a>'
        f"{said}{more if brief != words else ''}</figure>"
    )


def drawing(svg: str) -> str:
    """An SVG drawing, named by its own title."""
    title = re.search(r"<title[^>]*>(.*?)</title>", svg, re.DOTALL)
    named = f' aria-label="{html.escape(title[1].strip())}"' if title else ""
    return f'<figure class="chart" role="img"{named}>{svg}</figure>'


def table(text: str) -> str:
    """A table that may be wider than the page, without header cells that say nothing; its caption never is."""
    caption = CAPTION.search(text)
    words = caption[1].strip() if caption else "table"
    name = html.unescape(re.sub(r"<[^>]+>", "", words))
    tidy = EMPTY_HEAD.sub(lambda found: f"<td{found[1]}></td>", CAPTION.sub("", text, count=1))
    above = f'<p class="above-table">{words}</p>' if caption else ""
    return f'{above}<div class="wide" role="region" tabindex="0" aria-label="{html.escape(name)}">{tidy}</div>'
