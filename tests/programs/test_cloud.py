"""The files for GitHub, Binder, dev containers, Docker and Renovate: they agree, and linters accept them."""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from packaging.specifiers import SpecifierSet

from poolbook.record.experiments import EXPERIMENTS
from poolbook.system.address import Address
from poolbook.system.paths import JAVA, ROOT
from poolbook.system.setup import JBANG, Workbook
from poolbook.system.tasks import TASKS
from poolbook.upkeep import repository

GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
FORMS = sorted(set((GITHUB / "ISSUE_TEMPLATE").glob("*.yml")) - {GITHUB / "ISSUE_TEMPLATE" / "config.yml"})
DEV_CONTAINER = ROOT / ".devcontainer" / "devcontainer.json"
BINDER = sorted((ROOT / ".binder").iterdir())
RENOVATE = json.loads((ROOT / "renovate.json").read_text(encoding="utf-8"))
HERE = Address("duke/pools", "https://duke.example/pools/")


def lint(schema: str, *files: Path) -> None:
    """Fails with what check-jsonschema finds."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, "--default-filetype", "yaml"]
    done = subprocess.run([*command, *files], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def packages(file: str) -> dict[str, str]:
    """The packages of an environment, each with its versions."""
    listed = yaml.safe_load((ROOT / file).read_text(encoding="utf-8"))["dependencies"]
    return dict((*one.split(" ", 1), "")[:2] for one in listed if isinstance(one, str))


def instructions(dockerfile: str) -> list[tuple[str, str]]:
    """The instructions of a Dockerfile, each with its arguments."""
    lines = [line for line in dockerfile.splitlines() if line and not line.startswith("#")]
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in lines)]


def pattern(of_renovate: str) -> re.Pattern[str]:
    """A regular expression of JavaScript, between slashes or not, which names its groups in another way."""
    return re.compile(of_renovate.removeprefix("/").removesuffix("/").replace("(?<", "(?P<"))


@functools.cache
def found_by_renovate() -> set[tuple[str, str, str, str]]:
    """What the custom managers find: the file, the data source, the name and the version."""
    names = [file.relative_to(ROOT).as_posix() for file in checked_in()]
    return {
        (name, manager["datasourceTemplate"], found["depName"], found["currentValue"])
        for manager in RENOVATE["customManagers"]
        for name in names
        if any(pattern(files).search(name) for files in manager["managerFilePatterns"])
        for text in manager["matchStrings"]
        for found in pattern(text).finditer((ROOT / name).read_text(encoding="utf-8"))
    }


def checked_in() -> Iterator[Path]:
    """All files of the checkout that Renovate sees, whether git is here or not."""
    for top in (".github", "book", "java", "notebooks", "tests"):
        yield from (file for file in (ROOT / top).rglob("*.*") if file.is_file() and "__pycache__" not in file.parts)
    yield from (file for file in ROOT.iterdir() if file.is_file())


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


@pytest.mark.parametrize("file", [*WORKFLOWS, *BINDER, DEV_CONTAINER, ROOT / "Dockerfile"], ids=lambda file: file.name)
def test_it_says_that_timings_there_are_for_practice(file: Path) -> None:
    words = " ".join(file.read_text(encoding="utf-8").replace("#", " ").split())
    assert "imings in the cloud are for practice only" in words


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permission")
def test_binder_can_run_its_script() -> None:
    assert os.access(ROOT / ".binder" / "postBuild", os.X_OK)


def test_whoever_is_on_binder_sees_what_fits_there_and_a_workflow_tries_it() -> None:
    """Nobody sees .binder/ in JupyterLab, so the script puts a copy where everybody does."""
    script = (ROOT / ".binder" / "postBuild").read_text(encoding="utf-8")
    source, copy = re.search(r"^cp (\S+) (\S+)", script, re.MULTILINE).groups()
    text = (ROOT / source).read_text(encoding="utf-8")
    assert "/" not in copy and not (ROOT / copy).exists()
    assert [name for name in re.findall(r"`(notebooks/\S+)`", text) if (ROOT / name).is_file()]
    jobs = yaml.safe_load((GITHUB / "workflows" / "weekly.yml").read_text(encoding="utf-8"))["jobs"]
    runs = [step["run"] for step in jobs["binder"]["steps"] if "run" in step]
    assert "Every lesson fits" in text and "two gigabytes" in text
    assert re.search(r"docker run .*--memory 2g .* workbook run --profile smoke$", runs[-1]), "some lessons only"


def test_the_dev_container_is_sound() -> None:
    container = json.loads(DEV_CONTAINER.read_text(encoding="utf-8"))
    assert container["postCreateCommand"] == "python workbook check"
    assert re.fullmatch(r"python:\d+\.\d+\.\d+-\w+", container["image"]), "not a tag of one release"
    python = re.search(r"\d+\.\d+", container["image"])[0]
    assert packages(".binder/environment.yml")["python"] == f"={python}"
    (first,) = container["customizations"]["codespaces"]["openFiles"]
    assert (ROOT / first).is_file() and Path(first).name.startswith("00-")


@pytest.mark.parametrize("schema", ["vendor.github-workflows", "custom.github-workflows-require-timeout"])
def test_a_linter_accepts_the_workflows(schema: str) -> None:
    lint(schema, *WORKFLOWS)


def test_the_matrix_is_what_the_workbook_promises() -> None:
    jobs = yaml.safe_load((GITHUB / "workflows" / "test.yml").read_text(encoding="utf-8"))["jobs"]
    matrix = jobs["test"]["strategy"]["matrix"]
    assert matrix["java"] == ["17", "21", "25"]
    assert {name.split("-")[0] for name in matrix["os"]} == {"ubuntu", "macos", "windows"}


def test_no_workflow_but_the_release_may_write_into_the_repository() -> None:
    may = {file.stem: yaml.safe_load(file.read_text(encoding="utf-8"))["permissions"]["contents"] for file in WORKFLOWS}
    assert may.pop("release") == "write"
    assert set(may.values()) == {"read"}


def test_what_people_and_workflows_are_told_to_run_exists() -> None:
    files = [*WORKFLOWS, *FORMS, GITHUB / "pull_request_template.md", *BINDER, DEV_CONTAINER, ROOT / "Dockerfile"]
    told = {(file.name, words) for file in files for words in commands(file.read_text(encoding="utf-8"))}
    assert {"recording.yml", "release.yml", "weekly.yml", "postBuild"} <= {name for name, _ in told}
    aliases = Workbook(ROOT).aliases()
    for name, (task, *words) in told:
        assert task in TASKS, f"{name}: there is no ./workbook {task}"
        if task == "jbang":
            assert words[0] in aliases, f"{name}: {words[0]}"
        if task == "record":
            assert set(words) <= set(EXPERIMENTS), f"{name}: {words}"


def commands(text: str) -> list[tuple[str, ...]]:
    """Each command of the workbook in a text: its task, and the words up to the first option."""
    found = re.findall(r"(?:\./|python )workbook((?: [a-z][a-z0-9-]*)+)", text)
    return [tuple(words.split()) for words in found]


def test_a_linter_accepts_the_forms_for_issues() -> None:
    assert len(FORMS) >= 3
    lint("vendor.github-issue-forms", *FORMS)


def test_the_form_for_an_object_asks_for_what_the_price_list_holds() -> None:
    form = yaml.safe_load((GITHUB / "ISSUE_TEMPLATE" / "object.yml").read_text(encoding="utf-8"))
    asked = {part["id"] for part in form["body"] if "id" in part} - {"answer", "instead"}
    recipes = tomllib.loads((JAVA / "ask" / "recipes.toml").read_text(encoding="utf-8"))
    assert {"create", "use"} <= asked <= {key for recipe in recipes.values() for key in recipe}


@pytest.mark.parametrize("here", [Address(), HERE, Address(book=HERE.book)], ids=["nowhere", "both", "book"])
def test_the_choices_beside_the_forms_name_the_book_where_there_is_one(here: Address, tmp_path: Path) -> None:
    (file := tmp_path / "config.yml").write_text(repository.choices(here), encoding="utf-8")
    lint("vendor.github-issue-config", file)
    links = yaml.safe_load(file.read_text(encoding="utf-8")).get("contact_links", [])
    assert [link["url"] for link in links] == [here.book] * bool(here.book)


def test_a_linter_accepts_the_citation_with_and_without_an_address_and_a_release(tmp_path: Path) -> None:
    cases = [(here, version) for here in (Address(), HERE) for version in (None, "1.2.0")]
    files = [tmp_path / f"{number}.cff" for number in range(len(cases))]
    for file, case in zip(files, cases, strict=True):
        file.write_text(repository.citation(*case), encoding="utf-8")
        cited = yaml.safe_load(file.read_text(encoding="utf-8"))
        where = {name: cited[name] for name in ("version", "repository-code", "url") if name in cited}
        here, version = case
        wanted = {"version": version, "repository-code": here.web, "url": here.book}
        assert where == {name: value for name, value in wanted.items() if value}
    lint("vendor.citation-file-format", *files)


def test_the_citation_names_the_five_pieces_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    cited = yaml.safe_load(repository.citation(Address(), None))["references"]
    assert len(cited) == 5
    for piece in cited:
        (author,) = piece["authors"]
        line = re.search(rf"^- {author['given-names']} {author['family-names']}, .*", readme, re.MULTILINE)[0]
        assert piece.get("url", "") in line
        assert piece.get("date-published", "")[:4] in line
    assert sum("url" in piece for piece in cited) == 4 and sum("date-published" in piece for piece in cited) == 2


@pytest.mark.parametrize(
    ("changelog", "version"),
    [
        ("# What changed\n\n## Not released yet\n\n- x\n", None),
        ("## Not released yet\n\n## 1.10.0, 3 May 2027\n\n## 1.9.2\n", "1.10.0"),
        ("## 1.1.0, not released yet\n\n- x\n\n## 1.0.0, 3 May 2027\n", "1.0.0"),
        ("## 1.0.0, not released yet\n", None),
        ("Since ## 1.0.0\n### 1.0.0\n", None),
    ],
)
def test_the_version_is_that_of_the_newest_release(changelog: str, version: str | None) -> None:
    assert repository.newest_release(changelog) == version


def test_no_file_has_an_address_while_none_is_set() -> None:
    without, with_one = repository.texts(Address()), repository.texts(HERE)
    assert not [file.name for file, text in without.items() if "duke" in text or "OWNER" in text]
    assert [file.name for file, text in with_one.items() if "duke" in text] == ["CITATION.cff", "config.yml"]


def test_a_linter_accepts_the_settings_of_renovate() -> None:
    lint("vendor.renovate", ROOT / "renovate.json")


def test_renovate_finds_every_library_of_every_java_program() -> None:
    written = set()
    for file in JAVA.rglob("*.java"):
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("//DEPS "):
                group, name, version = line.removeprefix("//DEPS ").split("@")[0].strip().split(":")
                written.add((file.relative_to(ROOT).as_posix(), "maven", f"{group}:{name}", version))
    assert len(written) > 50
    assert {found for found in found_by_renovate() if found[0].startswith("java/")} == written


def test_renovate_finds_jbang_and_the_tools_of_the_workflows() -> None:
    others = {found for found in found_by_renovate() if not found[0].startswith("java/")}
    group, name, *_, version = JBANG.split(":")
    assert ("notebooks/poolbook/system/setup.py", "maven", f"{group}:{name}", version) in others
    installed = {
        (f".github/workflows/{file.name}", "pypi", *what.split("=="))
        for file in WORKFLOWS
        for what in re.findall(r"pip install (?:-\S+ )*(\S+)", file.read_text(encoding="utf-8"))
    }
    assert installed and {found for found in others if found[1] == "pypi"} == installed


def test_renovate_reads_what_people_write_and_not_what_is_compiled_from_it() -> None:
    (ours,) = RENOVATE["pip_requirements"]["managerFilePatterns"]
    names = [file.relative_to(ROOT).as_posix() for file in checked_in()]
    written = [name for name in names if pattern(ours).search(name)]
    assert "requirements.in" in written and "tests/requirements.in" in written
    assert all(name.endswith("requirements.in") for name in written)
    (ignored,) = RENOVATE["ignorePaths"]
    compiled = [name for name in names if f"/{name}".endswith(ignored.removeprefix("**"))]
    assert sorted(name.replace(".txt", ".in") for name in compiled) == sorted(written)


def test_each_rule_of_renovate_is_about_something_that_is_here() -> None:
    here = {name for _, _, name, _ in found_by_renovate()}
    for rule in RENOVATE["packageRules"]:
        for wanted in rule.get("matchPackageNames", []):
            assert any(name == wanted or name.startswith(wanted.removesuffix("*")) for name in here), wanted
        assert rule["description"]


def test_the_image_is_built_from_a_pinned_one_by_somebody_who_is_not_root() -> None:
    container = json.loads(DEV_CONTAINER.read_text(encoding="utf-8"))
    made = instructions(repository.dockerfile(container))
    names = [name for name, _ in made]
    assert set(names) <= {"FROM", "RUN", "WORKDIR", "COPY", "USER", "EXPOSE", "CMD"}
    assert made[0] == ("FROM", container["image"])
    check = made.index(("RUN", container["postCreateCommand"]))
    assert names.index("COPY") < check and names.index("USER") < check
    (user,) = [rest for name, rest in made if name == "USER"]
    assert user not in ("root", "0") and f" {user} " in made[1][1], "it is not made first"
    assert dict(made)["COPY"] == f"--chown={user} . ."
    (port,) = container["forwardPorts"]
    assert dict(made)["EXPOSE"] == str(port)
    assert names[-1] == "CMD" and f"--port={port}" in json.loads(made[-1][1])


def test_docker_leaves_out_what_git_ignores() -> None:
    ignored = repository.dockerignore((ROOT / ".gitignore").read_text(encoding="utf-8")).splitlines()
    wanted = [".git", ".venv", ".workbook", "build", "my", "**/__pycache__", "**/*.class"]
    assert [path for path in wanted if path not in ignored] == []
    rules = [re.escape(path).replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*") for path in ignored[1:]]
    left = [
        file
        for file in checked_in()
        if any(re.match(f"{rule}(?:/|$)", file.relative_to(ROOT).as_posix()) for rule in rules)
    ]
    assert {file.relative_to(ROOT).as_posix() for file in left} <= {"datasets/datapackage.json"}
    assert repository.dockerignore("# words\n\n/build/\n*.class\n/a/b.json\n").splitlines()[1:] == [
        ".git",
        "build",
        "**/*.class",
        "a/b.json",
    ]


@pytest.mark.skipif(not (ROOT / ".venv" / "bin" / "jupyter").exists(), reason="another environment is active")
def test_what_the_image_runs_serves_lesson_00_and_the_java_kernel() -> None:
    """The image's own command, here, at another port."""
    command = json.loads(dict(instructions((ROOT / "Dockerfile").read_text(encoding="utf-8")))["CMD"])
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    changed = [f"--port={port}" if word.startswith("--port") else word for word in command]
    changed = ["--ip=127.0.0.1" if word.startswith("--ip") else word for word in changed]
    options = ["--ServerApp.port_retries=0", "--allow-root", "--IdentityProvider.token=secret"]
    (first,) = [word.partition("=/lab/tree/")[2] for word in command if "default_url" in word]
    with subprocess.Popen([*changed, *options], cwd=ROOT, stderr=subprocess.DEVNULL) as server:
        try:
            kernels = json.loads(fetched(f"http://127.0.0.1:{port}/api/kernelspecs?token=secret", server))
            lesson = json.loads(fetched(f"http://127.0.0.1:{port}/api/contents/{first}?content=0&token=secret", server))
        finally:
            server.terminate()
    assert "java" in kernels["kernelspecs"]
    assert lesson["type"] == "notebook"


def fetched(address: str, server: subprocess.Popen) -> bytes:
    """An answer of a server that has just been started."""
    for _ in range(300):
        try:
            return urllib.request.urlopen(address, timeout=10).read()
        except urllib.error.HTTPError:
            raise
        except OSError:
            assert server.poll() is None, "it has ended"
            time.sleep(0.2)
    raise AssertionError(f"no answer from {address}")


def has_docker() -> bool:
    """Whether there is a Docker that can build: the program alone cannot."""
    docker = shutil.which("docker")
    return bool(docker) and subprocess.run([docker, "info"], capture_output=True).returncode == 0


@pytest.mark.slow
def test_docker_builds_the_image() -> None:
    if not has_docker():
        pytest.skip("no Docker here")
    done = subprocess.run(["docker", "build", "--tag", "object-pool-workbook-test", "."], cwd=ROOT)
    assert done.returncode == 0
    ask = ["docker", "run", "--rm", "object-pool-workbook-test", "python", "workbook", "check"]
    again = subprocess.run(ask, capture_output=True, text=True)
    assert again.returncode == 0 and "FIX" not in again.stdout, again.stdout + again.stderr
