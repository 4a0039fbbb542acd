"""A release as somebody without a clone uses it: one jar from a web server runs all programs."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator

import pytest

from launch import served, strangers_jbang
from poolbook.record.experiments import aliases
from poolbook.site import release

Run = Callable[..., subprocess.CompletedProcess[str]]
JAR = "object-pool-workbook-9.9.9.jar"
NEEDS_21 = {alias for alias, facts in aliases().items() if facts["java"] == "21+"}  # which JBang would have to fetch

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="this `jbang` is a shell script")]


@pytest.fixture(scope="module")
def asked() -> list[str]:
    """What the web server was asked for."""
    return []


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory, asked: list[str]) -> Iterator[Run]:
    """A JBang that has only the address of a release."""
    folder = tmp_path_factory.mktemp("release")
    release.code("9.9.9", folder)
    with served(folder, asked) as address:
        yield strangers_jbang(tmp_path_factory.mktemp("stranger"), address)


def test_a_question_fetches_one_file(web: Run, asked: list[str]) -> None:
    """It measures in forks, from the jar: JMH finds its list of benchmarks there."""
    object_ = ("--create", "new StringBuilder()", "--use", "o.append(7); o.length()", "--reset", "o.setLength(0)")
    done = web("should-i-pool@pools", *object_, "--profile", "smoke", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)
    assert asked == ["/jbang-catalog.json", f"/{JAR}"]


@pytest.mark.parametrize("alias", [alias for alias in aliases() if alias not in NEEDS_21])
def test_each_program_is_in_the_jar(web: Run, alias: str) -> None:
    done = web(f"{alias}@pools", "--help")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"Usage: {alias} ")


@pytest.mark.parametrize(
    ("alias", "arguments"),
    [
        ("bench-libraries", ["--pools", "HIKARI_BAG", "--profile", "smoke", "--threads", "2", "-f", "1"]),
        ("bench-connections", ["--pools", "HIKARI", "--profile", "smoke", "--objects", "2", "--threads", "2"]),
        ("pool-break", ["LOOKS_OUTSIDE", "--with", "COUNT,LINCHECK", "--seconds", "1"]),
    ],
)
def test_libraries_of_different_javas_live_in_one_jar(web: Run, alias: str, arguments: list[str]) -> None:
    done = web(f"{alias}@pools", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)


def test_a_program_can_be_installed(web: Run, tmp_path_factory: pytest.TempPathFactory) -> None:
    done = web("app", "install", "size-my-pool@pools")
    assert done.returncode == 0, done.stderr
    assert "size-my-pool@pools" in next(tmp_path_factory.getbasetemp().rglob("jbang/bin/size-my-pool")).read_text()


def test_an_exercise_begins_with_a_template(web: Run) -> None:
    assert web("init", "-t", "pool-exercise@pools", "MyPool.java").returncode == 0
    assert web("build", "MyPool.java").returncode == 0
    done = web("pool-check@pools", "MyPool.java", "--borrows", "100")
    assert done.returncode == 1, done.stderr
    assert "checks passed" in done.stdout
