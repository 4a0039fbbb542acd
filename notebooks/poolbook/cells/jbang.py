"""Run the workbook's Java programs through JBang, with a progress bar, and return a tidy frame."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pandas as pd
from tqdm import tqdm

from poolbook.system import files
from poolbook.system.paths import BUILD, ROOT
from poolbook.tables import columns

PROGRESS = re.compile(r"\[(\d+)/(\d+)\] (.*)")


class JavaProblem(RuntimeError):
    """A Java program ended with an error; the message is its last output."""


def command(alias: str, *arguments: object) -> str:
    """The same command for a terminal, in the workbook's top folder.

    >>> command("dates", "--threads", 5)
    './workbook jbang dates --threads 5'
    """
    return shlex.join(["./workbook", "jbang", alias, *map(str, arguments)])


def run(alias: str, *arguments: object) -> pd.DataFrame:
    """Run an alias with ``--json`` and return its rows; a progress bar shows how far it is.

    It first prints the command, so that it can be copied. Raises `JavaProblem` if the program fails,
    and ends the program when the kernel is interrupted or dies.

    >>> run("dates-race", "--threads", 2)  # doctest: +SKIP
    """
    print(f"$ {command(alias, *arguments)}")
    launcher = [sys.executable, str(ROOT / "workbook"), "jbang", alias, *map(str, arguments), "--json"]
    watching = {**os.environ, "WORKBOOK_PARENT": str(os.getpid())}  # the JVM ends when this kernel does, even by a kill
    with tqdm(desc=alias, unit="step", leave=False, file=sys.stdout) as bar:
        answer = output(launcher, lambda *step: _advance(bar, *step), cwd=ROOT, env=watching)
    if os.environ.get("WORKBOOK_RUNNING"):  # tests check what cells do with worse rows
        files.write(kept_rows(alias, *arguments), answer)
    return columns.typed(pd.DataFrame(json.loads(answer)))


def kept_rows(alias: str, *arguments: object) -> Path:
    """Where a run of all notebooks keeps the rows of an alias with these arguments."""
    name = hashlib.sha256("\0".join([alias, *map(str, arguments)]).encode()).hexdigest()[:16]
    return BUILD / "rows" / f"{alias}-{name}.json"


def output(
    arguments: list[str],
    on_progress: Callable[[int, int, str], None] = lambda done, all_, what: None,
    **options: object,
) -> str:
    """Run a program and return its standard output; ``[3/40] what`` on standard error is progress.

    ``options`` go to `subprocess.Popen`. Standard input stays open until the program has ended: a program on
    Java 8 that watches its parent ends when it closes. Raises `JavaProblem`.
    """
    with tempfile.TemporaryFile("w+", encoding="utf-8") as answer:
        with subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE,
            stdout=answer,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            **options,
        ) as process:
            try:
                words = _listen(process.stderr, on_progress)
                status = process.wait()
            except BaseException:
                process.kill()
                raise
        if status != 0:
            raise JavaProblem("\n".join(words) or f"{arguments[-1]} ended with status {status}")
        answer.seek(0)
        return answer.read()


def _listen(stream: IO[str], on_progress: Callable[[int, int, str], None]) -> list[str]:
    """Pass progress on; return the last of the other lines."""
    words: list[str] = []
    for line in stream:
        step = PROGRESS.match(line)
        if step:
            on_progress(int(step[1]) - 1, int(step[2]), step[3].strip())
        elif line.strip() and not line.startswith("[jbang]"):
            words = [*words[-11:], line.rstrip()]
    return words


def _advance(bar: tqdm, done: int, total: int, what: str) -> None:
    bar.total = total
    bar.n = done
    bar.set_postfix_str(what)
