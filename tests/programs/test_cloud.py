"""The files for Binder, dev containers and GitHub: they agree with the rest, and a linter accepts them."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
import yaml
from packaging.specifiers import SpecifierSet

from poolbook.system.paths import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
CLOUD = [*WORKFLOWS, ROOT / ".binder" / "environment.yml", ROOT / ".binder" / "postBuild"]


def packages(file: str) -> dict[str, str]:
    """The packages of an environment, each with its versions."""
    listed = yaml.safe_load((ROOT / file).read_text(encoding="utf-8"))["dependencies"]
    return dict((*one.split(" ", 1), "")[:2] for one in listed if isinstance(one, str))


def test_binder_has_what_the_root_environment_allows() -> None:
    root, binder = packages("environment.yml"), packages(".binder/environment.yml")
    assert set(root) == set(binder)
    for name, allowed in root.items():
        exact = binder[name].lstrip("= ")
        assert not allowed or exact in SpecifierSet(allowed), f"{name} {exact}"
    for file in ("environment.yml", ".binder/environment.yml"):
        listed = yaml.safe_load((ROOT / file).read_text(encoding="utf-8"))
        assert listed["channels"] == ["conda-forge"]
        (pip,) = [one["pip"] for one in listed["dependencies"] if isinstance(one, dict)]
        (requirements,) = pip
        assert (ROOT / file).parent.joinpath(requirements.removeprefix("-r ")).resolve() == ROOT / "requirements.txt"


@pytest.mark.parametrize("file", CLOUD, ids=lambda file: file.name)
def test_it_says_that_timings_there_are_for_practice(file) -> None:
    words = " ".join(file.read_text(encoding="utf-8").replace("#", " ").split())
    assert "imings in the cloud are for practice only" in words


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permission")
def test_binder_can_run_its_script() -> None:
    assert os.access(ROOT / ".binder" / "postBuild", os.X_OK)


def test_the_dev_container_is_sound() -> None:
    file = ROOT / ".devcontainer" / "devcontainer.json"
    container = json.loads(file.read_text(encoding="utf-8"))
    assert container["postCreateCommand"] == "python workbook check"
    assert "for practice only" in container["name"]
    assert container["image"].split(":")[1].startswith("3.12")


def test_a_linter_accepts_the_workflows() -> None:
    lint = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", *WORKFLOWS]
    done = subprocess.run(lint, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_matrix_is_what_the_workbook_promises() -> None:
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8"))["jobs"]
    matrix = jobs["test"]["strategy"]["matrix"]
    assert matrix["java"] == ["17", "21", "25"]
    assert {name.split("-")[0] for name in matrix["os"]} == {"ubuntu", "macos", "windows"}
