"""Write the generated parts of README.md, its pictures, and of the README.md and CONTRIBUTING.md elsewhere.

Each part stands between two marks, the first with its name.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from poolbook.ledger.claims import summary
from poolbook.ledger.machines import known
from poolbook.lessons.minutes import of_lesson
from poolbook.lessons.notebook import read
from poolbook.record.experiments import EXPERIMENTS, aliases
from poolbook.system.address import Address
from poolbook.system.paths import NOTEBOOKS, ROOT, SOLUTIONS
from poolbook.tables.recorded import RECORDED, facts, recorded, recordings, reference, tables
from poolbook.upkeep import java_tables, published, teaching

IMAGES = NOTEBOOKS / "images"
PICTURES = {
    "01-warm.png": ("first-chart", 0),
    "01-guess.png": ("first-chart", 1),
    "12-decide.png": ("decide-chart", 0),
    "15-corner.png": ("gaps", 0),
}
"""README.md's charts: the file, which begins with its lesson, the cell, and which of the cell's charts."""
ASKED = ("13", "yours-run")
"""The lesson and the cell whose question and answer README.md shows."""
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
    for file, book in _notebooks():
        title = book.cells[0]["source"].splitlines()[0].removeprefix("# ")
        kernel = "Python" if book.metadata["kernelspec"]["name"] == "python3" else "Java"
        spent = of_lesson(book)
        worked = f"[with results](notebooks/solutions/{file.name})"
        columns = [f"[{file.stem[:2]} {title}](notebooks/{file.name})", worked, kernel, spent.core, spent.more or ""]
        rows.append(f"| {' | '.join(map(str, columns))} |")
    return "\n".join(rows)


def schedule() -> str:
    """A line per schedule of lessons, with its minutes."""
    minutes = {file.stem[:2]: of_lesson(book).core for file, book in _notebooks()}
    return "\n".join(
        f"- **{name}**: {', '.join(numbers)} ({sum(minutes[number] for number in numbers)} minutes)"
        for name, numbers in PATHS.items()
    )


def asked() -> str:
    """A question to `should-i-pool` and its answer, from the run of the worked edition."""
    lesson, name = ASKED
    book = read(next(SOLUTIONS.glob(f"{lesson}-*.ipynb")))
    cell = next(cell for cell in book.cells if cell["id"] == name)
    said = next(output.text for output in cell.outputs if output.output_type == "stream")
    command, _, answer = said.strip().partition("\n")
    return published.block(command.replace(" --", " \\\n    --"), answer)


def machines() -> str:
    """The machines with recordings, in a sentence."""
    rows = known().itertuples()
    kinds = [f"{one.processor}, {one.processors:.0f} processors{' (virtual)' if one.virtual else ''}" for one in rows]
    count = "one machine" if len(kinds) == 1 else f"{len(kinds)} machines"
    return f"So far, all figures come from {count}: {'; '.join(kinds)}."


def one_liners() -> str:
    """A row per alias of the catalog."""
    rows = ["| one-liner | what it does |", "|---|---|"]
    for alias in aliases().values():
        example, what = alias["description"].split(" : ", 1)
        rows.append(f"| `jbang {example}` | {what} |")
    return "\n".join(rows)


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


def parts(here: Address) -> dict[str, dict[str, Callable[[], str]]]:
    """The functions that write the parts of each file, by the name in the mark."""
    return {
        "README.md": {
            "badges": lambda: published.badges(here),
            "asked": lambda: asked() + published.without_a_clone(here),
            "set-up": lambda: published.set_up(here),
            "lessons": lessons,
            "schedule": schedule,
            "findings": lambda: f"{summary.findings_list(of=summary.HEADLINES)}\n\n{machines()}",
        },
        "java/README.md": {"from-the-web": lambda: published.from_the_web(here), "one-liners": one_liners},
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


def texts(here: Address) -> dict[Path, str]:
    """The correct content of each file, for an address. Raises ValueError if a mark is missing."""
    marked = {ROOT / name: _filled(ROOT / name, made) for name, made in parts(here).items()}
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
        made = part()
        filled = f"{made}\n" if made else ""
        text, count = re.subn(marked, lambda found, new=filled: f"{found[1]}{new}{found[2]}", text, flags=re.DOTALL)
        if count != 1:
            raise ValueError(f"{file.name} must have the mark {name} once, and has it {count} times")
    return text


def chart(picture: str) -> tuple[bytes, str]:
    """A chart of `PICTURES`, and its alternative text."""
    book = read(next(SOLUTIONS.glob(f"{picture[:2]}-*.ipynb")))
    name, which = PICTURES[picture]
    cell = next(cell for cell in book.cells if cell["id"] == name)
    output = [output for output in cell.outputs if "image/png" in output.get("data", {})][which]
    return base64.b64decode(output.data["image/png"]), output.metadata["image/png"]["alt"]


def _notebooks():
    for file in sorted(SOLUTIONS.glob("[0-9][0-9]-*.ipynb")):
        yield file, read(file)
