"""What a release is made of, without building it: its version, its jar of several, its catalog and templates."""

from __future__ import annotations

import json
import re
import subprocess
import zipfile
from pathlib import Path

import pytest

from poolbook.record.experiments import aliases
from poolbook.site import release
from poolbook.system.jdk import tool
from poolbook.system.paths import ROOT
from poolbook.system.setup import Workbook


def test_the_version_is_that_of_the_newest_heading() -> None:
    text = "# What changed\n\nNewest first.\n\n## 1.2.0, not released yet\n\n- Two.\n\n## 1.1.0\n\n- One.\n"
    assert release.version_and_notes(text) == ("1.2.0", "- Two.\n")
    assert re.fullmatch(r"\d+\.\d+\.\d+", release.version_and_notes((ROOT / "CHANGELOG.md").read_text("utf-8"))[0])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# What changed\n\n## Not released yet\n\n- One.\n",
        "## Not released yet\n\n- Two.\n\n## 1.2.0\n\n- One.\n",
        "## 1.3\n\n- Two.\n\n## 1.2.0\n\n- One.\n",
        "## 1.3.0-rc1\n\n- Two.\n\n## 1.2.0\n\n- One.\n",
    ],
)
def test_without_a_version_there_is_no_release(text: str) -> None:
    with pytest.raises(release.NoRelease, match=r"such as ## 1\.2\.0"):
        release.version_and_notes(text)


def test_a_folder_with_files_of_others_is_not_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    assert release.not_ours(folder) is None
    folder.mkdir()
    assert release.not_ours(folder) is None
    (folder / "a.jar").write_bytes(b"1")
    assert release.not_ours(folder) == folder / "a.jar"
    (folder / "SHA256SUMS").write_text(release.sums(folder), encoding="utf-8")
    assert release.not_ours(folder) is None
    (folder / "mine").mkdir()
    assert release.not_ours(folder) == folder / "mine"


def test_a_file_in_place_of_the_folder_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "release").touch()
    assert release.not_ours(tmp_path / "release") == tmp_path / "release"


def jar(file: Path, entries: dict[str, str]) -> Path:
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in entries.items():
            archive.writestr(name, text)
    return file


def test_jars_become_one(tmp_path: Path) -> None:
    """The first of two classes stays, lists are joined, and no signature is left that no longer fits."""
    first = {"a/A.class": "first", "META-INF/BenchmarkList": "one\ntwo\n", "META-INF/X.SF": "signed"}
    second = {
        "a/A.class": "second",
        "b/B.class": "b",
        "META-INF/BenchmarkList": "two\nthree",
        "META-INF/MANIFEST.MF": "x",
    }
    target = tmp_path / "all.jar"
    release.merge([jar(tmp_path / "1.jar", first), jar(tmp_path / "2.jar", second)], target)
    with zipfile.ZipFile(target) as archive:
        assert sorted(archive.namelist()) == [
            "META-INF/BenchmarkList",
            "META-INF/MANIFEST.MF",
            "a/A.class",
            "b/B.class",
        ]
        assert archive.read("a/A.class") == b"first"
        assert archive.read("META-INF/BenchmarkList") == b"one\ntwo\nthree\n"
        assert b"Multi-Release: true" in archive.read("META-INF/MANIFEST.MF")


def test_the_catalog_runs_each_program_from_the_jar_beside_it() -> None:
    made = release.catalog("all-1.0.0.jar")
    assert made["aliases"].keys() == aliases().keys()
    for alias, facts in made["aliases"].items():
        assert facts["script-ref"] == "all-1.0.0.jar"
        assert facts["main"].replace(".", "/") + ".java" == aliases()[alias]["script-ref"].removeprefix("java/")
        assert re.fullmatch(r"(17|21)\+", facts["java"])
    assert json.loads(json.dumps(made)) == made


def test_each_exercise_has_a_template() -> None:
    folders = {path.name for path in (ROOT / "java" / "exercises").iterdir() if path.is_dir()}
    assert {folder for folder, _ in release.EXERCISES.values() if folder} == folders


@pytest.mark.parametrize("name", release.EXERCISES)
def test_a_template_compiles_with_what_it_brings(name: str, tmp_path: Path) -> None:
    """As an editor sees it: the class, and the interfaces that its //SOURCES name. JMH is not there."""
    text, beside = release.templates()[name]
    assert re.findall(r"^//SOURCES (.*)$", text, re.MULTILINE) == list(beside)
    if name == "pool-benchmark":
        assert "//DEPS org.openjdk.jmh:jmh-core:" in text
        return
    assert ("@pools" in text) == name.startswith("pool-")
    first = "MyPool.java" if name.startswith("pool-") else "TurnPool.java"
    for path, source in {first: text, **beside}.items():
        file = tmp_path / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(source, encoding="utf-8")
    javac = [str(tool(Workbook(ROOT).jdk(), "javac")), "-d", "classes", first, *beside]
    done = subprocess.run(javac, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
