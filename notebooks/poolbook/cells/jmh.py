"""A JMH benchmark that stands in a cell: the cell magic ``%%jmh``."""

from __future__ import annotations

import hashlib
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from poolbook.system.paths import BUILD, JAVA, ROOT
from poolbook.system.profiles import current

MAIN = "org.openjdk.jmh.Main"
NEEDED = re.compile(r"^//(?:DEPS org\.openjdk\.jmh:\S+|JAVAC_OPTIONS -processor .*)$", re.MULTILINE)
"""The lines with which the workbook's own benchmarks name JMH: the version has one home."""
QUICK = "-f 1 -wi 3 -w 200ms -i 5 -r 200ms"
"""Enough for JMH to print an error, and over in seconds. An option in the magic's line replaces the one here."""
SMOKE = "-f 1 -wi 1 -w 50ms -i 2 -r 50ms"
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
TABLE = re.compile(r"^Benchmark +.*\bMode\b.*\bScore\b.*(?:\n.*\S.*)*", re.MULTILINE)
FAILURE = re.compile(r"<failure>\s*(.*)")
# Runs a command, with all that it starts, in a group of its own, and ends the group when standard input closes: JMH's
# forks would outlive a kernel that was killed.
ENDS_WITH_US = """
import os, signal, subprocess, sys, threading
has_groups = hasattr(os, "setsid")
if has_groups:
    os.setsid()
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)
def end():
    sys.stdin.read()
    os.killpg(0, signal.SIGKILL) if has_groups else child.kill()
threading.Thread(target=end, daemon=True).start()
sys.exit(child.wait())
"""


def cell_magic(line: str, cell: str) -> None:
    """``%%jmh``: write the cell's class into a file, print the command that measures it, run it, print JMH's table.

    The cell is a Java file without a package. Options in the magic's line go to JMH: ``%%jmh -f 3 -prof gc``.
    """
    try:
        file = written(cell)
        options = merged(line, file.parent)
    except ValueError as problem:
        print(problem)
        return
    arguments = ["--main", MAIN, file.relative_to(ROOT).as_posix(), *options]
    print(f"$ {shlex.join(['./workbook', 'jbang', *arguments])}")
    status, said, complaints = _run([sys.executable, str(ROOT / "workbook"), "jbang", *arguments])
    table, failures = TABLE.search(said), FAILURE.findall(said)
    if failures:
        print("\n".join(f"the benchmark failed: {failure}" for failure in dict.fromkeys(failures)))
    elif table:
        print(table[0])
    elif status:
        print("\n".join(row for row in complaints.splitlines() if row.strip() and not row.startswith("[jbang]")))
    else:
        print(said.strip()[-1000:])


def written(cell: str) -> Path:
    """The file with a cell's class, whose lines have the numbers that they have in the cell. Raises ValueError."""
    code = COMMENT.sub("", cell)
    name = re.search(r"\bpublic\s+(?:(?:final|abstract)\s+)?class\s+(\w+)", code)
    if name is None or "@Benchmark" not in code:
        raise ValueError("%%jmh needs a public class with a method that is marked @Benchmark")
    if re.search(r"^\s*package\b", code, re.MULTILINE):
        raise ValueError("%%jmh: leave out the line with the package")
    needed = NEEDED.findall((JAVA / "pitfalls" / "BenchPitfalls.java").read_text(encoding="utf-8"))
    source = "\n".join([f"package cell; {cell.rstrip()}", *needed, ""])  # JMH refuses a class without a package
    folder = BUILD / "my-benchmarks" / hashlib.sha256(source.encode()).hexdigest()[:12]
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name[1]}.java"
    file.write_text(source, encoding="utf-8")
    return file


def merged(line: str, folder: Path) -> list[str]:
    """The options of a magic's line, and the usual ones that it does not name, as JMH refuses one twice.

    A result file goes into ``folder``. Raises ValueError for a line that no shell would read.
    """
    try:
        own = shlex.split(line)
    except ValueError as problem:
        raise ValueError(f"%%jmh: cannot read {line.strip()}: {problem}") from None
    usual = (SMOKE if current() == "smoke" else QUICK).split()
    pairs = [pair for pair in zip(usual[::2], usual[1::2], strict=True) if pair[0] not in own]
    if "-rf" in own and "-rff" not in own:
        own += ["-rff", (folder / "result").relative_to(ROOT).as_posix()]
    return [part for pair in pairs for part in pair] + own


def _run(arguments: list[str]) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of a command that ends, with its children, when we do."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as complaints:
        with subprocess.Popen(
            [sys.executable, "-c", ENDS_WITH_US, *arguments],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
            encoding="utf-8",
            errors="replace",
        ) as process:
            try:
                said = process.stdout.read()
                status = process.wait()
            finally:
                process.stdin.close()
        complaints.seek(0)
        return status, said, complaints.read()
