"""Run notebooks from top to bottom: ``./workbook run [NOTEBOOK...] [--profile smoke|teach]``.

Each notebook gets a line when it ends: notebook, seconds, cells, verdict.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import datetime
import io
import itertools
import os
import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import NoSuchKernel
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from PIL import Image

from poolbook.lessons.notebook import read, stamp, write
from poolbook.system import streams, tasks
from poolbook.system.paths import BUILD, NOTEBOOKS, ROOT, SOLUTIONS
from poolbook.tables.recorded import NOTES

CELL_LIMIT_SECONDS = 300
PROGRESS = re.compile(r"^(?:[^\n]*\r[^\n]*| +$)\n?", re.MULTILINE)  # progress bars, and the blanks that erased them
NEARLY_WHITE = 250
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Outcome:
    """The outcome of one notebook."""

    name: str
    seconds: float
    cells: int
    failure: str  # empty when all is well


def find(names: list[str], folder: Path = NOTEBOOKS) -> list[Path]:
    """The notebooks meant by numbers, names or paths; all of the folder if none is given. Raises LookupError."""
    every = sorted(folder.glob("[0-9][0-9]-*.ipynb"))
    if not names:
        return every
    chosen = []
    for name in names:
        path = Path(name)
        fits = [path] if path.suffix == ".ipynb" and os.path.isfile(path) else []
        fits = fits or [file for file in every if file.stem == path.stem or file.stem.startswith(f"{name}-")]
        if len(fits) != 1:
            raise LookupError(f"no notebook {name}; there are: {', '.join(file.stem for file in every)}")
        chosen += [file for file in fits if not any(file.samefile(other) for other in chosen)]
    for one, other in itertools.combinations(chosen, 2):
        if one.name == other.name:
            raise LookupError(
                f"{one} and {other} have the same name, so one result would overwrite the other: run one at a time"
            )
    return chosen


def check(file: Path) -> None:
    """Raises LookupError if a file is no notebook that can be run."""
    try:
        book = read(file)
        nbformat.validate(book)
        if not isinstance(book.metadata.get("workbook", {}), dict):
            raise TypeError("metadata.workbook is no object")
    except OSError as problem:
        raise LookupError(f"{file} cannot be read: {problem.strerror}") from None
    except (ValueError, AttributeError, TypeError, RecursionError, nbformat.ValidationError):
        raise LookupError(f"{file} is not a notebook, or it is damaged") from None
    if (book.nbformat, book.nbformat_minor) < (4, 5):
        raise LookupError(f"{file} is of an old format: open it in JupyterLab and save it")


def execute(file: Path, target: Path, profile: str, in_place: bool = False, say=lambda text: None) -> Outcome:
    """Run one notebook in ``notebooks/`` and write the executed copy; a failed cell ends the run of that notebook."""
    book = read(file)
    code = [cell for cell in book.cells if cell.cell_type == "code" and cell.source.strip()]
    done = 0

    def on_start(cell: NotebookNode, cell_index: int) -> None:
        nonlocal done
        if cell.cell_type != "code" or not cell.source.strip():
            return  # nbclient reports these, too
        done += 1
        say(f"{file.stem}: cell {done} of {len(code)}, {time.monotonic() - start:.0f} s")

    client = NotebookClient(
        book,
        timeout=CELL_LIMIT_SECONDS,
        resources={"metadata": {"path": str(NOTEBOOKS)}},
        shutdown_kernel="immediate",
        coalesce_streams=True,
        record_timing=False,
        on_cell_start=lambda **at: on_start(**at),
    )
    start = time.monotonic()
    failure = ""
    log = BUILD / "logs" / f"{file.stem}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    tables = BUILD / "logs" / f"{file.stem}.tables"
    tables.write_text("", encoding="utf-8")
    try:
        with log.open("wb") as words:  # the kernel's output to its terminal
            client.execute(stdout=words, stderr=words, env={**os.environ, NOTES: str(tables)})
    except CellExecutionError as error:
        failure = _failure(book, f"{error.ename}: {COLOURS.sub('', error.evalue)}")
    except CellTimeoutError:
        failure = _failure(book, f"it ran longer than {CELL_LIMIT_SECONDS} s")
    except DeadKernelError:
        # After Ctrl-C the client ends the kernel itself, and may then report only that it is dead.
        if getattr(client, "_async_cleanup_kernel_future", None) is not None:
            raise KeyboardInterrupt from None
        failure = _failure(book, "the kernel died")
    except NoSuchKernel as error:
        failure = f"there is no kernel {streams.clean(error.name)}: run ./workbook check"
    scrub(book)
    if not failure:
        stamp(book, profile, datetime.date.today().isoformat(), tables.read_text(encoding="utf-8").split())
    write(book, target)
    if in_place and not failure:
        write(book, file)
    return Outcome(file.stem, time.monotonic() - start, len(code), failure)


def _failure(book: NotebookNode, what: str) -> str:
    """Names the failed cell: the last one that began to run."""
    started = [
        (number, cell)
        for number, cell in enumerate((c for c in book.cells if c.cell_type == "code"), start=1)
        if cell.execution_count is not None or cell.outputs
    ]
    errors = [(n, c) for n, c in started if any(o.output_type == "error" for o in c.outputs)]
    number, cell = (errors or started or [(0, {"id": "none"})])[-1]
    return f"code cell {number} ({cell['id']}): {' '.join(what.split())[:500]}"


def smaller(png: str) -> str:
    """A chart as PNG in base64 with at most 256 colours: a quarter of its size, and alike to the eye."""
    picture, made = Image.open(io.BytesIO(base64.b64decode(png))), io.BytesIO()
    few = picture.convert("RGB").quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    colours = zip(*[iter(few.getpalette())] * 3, strict=True)
    # The nearest colours of white are a little grey, and would show as a box on a white page.
    few.putpalette([part for one in colours for part in ((255, 255, 255) if min(one) >= NEARLY_WHITE else one)])
    few.save(made, "PNG", optimize=True)
    return base64.b64encode(made.getvalue()).decode("ascii")


def scrub(book: NotebookNode) -> None:
    """Remove this machine's folders and finished progress bars from the outputs, and make pictures smaller."""
    folders = [(f"{ROOT}{os.sep}", ""), (str(ROOT), "."), (str(Path.home()), "~")]

    def clean(text: str) -> str:
        for folder, short in folders:
            text = text.replace(folder, short)
        return text

    for cell in book.cells:
        for output in cell.get("outputs", []):
            if "text" in output:
                output.text = clean(PROGRESS.sub("", output.text))
            for kind, data in output.get("data", {}).items():
                if kind == "image/png":
                    with contextlib.suppress(OSError, ValueError):  # what is no picture stays as it is
                        output.data[kind] = smaller(data)
                elif isinstance(data, str) and not kind.startswith("image/"):
                    output.data[kind] = clean(data)
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.get("text", "something").strip()]


