"""The style of the Java code is google-java-format's: ``python tests/java_format.py`` writes it into every file.

JBang's directives stand before a file's package line. They are left alone: the formatter would put a blank into
``//DEPS``, and JBang would no longer see it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FORMATTER = "com.google.googlejavaformat:google-java-format:1.28.0"  # the last that runs on Java 17
COMPILER = ("api", "code", "file", "parser", "tree", "util")  # the packages of javac that it works with


def sources() -> list[Path]:
    """All Java files of the checkout except the learner's exercises, which follow the lesson."""
    return sorted(file for file in (ROOT / "java").rglob("*.java") if "exercises" not in file.parts)


def formatted(files: list[Path]) -> dict[Path, str]:
    """The formatted text of each file. Raises subprocess.CalledProcessError if one does not parse."""
    launcher = [sys.executable, str(ROOT / "workbook"), "jbang", "info", "classpath", FORMATTER]
    class_path = subprocess.run(launcher, check=True, capture_output=True, text=True).stdout.strip()
    home = os.environ.get("WORKBOOK_JAVA_HOME") or json.loads((ROOT / ".workbook" / "jdk.json").read_text())["home"]
    java = Path(home) / "bin" / "java"
    exports = [f"--add-exports=jdk.compiler/com.sun.tools.javac.{name}=ALL-UNNAMED" for name in COMPILER]
    heads = {}
    with tempfile.TemporaryDirectory() as folder:
        copies = {file: Path(folder, f"{number}.java") for number, file in enumerate(files)}
        for file, copy in copies.items():
            heads[file], body = _parts(file.read_text(encoding="utf-8"))
            copy.write_text(body, encoding="utf-8")
        formatter = [str(java), *exports, "-cp", class_path, "com.google.googlejavaformat.java.Main"]
        options = ["--replace", "--skip-reflowing-long-strings"]
        subprocess.run([*formatter, *options, *map(str, copies.values())], check=True)
        return {file: heads[file] + copy.read_text(encoding="utf-8") for file, copy in copies.items()}


def _parts(text: str) -> tuple[str, str]:
    """JBang's directives, and the rest from the package line on."""
    package = re.search(r"^package ", text, re.MULTILINE)
    start = package.start() if package else 0
    return text[:start], text[start:]


if __name__ == "__main__":
    for path, text in formatted(sources()).items():
        if path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(path.relative_to(ROOT))
