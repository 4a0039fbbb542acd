"""Java in a Python lesson: show the lines that run, fetch the learner's pool, check it."""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

from IPython.display import Markdown

from poolbook.cells import ask, jmh
from poolbook.system.paths import BUILD, JAVA, MY, NOTEBOOKS, ROOT, SOLUTIONS

IMPORTS = """\
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import pools.*;

"""
STRING_IMPORTS = "import java.nio.*;\nimport java.nio.charset.StandardCharsets;\nimport strings.*;\n"
# Comments, strings and characters, in which braces do not count.
QUIET = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.DOTALL)

# A type, a method or constructor, or an enum constant with a body, including its opening brace.
DECLARATION = re.compile(
    r"^ *(?:[\w. ]*\b(?:class|interface|enum) +(\w+)[^;{}]*"
    r"|(?!.*\b(?:new|return|else|if|for|while|switch|catch|synchronized) *\()[\w<>\[\], .?&]*\b(\w+)\([^;{}]*"
    r"|([A-Z][A-Z_]*)(?:\([^;{}]*\))? *)\{",
    re.MULTILINE,
)


def java_source(topic: str, name: str) -> tuple[Path, int, str]:
    """File, first line and text of an enum constant, class or method in ``java/<topic>/``, with its Javadoc.

    Raises ValueError with similar names if there is none.
    """
    files = sorted((JAVA / topic).glob("*.java"))
    if not files:
        raise ValueError(f"no Java package {topic}; there are: {', '.join(sorted(p.name for p in JAVA.iterdir()))}")
    names: set[str] = set()
    for file in files:
        text = file.read_text(encoding="utf-8")
        hidden = QUIET.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
        for found in DECLARATION.finditer(hidden):
            declared = next(group for group in found.groups() if group)
            names.add(declared)
            if declared == name:
                start = _with_comment(text, found.start())
                block = textwrap.dedent(text[start : _end(hidden, found.end())])
                return file, text.count("\n", 0, start) + 1, block
    near = difflib.get_close_matches(name, names, 3) or sorted(names)[:8]
    raise ValueError(f"no {name} in java/{topic}; did you mean {', '.join(near)}?")


def _end(hidden: str, after_brace: int) -> int:
    """The position just after the brace that closes the one before ``after_brace``."""
    depth = 1
    for place in range(after_brace, len(hidden)):
        depth += {"{": 1, "}": -1}.get(hidden[place], 0)
        if depth == 0:
            return place + 1
    return len(hidden)


def _with_comment(text: str, start: int) -> int:
    """The start of the Javadoc and annotations right before it, if any."""
    javadoc = r"(?:[ ]*/\*\*(?:(?!\*/).)*\*/\s*)?"
    annotations = r"(?:[ ]*@\w+(?:\([^)]*\))?[ ]*(?://[^\n]*\n)?\s*)*"
    return re.search(javadoc + annotations + r"\Z", text[:start], re.DOTALL).start()


def show_java(topic: str, name: str) -> Markdown:
    """Show the lines of Java that are about to run, with file and line. Raises ValueError.

    >>> show_java("dates", "LOCKED")  # doctest: +SKIP
    """
    file, line, text = java_source(topic, name)
    return Markdown(f"`{file.relative_to(ROOT).as_posix()}`, line {line}:\n\n```java\n{text}\n```")


@dataclass(frozen=True)
class MyPool:
    """A learner's pool: its source, who wrote it (``origin``), and its file."""

    source: str
    origin: str
    path: str

    def check(self) -> None:
        """Run the contract's checks on it and print the report."""
        check(self.path)


def summing(lines: str) -> str:
    """Write a learner's lines into a Java file that ``bench-pitfalls --yours`` can measure, and return its path.

    The lines find an array ``bytes`` and a blackhole ``used``.
    """
    source = (
        "import org.openjdk.jmh.infra.Blackhole;\n\n"
        "public class MySumming implements pitfalls.Summing {\n"
        "  public void sum(byte[] bytes, Blackhole used) {\n"
        f"{textwrap.indent(lines.strip(), '    ')}\n"
        "  }\n}\n"
    )
    folder = BUILD / "my-summing" / hashlib.sha256(source.encode()).hexdigest()[:12]
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "MySumming.java"
    file.write_text(source, encoding="utf-8")
    return file.relative_to(ROOT).as_posix()


