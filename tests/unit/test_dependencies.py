"""The libraries of the Java programs: jars and poms are pinned by SHA-256, and all programs have the same versions."""

from __future__ import annotations

import hashlib
import json
import os
import re
from pathlib import Path

import pytest

from launch import workbook
from poolbook.site import bundle
from poolbook.system import jdks
from poolbook.system.paths import JAVA, WORKBOOK
from poolbook.upkeep import dependencies


def test_every_library_named_in_a_header_is_pinned() -> None:
    for file in JAVA.rglob("*.java"):
        for group, name, version in re.findall(
            r"^//DEPS ([^:\s]+):([^:\s]+):([^@\s]+)", file.read_text("utf-8"), re.MULTILINE
        ):
            jar = f"{group.replace('.', '/')}/{name}/{version}/{name}-{version}.jar"
            assert jar in dependencies.pins(), f"{file.name}: run ./workbook upkeep --pins"


def test_every_file_that_is_here_has_the_hash_that_is_written_down() -> None:
    here = [name for name in dependencies.pins() if (dependencies.repository() / name).is_file()]
    assert here
    for name in here:
        sha256 = hashlib.sha256((dependencies.repository() / name).read_bytes()).hexdigest()
        assert sha256 == dependencies.pins()[name], name


def test_every_jar_has_its_pom_and_every_pom_its_parent() -> None:
    """What Maven asks for to resolve a library; a parent may also have another path."""
    pins = set(dependencies.pins())
    for name in pins:
        folder, _, _ = name.rpartition("/")
        version, artifact = folder.split("/")[-1], folder.split("/")[-2]
        assert f"{folder}/{artifact}-{version}.pom" in pins, f"{name}: run ./workbook upkeep --pins"
        if name.endswith(".pom") and (file := dependencies.repository() / name).is_file():
            parent = re.search(r"<parent>(.*?)</parent>", file.read_text("utf-8", errors="replace"), re.DOTALL)
            if parent:
                group, artifact, version = (
                    re.search(rf"<{part}>\s*(.*?)\s*</{part}>", parent[1])[1]
                    for part in ("groupId", "artifactId", "version")
                )
                assert f"{group.replace('.', '/')}/{artifact}/{version}/{artifact}-{version}.pom" in pins, name


def test_the_postgresql_that_runs_is_pinned_for_each_kind_of_machine() -> None:
    assert set(dependencies.POSTGRES) == set(bundle.PLATFORMS)
    for platform in bundle.PLATFORMS:
        mine = [name for name in dependencies.pins() if dependencies.platform_of(name) == platform]
        assert [name.rpartition(".")[2] for name in sorted(mine)] == ["jar", "pom"], platform
    common = [name for name in dependencies.pins() if dependencies.platform_of(name) is None]
    assert not [name for name in common if "/18." in name and "postgres" in name]


@pytest.mark.slow
def test_what_is_written_down_is_what_the_programs_need() -> None:
    """Asks JBang for the class path of every program; each must be the same as when the programs are built together."""
    wanted = {what: dependencies.class_path(what) for what in (*dependencies.programs(), *dependencies.asked_for())}
    jars = {name for name in dependencies.pins() if name.endswith(".jar")}
    assert set().union(*wanted.values()) == jars, "run ./workbook upkeep --pins"
    assert workbook("check").returncode == 0
    for file in (WORKBOOK / "commands").glob("*.json"):
        together = json.loads(file.read_text(encoding="utf-8"))["jars"]
        alone = {str(dependencies.repository() / jar) for jar in wanted[file.stem]}
        assert alone <= set(together), file.stem


def test_the_runtimes_that_a_recording_fetches_are_pinned_by_hash() -> None:
    assert list(jdks.FETCHED) == [17, 21, 25]
    for wanted in jdks.FETCHED.values():
        assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", wanted)) >= 4


def test_a_runtime_with_another_hash_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jdks, "WORKBOOK", tmp_path)
    monkeypatch.setitem(jdks.FETCHED, 21, f"{jdks.FETCHED[21].split()[0]} --hash=sha256:{'0' * 64}\n")
    with pytest.raises(jdks.NoJdk, match=r"Java 21 could not be fetched .*DO NOT MATCH THE HASHES"):
        jdks._fetch(21)
    assert not (tmp_path / "jdks" / "21").exists()


def test_a_damaged_library_is_fetched_again(tmp_path: Path) -> None:
    settings = {"JBANG_REPO": str(tmp_path / "repository"), "JBANG_DIR": str(tmp_path / "jbang")}
    assert workbook("jbang", "dates-race", "--help", **settings).returncode == 0
    (jar,) = (tmp_path / "repository").rglob("picocli-*.jar")
    (pom,) = (tmp_path / "repository").rglob("picocli-*.pom")
    os.truncate(jar, 1000)
    pom.write_text(pom.read_text(encoding="utf-8").replace("<dependencies>", "<dependencies><!-- evil -->"))
    (tmp_path / "jbang" / "cache" / "dependency_cache.json").unlink()  # or JBang would not read the pom
    done = workbook("jbang", "dates-race", "--help", **settings)
    assert "Usage: dates-race" in done.stdout
    for file in (jar, pom):
        assert f"workbook: {file.name} is damaged: fetching it again" in done.stderr
        assert hashlib.sha256(file.read_bytes()).hexdigest() in dependencies.pins().values()
