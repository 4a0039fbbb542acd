"""Build the book: ``./workbook book`` writes build/book, which works without a server.

The lessons are those of the worked edition, with the results of a real run; nothing is measured.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import filelock

from poolbook.lessons.notebook import read, write
from poolbook.site.book import explorer, lessons, pages
from poolbook.system import extras, files, tasks
from poolbook.system.address import Address, WrongAddress, address
from poolbook.system.paths import BUILD, ROOT, SOLUTIONS
from poolbook.tables.recorded import NoData

SITE = ROOT / "book"  # Sphinx's settings, scripts and styles
SOURCE = BUILD / "book-source"
TARGET = BUILD / "book"
PICTURES = "pictures"


class SphinxFailed(Exception):
    """Sphinx could not make the pages; the message is the end of what it said."""


def show_step(what: str) -> None:
    """Say on standard error what is being done."""
    print(f"{what} ...", file=sys.stderr, flush=True)


@contextmanager
def alone() -> Iterator[None]:
    """Wait until no other process makes the book of this checkout: all of them write into build/."""
    BUILD.mkdir(exist_ok=True)
    lock = filelock.FileLock(BUILD / "book.lock")
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        show_step("waiting for another ./workbook book")
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def write_sources(here: Address) -> None:
    """Write what Sphinx reads into build/book-source."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    static = SOURCE / "_static"
    shutil.copytree(SITE / "static", static)
    shutil.copy(SITE / "conf.py", SOURCE)
    for file in sorted(SOLUTIONS.glob("[0-9][0-9]-*.ipynb")):
        write(lessons.page(read(file), file.stem, static / PICTURES, here), SOURCE / "lessons" / file.name)
    for name, script in explorer.scripts().items():
        files.write(static / "tables" / name, script)
    for name, picture in pages.images().items():
        files.write(static / PICTURES / name, picture)
    for name, text in {
        "index.md": pages.start(PICTURES, here),
        "ledger.md": pages.claims(here),
        "explorer.md": pages.explore(here),
        "teaching.md": pages.teachers(),
    }.items():
        files.write(SOURCE / name, text)


def render(sphinx: Path) -> list[str]:
    """Let Sphinx, in its folder of packages, make build/book of build/book-source; returns its warnings."""
    made = TARGET.with_name("book.part")
    shutil.rmtree(made, ignore_errors=True)
    settings = {**os.environ, "PYTHONPATH": os.pathsep.join([str(sphinx), os.environ.get("PYTHONPATH", "")])}
    command = [
        sys.executable,
        "-P",
        "-m",
        "sphinx",
        "--quiet",
        "--jobs",
        "auto",
        "--doctree-dir",
        str(SOURCE / "doctrees"),
    ]
    done = subprocess.run(
        [*command, str(SOURCE), str(made)], env=settings, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    if done.returncode != 0:
        raise SphinxFailed(f"Sphinx failed: {done.stderr.strip()[-500:]}")
    for template in (made / "_static").glob("*.html"):  # the theme's own, which are no pages
        template.unlink()
    shutil.rmtree(TARGET, ignore_errors=True)
    made.rename(TARGET)
    return [line for line in done.stderr.splitlines() if line.strip()]


def main(arguments: list[str] | None = None) -> int:
    tasks.parser("book").parse_args(arguments)
    start = time.monotonic()
    try:
        with alone():
            sphinx = extras.packages(SITE / "requirements.txt", "Sphinx, which makes the pages")
            show_step("writing the pages of the lessons, the claims and the tables")
            write_sources(address())
            show_step("making the book")
            warnings = render(sphinx)
    except (extras.NotFetched, SphinxFailed, NoData, WrongAddress, OSError) as problem:
        print(problem, file=sys.stderr)
        return 2
    print("\n".join(warnings), end="\n" if warnings else "", file=sys.stderr)
    page = (TARGET / "index.html").relative_to(ROOT).as_posix()
    print(f"The book is in {page}; open it in a browser ({time.monotonic() - start:.0f} s).")
    return 0


if __name__ == "__main__":
    sys.exit(main())
