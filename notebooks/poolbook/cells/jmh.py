"""A JMH benchmark that stands in a cell: the cell magic ``%%jmh``."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import sys

from poolbook.cells import jbang
from poolbook.system.paths import BUILD, JAVA, ROOT
from poolbook.system.profiles import current

MAIN = "org.openjdk.jmh.Main"
NEEDED = re.compile(r"^//(?:DEPS org\.openjdk\.jmh:\S+|JAVAC_OPTIONS -processor .*)$", re.MULTILINE)
"""The lines with which the workbook's own benchmarks name JMH: the version has one home."""
QUICK = "-f 1 -wi 3 -w 200ms -i 5 -r 200ms"
"""Enough for JMH to print an error, and over in seconds. An option in the magic's line replaces the one here."""
SMOKE = "-f 1 -wi 1 -w 50ms -i 2 -r 50ms"


def cell_magic(line: str, cell: str) -> None:
    """``%%jmh``: write the cell's class into a file, print the command that measures it, run it, print JMH's table.

    The cell is a Java file without a package. Options in the magic's line go to JMH: ``%%jmh -f 3 -prof gc``.
    """
    name = re.search(r"\bpublic\s+(?:final\s+)?class\s+(\w+)", cell)
    if name is None:
        print("%%jmh needs a public class with a method that is marked @Benchmark")
        return
    needed = NEEDED.findall((JAVA / "pitfalls" / "BenchPitfalls.java").read_text(encoding="utf-8"))
    package = name[1].lower()  # JMH refuses a class without a package
    source = "\n".join([*needed, f"package {package};", "", cell.strip(), ""])
    folder = BUILD / "my-benchmarks" / hashlib.sha256(source.encode()).hexdigest()[:12]
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name[1]}.java"
    file.write_text(source, encoding="utf-8")
    own = line.split()
    usual = (SMOKE if current() == "smoke" else QUICK).split()
    pairs = [pair for pair in zip(usual[::2], usual[1::2], strict=True) if pair[0] not in own]  # JMH refuses one twice
    options = [part for pair in pairs for part in pair] + own
    arguments = ["--main", MAIN, file.relative_to(ROOT).as_posix(), *options]
    print(f"$ {shlex.join(['./workbook', 'jbang', *arguments])}")
    watching = {**os.environ, "WORKBOOK_PARENT": str(os.getpid())}
    try:
        said = jbang.output([sys.executable, str(ROOT / "workbook"), "jbang", *arguments], cwd=ROOT, env=watching)
    except jbang.JavaProblem as problem:
        print(problem)
        return
    print(said[said.rfind("\nBenchmark ") + 1 :].rstrip())
