"""Make what a release consists of: ``./workbook release`` writes build/release.

All lie side by side, as a web page of releases wants them. The catalog names the jar beside it, so the catalog of a
version runs that version. A template of an exercise brings the interface that it implements.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

from poolbook.cells import turns
from poolbook.record.experiments import aliases
from poolbook.site.book import build as book
from poolbook.system import files, folders, tasks
from poolbook.system.paths import BUILD, DATASETS, ROOT
from poolbook.system.setup import Program, Workbook
from poolbook.system.steps import Problem, one_line
from poolbook.upkeep.published import EXERCISES

TARGET = BUILD / "release"
JOINED = re.compile(r"META-INF/(BenchmarkList|CompilerHints|TestList|services/.+)")  # lists: those of all jars count
SIGNED = re.compile(r"META-INF/.+\.(SF|RSA|DSA|EC)")  # of a jar that is no longer itself
MANIFEST = "META-INF/MANIFEST.MF"


class NoRelease(Exception):
    """Why there is no release; the message is one line."""


def version_and_notes(changelog: str) -> tuple[str, str]:
    """The version of the newest heading of CHANGELOG.md, and the text below it. Raises `NoRelease`."""
    _, _, newest = f"\n{changelog}".partition("\n## ")
    found = re.match(r"(\d+\.\d+\.\d+)(?![-.\w])[^\n]*\n+(.*?)(?=^## |\Z)", newest, re.MULTILINE | re.DOTALL)
    if not found:
        raise NoRelease("the first ## heading of CHANGELOG.md must begin with a version, such as ## 1.2.0")
    return found[1], found[2].strip() + "\n"


def merge(jars: list[Path], target: Path) -> None:
    """Put jars into one. Of two files with a name the first jar's stays; lists that libraries read are joined."""
    lists: dict[str, dict[str, None]] = {}  # their lines, in order, each once
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as whole:
        whole.writestr(MANIFEST, "Manifest-Version: 1.0\nMulti-Release: true\n")
        seen = {MANIFEST}
        for jar in jars:
            with zipfile.ZipFile(jar) as part:
                for entry in part.infolist():
                    if JOINED.fullmatch(entry.filename):
                        lines = part.read(entry).decode("utf-8").splitlines()
                        lists.setdefault(entry.filename, {}).update(dict.fromkeys(filter(None, lines)))
                    elif not (entry.is_dir() or entry.filename in seen or SIGNED.fullmatch(entry.filename)):
                        whole.writestr(entry, part.read(entry), zipfile.ZIP_DEFLATED)
                        seen.add(entry.filename)
        for name, lines in lists.items():
            whole.writestr(name, "\n".join(lines) + "\n")


def programs(target: Path) -> None:
    """Write a jar with all programs and their libraries. A class is compiled for the earliest Java that it serves."""
    workbook, parts = Workbook(ROOT), []
    for release, group in sorted(workbook.groups().items(), key=lambda item: int(item[0])):
        parts.append(target.with_name(f".{release}.jar"))
        workbook.fat_jar(release, group, parts[-1])
    merge(parts, target)
    for part in parts:
        part.unlink()


def templates() -> dict[str, tuple[str, dict[str, str]]]:
    """For each template its file and, beside it, the interfaces that it needs, by the path they get: name and text."""
    made = {}
    for name, (folder, _) in EXERCISES.items():
        if not folder:
            made[name] = (turns.source(), {})
            continue
        try:
            (file,) = (ROOT / "java" / "exercises" / folder).glob("*.java")
        except ValueError:
            raise NoRelease(
                f"java/exercises/{folder} must have exactly one Java file, which becomes the template {name}"
            ) from None
        text = re.sub(r"(?<=jbang )(pool-check|virtual-threads)\b", r"\1@pools", file.read_text(encoding="utf-8"))
        beside = interfaces(text)
        first, rest = text.split("\n", 1)
        made[name] = ("\n".join([first, *(f"//SOURCES {path}" for path in beside), rest]), beside)
    return made


