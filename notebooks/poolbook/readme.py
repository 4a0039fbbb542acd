"""Keep README.md in step with notebooks and catalog, its picture, too: ``python -m poolbook.readme``."""

from __future__ import annotations

import base64
import functools
import json
import re
import sys

from poolbook.claims import ledger, summary
from poolbook.notebook import read
from poolbook.paths import NOTEBOOKS, ROOT, SOLUTIONS

PICTURE = NOTEBOOKS / "images" / "12-break-even.png"
PATHS = {
    "a taster": ["00", "02", "03"],
    "half a day": ["00", "01", "02", "03", "04", "12"],
    "a day, with a market feed": ["00", "01", "02", "03", "04", "05", "09", "12"],
    "a day, with Strings": ["00", "01", "02", "03", "04", "06", "07", "09", "12"],
    "I run a pool in production": ["01", "08", "09", "12"],
}


def lessons() -> str:
    """A row per lesson: its link, its kernel, its minutes to read, run and do."""
    rows = ["| lesson | kernel | read | run | do | minutes |", "|---|---|---|---|---|---|"]
    total = 0
    for file, book in _notebooks():
        title = book.cells[0]["source"].splitlines()[0].removeprefix("# ")
        minutes = book.metadata["workbook"]["minutes"]
        kernel = "Python" if book.metadata["kernelspec"]["name"] == "python3" else "Java"
        spent = [minutes["read"], minutes["run"], minutes["do"]]
        total += sum(spent)
        columns = [f"[{file.stem[:2]} {title}](notebooks/{file.name})", kernel, *map(str, spent), str(sum(spent))]
        rows.append(f"| {' | '.join(columns)} |")
    return "\n".join([*rows, f"| all | | | | | {total} |"])


def schedule() -> str:
    """A line per path through the lessons, with its minutes."""
    minutes = {file.stem[:2]: sum(book.metadata["workbook"]["minutes"].values()) for file, book in _notebooks()}
    return "\n".join(
        f"- **{name}**: {', '.join(numbers)} ({sum(minutes[number] for number in numbers)} minutes)"
        for name, numbers in PATHS.items()
    )


def one_liners() -> str:
    """A row per alias of the catalog."""
    catalog = json.loads((ROOT / "jbang-catalog.json").read_text(encoding="utf-8"))["aliases"]
    rows = ["| one-liner | what it does |", "|---|---|"]
    for alias in catalog.values():
        example, what = alias["description"].split(" : ", 1)
        rows.append(f"| `jbang {example}` | {what} |")
    return "\n".join(rows)


@functools.cache
def headline() -> str:
    """What became of all claims, in two sentences that the ledger gives."""
    return summary.headline(ledger())


def text() -> str:
    """README.md with its picture's words and its generated parts made anew."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = f"![{picture()[1]}]({PICTURE.relative_to(ROOT).as_posix()})"
    readme = re.sub(r"^!\[.*\]\(notebooks/images/.*\)$", lambda found: shown, readme, flags=re.MULTILINE)
    for name, part in parts().items():
        marked = rf"(<!-- {name}: generated -->\n).*?(<!-- end -->)"
        readme = re.sub(marked, lambda found, part=part: f"{found[1]}{part}\n{found[2]}", readme, flags=re.DOTALL)
    return readme


def parts() -> dict[str, str]:
    """What is written between the marks of README.md, by the name in the mark."""
    return {"headline": headline(), "lessons": lessons(), "schedule": schedule(), "one-liners": one_liners()}


def picture() -> tuple[bytes, str]:
    """The chart of lesson 12 that README.md shows, and its words for those who cannot see it."""
    book = read(next(SOLUTIONS.glob("12-*.ipynb")))
    cell = next(cell for cell in book.cells if cell["id"] == "even-chart")
    output = next(output for output in cell.outputs if "image/png" in output.get("data", {}))
    return base64.b64decode(output.data["image/png"]), output.metadata["image/png"]["alt"]


def _notebooks():
    for file in sorted(NOTEBOOKS.glob("[0-9][0-9]-*.ipynb")):
        yield file, read(file)


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_bytes(picture()[0])
    (ROOT / "README.md").write_text(text(), encoding="utf-8")
    sys.exit()