def my_pool(lesson: str) -> MyPool:
    """The pool of a Java lesson's exercise: the learner's if it is solved, otherwise the solution, labelled as such.

    Taken from the cell tagged ``my-pool`` of the saved notebook in ``my/``, or in ``notebooks/``. Raises LookupError.
    """
    solution = _cell(SOLUTIONS, lesson)
    if solution is None:
        raise LookupError(f"lesson {lesson} has no pool to write")
    text = _source(solution)
    stub = solution["metadata"].get("workbook", {}).get("stub", "")
    learners = _cell(MY, lesson) if MY.exists() and not os.environ.get("WORKBOOK_RUNNING") else None
    learners = learners or _cell(NOTEBOOKS, lesson)
    solved = learners is not None and _source(learners).split() not in (stub.split(), text.split())
    source = _source(learners) if solved else text
    origin = f"the pool you wrote in lesson {lesson}" if solved else f"the solution of lesson {lesson}"
    folder = BUILD / "my-pool" / hashlib.sha256(source.encode()).hexdigest()[:12]
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "MyPool.java"
    file.write_text(_with_imports(source) + "\n", encoding="utf-8")
    return MyPool(source, origin, file.relative_to(ROOT).as_posix())


def _with_imports(source: str) -> str:
    """A learner's class with its notebook's imports; a source with its own imports is unchanged."""
    if re.search(r"^\s*import\s", source, re.MULTILINE):
        return source
    return (STRING_IMPORTS if "StringTable" in source else "") + IMPORTS + source


def _cell(folder: Path, lesson: str) -> dict | None:
    """The tagged cell of a lesson. Read as plain JSON: importing nbformat would take a second of every lesson."""
    for file in sorted(folder.glob(f"{lesson}-*.ipynb")):
        for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]:
            if "my-pool" in cell["metadata"].get("tags", []):
                return cell
    return None


def _source(cell: dict) -> str:
    """A cell's text, which a file holds whole or as lines."""
    return "".join(cell["source"])


def my_file(name: str) -> str:
    """The path of the file that a cell with ``%%java`` saves under this name."""
    folder = BUILD if os.environ.get("WORKBOOK_RUNNING") else MY
    return (folder / "java" / name).relative_to(ROOT).as_posix()


def check(path: str) -> None:
    """Print and run ``pool-check`` for a file, and print what fails, or the compiler's message."""
    print(f"$ {shlex.join(['./workbook', 'jbang', 'pool-check', path])}")
    launcher = [sys.executable, str(ROOT / "workbook"), "jbang", "pool-check", path, "--json"]
    done = subprocess.run(launcher, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    if done.returncode > 1 or not done.stdout.strip():
        print("\n".join(line for line in done.stderr.splitlines() if not line.startswith(("[jbang]", "workbook: "))))
        return
    outcomes = json.loads(done.stdout)
    failed = [outcome for outcome in outcomes if not outcome["passed"]]
    for outcome in failed:
        print("✗ " + outcome["check"])
        print("\n".join(f"    {word:9} {outcome[word]}" for word in ("expected", "came", "look")))
    if not failed:
        print("✓ it keeps the contract")
    print(f"{len(outcomes) - len(failed)} of {len(outcomes)} checks passed")


def load_ipython_extension(shell) -> None:
    """``%load_ext poolbook`` adds three cell magics.

    ``%%java MyPool.java`` saves the cell as that file and checks it; ``%%should_i_pool`` asks about an object;
    ``%%jmh`` measures the benchmark in the cell.
    """
    shell.register_magic_function(_java_cell, "cell", "java")
    shell.register_magic_function(ask.cell_magic, "cell", "should_i_pool")
    shell.register_magic_function(jmh.cell_magic, "cell", "jmh")


def _java_cell(line: str, cell: str) -> None:
    name = line.strip()
    if not re.fullmatch(r"\w+\.java", name):
        print(f"name a Java file, as in %%java MyPool.java, not {name or 'nothing'}")
        return
    file = ROOT / my_file(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(_with_imports(cell), encoding="utf-8")
    check(my_file(name))
