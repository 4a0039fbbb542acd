"""The lists of sources in the headers of the Java programs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from poolbook.system.paths import JAVA
from poolbook.upkeep import java_sources


def test_the_lists_are_complete_and_name_no_wildcard() -> None:
    assert java_sources.stale() == [], "run ./workbook upkeep"
    for file in JAVA.rglob("*.java"):
        for _, name in re.findall(
            r"^//(SOURCES|FILES) (?:\S+=)?(\S+)$", file.read_text(encoding="utf-8"), re.MULTILINE
        ):
            assert (file.parent / name).is_file(), f"{file.name}: {name}"


def test_every_test_class_runs() -> None:
    listed = (JAVA / "test/Tests.java").read_text(encoding="utf-8")
    for file in (JAVA / "test").rglob("*Test.java"):
        assert f"//SOURCES {file.relative_to(JAVA / 'test').as_posix()}\n" in listed


def code(text: str) -> str:
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', "", text, flags=re.DOTALL)


def test_a_program_from_the_web_gets_all_that_it_needs() -> None:
    """From a checkout, javac also finds what no list names; over HTTP there is only what the lists name."""
    texts = {file.resolve(): file.read_text(encoding="utf-8") for file in JAVA.rglob("*.java")}
    words = {file: set(re.findall(r"\w+", code(text))) for file, text in texts.items()}
    missing = set()
    for program in [file for file, text in texts.items() if text.startswith(java_sources.PROGRAM)]:
        listed, to_read = set(), [program]
        while to_read:
            if (file := to_read.pop()) not in listed:
                listed.add(file)
                names = re.findall(r"^//SOURCES (\S+)$", texts[file], re.MULTILINE)
                to_read += [(file.parent / name).resolve() for name in names]
        for file in listed:
            imported = re.findall(r"^import (?:static )?((?:[a-z]\w*\.)+[A-Z]\w*)", texts[file], re.MULTILINE)
            needed = {JAVA.resolve() / (name.replace(".", "/") + ".java") for name in imported}
            needed |= {other for other in texts if other.parent == file.parent and other.stem in words[file]}
            missing |= {f"{program.name}: {file.name} needs {other.name}" for other in (needed & set(texts)) - listed}
    assert not missing


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(java_sources, "JAVA", tmp_path)
    monkeypatch.setattr(java_sources, "ROOT", tmp_path)
    for name, text in {
        "shed/Door.java": f"//DEPS a:b:1\n{java_sources.MARK}//SOURCES Gone.java\n\npackage shed;\n",
        "shed/Rake.java": "package shed;\n",
        "shed/Hoe.java": "package shed;\n",
        "shed/Run.java": f"{java_sources.PROGRAM} $0\n\npackage shed;\n",
        "garden/Dig.java": "//SOURCES ../shed/*.java\n//SOURCES Bed.java\n\npackage garden;\n",
        "garden/Bed.java": "package garden;\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_file_that_stands_for_its_package_lists_the_rest(package: Path) -> None:
    assert java_sources.stale() == [package / "garden/Dig.java", package / "shed/Door.java"]
    java_sources.update()
    listed = "//SOURCES Hoe.java\n//SOURCES Rake.java\n"
    assert (package / "shed/Door.java").read_text() == f"//DEPS a:b:1\n{java_sources.MARK}{listed}\npackage shed;\n"
    assert (package / "garden/Dig.java").read_text().startswith("//SOURCES ../shed/Door.java\n//SOURCES Bed.java\n")
    assert java_sources.stale() == []


def test_a_wildcard_for_a_package_without_such_a_file_is_refused(package: Path) -> None:
    (package / "garden/Dig.java").write_text("//SOURCES ../garden/*.java\n\npackage garden;\n")
    with pytest.raises(
        java_sources.NoDoor, match=r"garden/Dig.java names garden/\*.java, where no file begins with: //"
    ):
        java_sources.update()
    assert (package / "garden/Dig.java").read_text().startswith("//SOURCES ../garden/*.java\n")