def line(outcome: Outcome, width: int) -> str:
    """A line on how a notebook ended, and a second line on why it failed."""
    verdict = "failed" if outcome.failure else "ok"
    why = f"\n  {outcome.failure}" if outcome.failure else ""
    return f"{outcome.name:{width}}  {outcome.seconds:7.1f} s  {outcome.cells:3} cells  {verdict}{why}"


def main(arguments: list[str] | None = None) -> int:
    parser = tasks.parser("run")
    options = parser.parse_args(arguments)
    if options.in_place and not options.solutions:
        parser.error("only the worked edition keeps outputs: --in-place needs --solutions")
    os.environ.update(WORKBOOK_PROFILE=options.profile, WORKBOOK_RUNNING="1")
    try:
        files = find(options.notebooks, SOLUTIONS if options.solutions else NOTEBOOKS)
        for file in files:
            check(file)
            if options.in_place and file.resolve().parent != SOLUTIONS.resolve():
                raise LookupError(f"only the worked edition keeps outputs, and {file} does not belong to it")
    except LookupError as problem:
        print(" ".join(problem.args[0].split()), file=sys.stderr)
        return 2
    target = BUILD / "notebooks" / ("solutions" if options.solutions else ".")
    if not files:
        print("there are no notebooks to run", file=sys.stderr)
        return 2
    width = max(len(file.stem) for file in files)
    outcomes = []
    try:
        for file in files:
            outcomes.append(execute(file, target / file.name, options.profile, options.in_place, _progress))
            _progress("")
            print(line(outcomes[-1], width), flush=True)
    except (KeyboardInterrupt, asyncio.CancelledError, AssertionError) as stop:
        if isinstance(stop, AssertionError) and str(stop):
            raise
        print("\ninterrupted; finished notebooks are in build/notebooks", file=sys.stderr)
        return 130
    failed = [outcome.name for outcome in outcomes if outcome.failure]
    seconds = sum(outcome.seconds for outcome in outcomes)
    print(f"{len(outcomes) - len(failed)} of {len(outcomes)} notebooks ran without errors in {seconds:.0f} s")
    return 1 if failed else 0


def _progress(text: str) -> None:
    """In a terminal, one line that is overwritten; elsewhere, only a line when a notebook begins."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
    elif ": cell 1 of" in text:
        print(f"running {text.split(':')[0]}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