def interfaces(text: str) -> dict[str, str]:
    """The interfaces of the workbook that a class names, and those that they name, by their paths; sorted."""
    found: dict[str, str] = {}
    for package in re.findall(r"^import (\w+)\.\*;$", text, re.MULTILINE):
        there = {file.stem: file for file in (ROOT / "java" / package).glob("*.java")}
        wanted = named(text) & there.keys()
        while wanted:
            file = there[wanted.pop()]
            source = re.sub(r"^//.*\n", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE).lstrip()
            path = f"{package}/{file.name}"
            if path not in found:
                found[path] = source
                wanted |= named(source) & there.keys()
    return dict(sorted(found.items()))


def named(source: str) -> set[str]:
    """The words of a program, without its comments."""
    return set(re.findall(r"\w+", re.sub(r"/\*.*?\*/|//[^\n]*", "", source, flags=re.DOTALL)))


def catalog(jar: str) -> dict:
    """The catalog of this version: each program in its jar, and the templates."""
    known = {alias: Program.read(script) for alias, script in Workbook(ROOT).aliases().items()}
    runs = {
        alias: {
            "script-ref": jar,
            "main": known[alias].main,
            "java": facts["java"],
            "description": facts["description"],
            **({"runtime-options": known[alias].options} if known[alias].options else {}),
        }
        for alias, facts in aliases().items()
    }
    forms = {
        name: {
            "file-refs": {"{filename}": f"{name}.java", **{path: Path(path).name for path in beside}},
            "description": EXERCISES[name][1],
        }
        for name, (_, beside) in templates().items()
    }
    return {"aliases": runs, "templates": forms}


def code(version: str, part: Path) -> None:
    """Write the jar, its catalog and the templates into a folder."""
    jar = f"object-pool-workbook-{version}.jar"
    programs(part / jar)
    files.write(part / "jbang-catalog.json", json.dumps(catalog(jar), indent=2, ensure_ascii=False) + "\n")
    for name, (text, beside) in templates().items():
        files.write(part / f"{name}.java", text)
        for path, source in beside.items():
            files.write(part / Path(path).name, source)


def pack(folder: Path, target: Path) -> None:
    """Zip a folder, with its own name inside."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            archive.write(file, file.relative_to(folder.parent).as_posix())


def sums(folder: Path) -> str:
    """A line for each file, as `sha256sum --check` reads it."""
    every = sorted(file for file in folder.iterdir())
    return "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in every)


def steps(part: Path) -> Iterator[str]:
    """Write the release into a folder; yields what it does next. Raises `NoRelease`, `Problem` and OSError."""
    version, notes = version_and_notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    yield "building one jar of all programs"
    code(version, part)
    yield "packing the recordings"
    pack(DATASETS / "recorded", part / f"recordings-{version}.zip")
    yield "making the book"
    if book.main([]):
        raise NoRelease("the book could not be made: see above")
    pack(book.TARGET, part / f"book-{version}.zip")
    files.write(part / "NOTES.md", notes)
    files.write(part / "SHA256SUMS", sums(part))


def make() -> None:
    """Replace build/release, once all is there. Raises `NoRelease`, `NotReplaced`, `Problem`, OSError, UnicodeError."""
    if strange := not_ours(TARGET):
        raise NoRelease(f"{strange.relative_to(ROOT).as_posix()} was not made by ./workbook release: move it away")
    with folders.beside(TARGET, "release") as part:
        for what in steps(part):
            book.show_step(what)
        folders.replace(TARGET, part, lambda old: not_ours(old) is None)


def not_ours(folder: Path) -> Path | None:
    """Something in a folder of which its SHA256SUMS knows nothing, or what stands in the folder's place."""
    if not folder.is_dir():
        return folder if os.path.lexists(folder) else None
    sums_file = folder / "SHA256SUMS"
    known = {sums_file.name}
    if sums_file.is_file():
        known |= {line.partition("  ")[2] for line in sums_file.read_text(encoding="utf-8").splitlines()}
    return next((file for file in sorted(folder.iterdir()) if file.name not in known), None)


def main(arguments: list[str] | None = None) -> int:
    tasks.parser("release").parse_args(arguments)
    try:
        make()
    except (NoRelease, folders.NotReplaced, Problem, OSError, UnicodeError) as problem:
        print(one_line(problem), file=sys.stderr)
        return 2
    for file in sorted(TARGET.iterdir()):
        print(f"{file.stat().st_size / 1e6:8.2f} MB  {file.relative_to(ROOT).as_posix()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
