"""environment.yml and requirements.txt say the same, and every system can install it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from poolbook.system.paths import ROOT
from poolbook.system.steps import uv_settings

ENVIRONMENT = (ROOT / "environment.yml").read_text(encoding="utf-8")
REQUIREMENTS = (ROOT / "requirements.txt").read_text(encoding="utf-8")
WANTED = (ROOT / "requirements.in").read_text(encoding="utf-8")
EXTRAS = [
    "book",
    "tests",
    "tests/browser",
    "notebooks/poolbook/record/cluster",
]  # folders with requirements of their own, for one task
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
SYSTEMS = [
    "x86_64-manylinux_2_28",
    "aarch64-manylinux_2_28",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-msvc",
]


def requirements(text: str) -> dict[str, list[Requirement]]:
    """Name -> its lines (a package may have one line a system), without hashes and comments."""
    found: dict[str, list[Requirement]] = {}
    for line in text.splitlines():
        line = line.split("#")[0].rstrip(" \\")
        if line and line[0].isalnum():
            need = Requirement(line)
            found.setdefault(need.name.lower(), []).append(need)
    return found


def disagreements(environment: str, pinned_text: str, wanted_text: str) -> list[str]:
    """The differences between environment.yml, requirements.txt and requirements.in, one line each."""
    found = []
    conda = [entry for entry in yaml.safe_load(environment)["dependencies"] if isinstance(entry, str)]
    pip = [entry["pip"] for entry in yaml.safe_load(environment)["dependencies"] if isinstance(entry, dict)]
    if pip != [["-r requirements.txt"]]:
        found.append(f"pip must install -r requirements.txt and nothing else, not {pip}")
    names = {re.match(r"[a-z0-9-]+", entry)[0]: entry for entry in conda}
    pinned, wanted = requirements(pinned_text), requirements(wanted_text)
    found += [f"{name} comes from conda and from pip" for name in names if name in pinned and name != "pip"]
    if set(names) != {"python", "openjdk", "pip"}:
        found.append(f"conda gives python, openjdk and pip, not {', '.join(sorted(names))}")
    versions = SpecifierSet(names.get("python", "python").removeprefix("python").strip())
    found += [f"python {version} is left out" for version in PYTHONS if Version(version) not in versions]
    found += [f"python {version} was never resolved" for version in ("3.10", "3.15") if Version(version) in versions]
    for name, lines in wanted.items():
        for need in lines:
            fits = [pin for pin in pinned.get(name, []) if need.specifier.contains(_version(pin), prereleases=True)]
            if not fits:
                found.append(f"requirements.txt has no {need}")
    return found


def _version(pin: Requirement) -> str:
    (exact,) = pin.specifier
    assert exact.operator == "==", f"{pin} is not pinned"
    return exact.version


def test_they_say_the_same() -> None:
    assert disagreements(ENVIRONMENT, REQUIREMENTS, WANTED) == []


@pytest.mark.parametrize(
    ("file", "there", "instead", "said"),
    [
        ("environment", "-r requirements.txt", "pandas==3.0.0", "pip must install -r requirements.txt"),
        ("environment", "- pip  ", "- pandas >=3\n  - pip  ", "pandas comes from conda and from pip"),
        ("environment", ">=3.11,<3.15", ">=3.12,<3.15", "python 3.11 is left out"),
        ("environment", ">=3.11,<3.15", ">=3.11", "python 3.15 was never resolved"),
        ("environment", "- openjdk", "- nodejs", "conda gives python, openjdk and pip"),
        ("pinned", "pandas==3", "pandas==2", "requirements.txt has no pandas"),
        ("wanted", "seaborn>=0.13,<0.14", "seaborn>=0.14", "requirements.txt has no seaborn"),
        ("wanted", "tqdm ", "tqdm-not-there ", "requirements.txt has no tqdm-not-there"),
    ],
)
def test_a_disagreement_is_found(file: str, there: str, instead: str, said: str) -> None:
    texts = {"environment": ENVIRONMENT, "pinned": REQUIREMENTS, "wanted": WANTED}
    assert there in texts[file]
    texts[file] = texts[file].replace(there, instead)
    assert any(said in line for line in disagreements(*texts.values()))


def test_every_line_of_environment_yml_has_its_reason() -> None:
    lines = ENVIRONMENT[ENVIRONMENT.index("channels:") :].splitlines()
    for line in lines:
        if line.strip().startswith("- ") and not line.rstrip().endswith(":"):
            assert re.search(r" # \w", line), line


@pytest.mark.parametrize("folder", [".", *EXTRAS])
def test_every_package_that_is_asked_for_has_its_reason(folder: str) -> None:
    for line in (ROOT / folder / "requirements.in").read_text(encoding="utf-8").splitlines():
        if line and line[0].isalnum() and ";" not in line:
            assert re.search(r"# \w", line), line


@pytest.mark.parametrize(("folder", "fewest"), [(".", 50), *((folder, 3) for folder in EXTRAS)])
def test_every_package_is_pinned_by_hash(folder: str, fewest: int) -> None:
    entries = re.split(r"\n(?=[a-z0-9])", (ROOT / folder / "requirements.txt").read_text(encoding="utf-8"))
    assert len(entries) >= fewest
    for entry in entries:
        assert re.match(r"[\w.-]+(\[[\w,]+\])?==\S+", entry), entry[:80]
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry[:80]


@pytest.mark.parametrize("folder", EXTRAS)
def test_what_one_task_needs_has_the_versions_of_the_workbook(folder: str) -> None:
    """Its packages are imported beside those of the workbook."""
    ours = requirements(REQUIREMENTS)
    extra = (ROOT / folder / "requirements.txt").read_text(encoding="utf-8")
    for name, pins in requirements(extra).items():
        if name in ours:
            assert {_version(pin) for pin in pins} <= {_version(pin) for pin in ours[name]}, name
    for name in requirements((ROOT / folder / "requirements.in").read_text(encoding="utf-8")):
        assert name in requirements(extra), name


@pytest.mark.parametrize("system", SYSTEMS)
def test_wheels_are_there_for(system: str, tmp_path: Path) -> None:
    """For each Python, all packages can be installed there without a compiler."""
    names = tmp_path / "requirements.in"
    pins = dict.fromkeys(re.findall(r"^[a-z0-9].*?==[^\\\n]*", REQUIREMENTS, re.MULTILINE))
    names.write_text("\n".join(pins), encoding="utf-8")
    for version in PYTHONS:
        target = ["--python-platform", system, "--python-version", version, str(names)]
        # What an earlier call has fetched is enough for the next, and asking again takes long.
        done = resolve("--offline", *target)
        done = done if done.returncode == 0 else resolve(*target)
        assert done.returncode == 0, f"Python {version}: {done.stderr}"


def resolve(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--no-deps", "--only-binary", ":all:"]
    settings = {**os.environ, **uv_settings()}
    return subprocess.run([*command, *options], env=settings, capture_output=True, text=True, timeout=300)
