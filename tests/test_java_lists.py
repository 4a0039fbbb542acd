"""The lists of sources in the headers of the Java programs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from poolbook import java_sources
from poolbook.paths import JAVA


def test_the_lists_are_complete_and_name_no_wildcard() -> None:
    assert java_sources.stale() == [], "run python -m poolbook.java_sources"
    for file in JAVA.rglob("*.java"):
        for _, name in re.findall(
            r"^//(SOURCES|FILES) (?:\S+=)?(\S+)$", file.read_text(encoding="utf-8"), re.MULTILINE
        ):
            assert (file.parent / name).is_file(), f"{file.name}: {name}"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(java_sources, "JAVA", tmp_path)
    monkeypatch.setattr(java_sources, "ROOT", tmp_path)
    for name, text in {
        "shed/Door.java": f"//DEPS a:b:1\n{java_sources.MARK}//SOURCES Gone.java\n\npackage shed;\n",
        "shed/Rake.java": "package shed;\n",
        "shed/Hoe.java": "package shed;\n",
        "garden/Dig.java": "//SOURCES ../shed/*.java\n//SOURCES Bed.java\n\npackage garden;\n",
        "garden/Bed.java": "package garden;\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_file_that_stands_for_its_package_lists_the_rest(package: Path) -> None:
    assert java_sources.stale() == [package / "garden/Dig.java", package / "shed/Door.java"]
    assert java_sources.main() == 0
    listed = "//SOURCES Hoe.java\n//SOURCES Rake.java\n"
    assert (package / "shed/Door.java").read_text() == f"//DEPS a:b:1\n{java_sources.MARK}{listed}\npackage shed;\n"
    assert (package / "garden/Dig.java").read_text().startswith("//SOURCES ../shed/Door.java\n//SOURCES Bed.java\n")
    assert java_sources.stale() == []


def test_a_wildcard_for_a_package_without_such_a_file_is_refused(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (package / "garden/Dig.java").write_text("//SOURCES ../garden/*.java\n\npackage garden;\n")
    assert java_sources.main() == 2
    assert "garden/Dig.java names garden/*.java, where no file begins with: //" in capsys.readouterr().err
    assert (package / "garden/Dig.java").read_text().startswith("//SOURCES ../garden/*.java\n")
