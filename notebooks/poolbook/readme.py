"""Keep the tables of README.md in step with notebooks and catalog: ``python -m poolbook.readme``."""

from __future__ import annotations

import json
import re
import sys

import nbformat

from poolbook.paths import NOTEBOOKS, ROOT

PATHS = {
    "a taster": ["00", "02", "03"],
}


def lessons() -> str:
    """A row per lesson: its link, its kernel, its minutes to read, run and do."""
    rows = ["| lesson | kernel | read | run | do | minutes |", "|---|---|---|---|---|---|"]
    total = 0
    for file, book in _notebooks():
        title = book.cells[0]["source"].splitlines()[0].removeprefix("# ")
        minutes = book.metadata["workbook"]["minutes"]
        kernel = "Python" if book.metadata["kernelspec"]["name"] == "python3" else "Java"
        parts = [minutes["read"], minutes["run"], minutes["do"]]
        total += sum(parts)
        columns = [f"[{file.stem[:2]} {title}](notebooks/{file.name})", kernel, *map(str, parts), str(sum(parts))]
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


def text() -> str:
    """README.md with its three generated parts made anew."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name, part in (("lessons", lessons()), ("schedule", schedule()), ("one-liners", one_liners())):
        marked = rf"(<!-- {name}: generated -->\n).*?(\n<!-- end -->)"
        readme = re.sub(marked, lambda found, part=part: found[1] + part + found[2], readme, flags=re.DOTALL)
    return readme


def _notebooks():
    for file in sorted(NOTEBOOKS.glob("[0-9][0-9]-*.ipynb")):
        yield file, nbformat.read(file, as_version=4)


if __name__ == "__main__":
    (ROOT / "README.md").write_text(text(), encoding="utf-8")
    sys.exit()
