"""Write the generated parts of README.md, its pictures, and of the README.md and CONTRIBUTING.md elsewhere.

Each part stands between two marks, the first with its name.
"""

from __future__ import annotations

import base64
import functools
import re
from datetime import datetime
from pathlib import Path

from poolbook.ledger.claims import ledger, summary
from poolbook.lessons.minutes import Minutes, of_lesson
from poolbook.lessons.notebook import read
from poolbook.record.experiments import EXPERIMENTS, aliases
from poolbook.system.paths import NOTEBOOKS, ROOT, SOLUTIONS
from poolbook.tables.recorded import RECORDED, facts, recorded, recordings, reference, tables
from poolbook.upkeep import java_tables, teaching

IMAGES = NOTEBOOKS / "images"
PICTURES = {"12-break-even.png": "even-chart", "12-decide.png": "decide-chart", "13-price-list.png": "rank-chart"}
"""The charts of lessons that README.md shows: the file, which begins with its lesson, and the cell."""
PATHS = {
    "a taster": ["00", "02", "03"],
    "half a day": ["00", "01", "02", "03", "04", "12"],
    "a day, with a market feed": ["00", "01", "02", "03", "04", "05", "09", "12"],
    "a day, with Strings": ["00", "01", "02", "03", "04", "06", "07", "09", "12"],
    "I run a pool in production": ["01", "02", "08", "09", "10", "11", "12", "13", "14"],
    "I use virtual threads": ["02", "09", "11"],
    "I have an object in mind": ["02", "03", "12", "13"],
}


def lessons() -> str:
    """A row per lesson: its link, its kernel, and its minutes by `poolbook.lessons.minutes`."""
    rows = ["| lesson | worked | kernel | minutes | more, if you like |", "|---|---|---|---|---|"]
    total = Minutes(0, 0)
    for file, book in _notebooks():
        title = book.cells[0]["source"].splitlines()[0].removeprefix("# ")
        kernel = "Python" if book.metadata["kernelspec"]["name"] == "python3" else "Java"
        spent = of_lesson(book)
        total = Minutes(total.core + spent.core, total.more + spent.more)
        worked = f"[with results](notebooks/solutions/{file.name})"
        columns = [f"[{file.stem[:2]} {title}](notebooks/{file.name})", worked, kernel, spent.core, spent.more or ""]
        rows.append(f"| {' | '.join(map(str, columns))} |")
    return "\n".join([*rows, f"| all | | | {total.core} | {total.more} |"])


def schedule() -> str:
    """A line per schedule of lessons, with its minutes."""
    minutes = {file.stem[:2]: of_lesson(book).core for file, book in _notebooks()}
    return "\n".join(
        f"- **{name}**: {', '.join(numbers)} ({sum(minutes[number] for number in numbers)} minutes)"
        for name, numbers in PATHS.items()
    )


def one_liners() -> str:
    """A row per alias of the catalog."""
    rows = ["| one-liner | what it does |", "|---|---|"]
    for alias in aliases().values():
        example, what = alias["description"].split(" : ", 1)
        rows.append(f"| `jbang {example}` | {what} |")
    return "\n".join(rows)


@functools.cache
def ledger_headline() -> str:
    """What became of the claims."""
    return summary.headline(ledger())


def experiments() -> str:
    """A row per experiment: what it asks, what it leaves out, and what the reference machine recorded."""
    rows = ["| table | question | what was left out | recorded |", "|---|---|---|---|"]
    there = tables()
    for name, plan in EXPERIMENTS.items():
        count = "not yet"
        if name in there:
            frame = recorded(name).frame
            forks = int(frame.groupby("jdk")["round"].nunique().max())
            count = f"{forks} JVM{'s' * (forks != 1)}, Java {', '.join(map(str, sorted(frame['jdk'].unique())))}"
        rows.append(f"| `{name}` | {plan.question} | {plan.left_out} | {count} |")
    return "\n".join(rows)


def durations() -> str:
    """A row per run of the recorder on the reference machine, without those recorded again later."""
    rows, seen = [], set()
    for folder in reversed(list(recordings(RECORDED / reference()))):
        for run in reversed(facts(folder)["runs"]):
            names = [name for name in run["experiments"] if name in EXPERIMENTS]  # without tables that are gone
            measured = {(name, jdk) for name in names for jdk in run["jdks"][name]}
            if not measured <= seen:
                start, end = (datetime.fromisoformat(run[moment]) for moment in ("start", "end"))
                minutes = max(1, round((end - start).total_seconds() / 60))
                together = ", ".join(f"`{name}`" for name in names)
                javas = ", ".join(run["javas"])
                rows.append(f"| {together} | {javas} | {minutes} |")
            seen |= measured
    return "\n".join(["| recorded together | Java | minutes |", "|---|---|---|", *sorted(rows)])


# The functions that write the parts of each file, by the name in the mark.
PARTS = {
    "README.md": {
        "headline": summary.findings_list,
        "ledger": ledger_headline,
        "lessons": lessons,
        "schedule": schedule,
        "one-liners": one_liners,
    },
    "datasets/README.md": {"experiments": experiments, "durations": durations},
    "TEACHING.md": {"plans": teaching.plans, "pages": teaching.pages},
    "java/zoo/README.md": {"zoo": lambda: java_tables.zoo().markdown()},
    "java/tracking/README.md": {"tracking": lambda: java_tables.tracking().markdown()},
}

# Files that programs read, by the package that reads them.
FOR_JAVA = {
    "connections/reality.txt": lambda: java_tables.reality() + "\n",
    "tracking/recorded.json": lambda: java_tables.tracking().json(),
    "zoo/recorded.json": lambda: java_tables.zoo().json(),
}


def texts() -> dict[Path, str]:
    """The correct content of each file. Raises ValueError if a mark is missing."""
    marked = {ROOT / name: _filled(ROOT / name, parts) for name, parts in PARTS.items()}
    return marked | {ROOT / "java" / name: made() for name, made in FOR_JAVA.items()}


def _filled(file: Path, parts: dict) -> str:
    text = file.read_text(encoding="utf-8")
    if file.parent == ROOT and file.name == "README.md":
        for picture in PICTURES:
            place = (IMAGES / picture).relative_to(ROOT).as_posix()
            shown = f"![{chart(picture)[1]}]({place})"
            text = re.sub(rf"^!\[.*\]\({place}\)$", lambda found, shown=shown: shown, text, flags=re.MULTILINE)
    for name, part in parts.items():
        marked = rf"(<!-- {name}: generated -->\n).*?(<!-- end -->)"
        text, count = re.subn(marked, lambda found, part=part: f"{found[1]}{part()}\n{found[2]}", text, flags=re.DOTALL)
        if count != 1:
            raise ValueError(f"{file.name} must have the mark {name} once, and has it {count} times")
    return text


def chart(picture: str) -> tuple[bytes, str]:
    """A chart of `PICTURES`, and its alternative text."""
    book = read(next(SOLUTIONS.glob(f"{picture[:2]}-*.ipynb")))
    cell = next(cell for cell in book.cells if cell["id"] == PICTURES[picture])
    output = next(output for output in cell.outputs if "image/png" in output.get("data", {}))
    return base64.b64decode(output.data["image/png"]), output.metadata["image/png"]["alt"]


def _notebooks():
    for file in sorted(SOLUTIONS.glob("[0-9][0-9]-*.ipynb")):
        yield file, read(file)
