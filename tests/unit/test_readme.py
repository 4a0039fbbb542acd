"""What a stranger reads first: its length, and its addresses, with a setting and without one."""

from __future__ import annotations

import re
import shlex

import pytest

from poolbook.record.experiments import aliases
from poolbook.system import tasks
from poolbook.system.address import Address
from poolbook.system.paths import ROOT
from poolbook.upkeep import readme
from poolbook.upkeep.published import EXERCISES

SET = Address("duke/pools", "https://duke.example/pools/")
TEXTS = ("README.md", "java/README.md", "CONTRIBUTING.md", "TEACHING.md", "datasets/README.md")
LONGEST = 120


@pytest.fixture(scope="module")
def texts() -> dict[Address, dict[str, str]]:
    """The texts of each file, with and without an address."""
    made = {}
    for here in (Address(), SET):
        generated = {file.relative_to(ROOT).as_posix(): text for file, text in readme.texts(here).items()}
        made[here] = {name: generated.get(name) or (ROOT / name).read_text(encoding="utf-8") for name in TEXTS}
    return made


@pytest.mark.parametrize("here", [Address(), SET])
def test_readme_fits_on_few_screens(texts: dict, here: Address) -> None:
    assert len(texts[here]["README.md"].splitlines()) <= LONGEST


@pytest.mark.parametrize("name", TEXTS)
def test_without_an_address_nothing_stands_for_one(texts: dict, name: str) -> None:
    assert not re.search(r"OWNER|URL-OF|[/@]None|\[!\[|git clone [-h]|@duke", texts[Address()][name])


def test_with_an_address_each_place_has_it(texts: dict) -> None:
    said = texts[SET]
    first = said["README.md"].split("## Where to start")[0]
    assert "git clone --depth 1 https://github.com/duke/pools object-pool-workbook\ncd object-pool-workbook\n" in first
    assert first.count("[![") == 5 and "https://duke.example/pools/" in first
    assert "`jbang should-i-pool@duke/pools --create" in first
    for line in ("jbang trust add https://github.com/duke/pools/", "app install should-i-pool@pools"):
        assert line in said["java/README.md"]


def test_the_first_screen_says_what_it_is_for_whom_and_what_to_run(texts: dict) -> None:
    """A sentence, a picture of a round with a guess, a line to run with its answer, and how to decide."""
    first = texts[Address()]["README.md"].split("\n## ")[0]
    assert first.index("anyone who reads Java") < first.index("01-warm.png") < first.index("01-guess.png")
    assert re.search(r"you guessed \S+, it was \S+", first)
    asked = first.index("$ ./workbook jbang should-i-pool")
    assert first.index("01-guess.png") < asked < first.index("Not checked:") < first.index("12-decide.png")


@pytest.mark.parametrize("name", TEXTS)
def test_each_link_to_a_file_leads_to_one(texts: dict, name: str) -> None:
    for here in texts:
        for link in re.findall(r"\]\(([^)#]+)[^)]*\)", texts[here][name]):
            if not re.match(r"\w+:", link):
                assert ((ROOT / name).parent / link).exists(), link


def test_each_template_exists(texts: dict) -> None:
    named = re.findall(r"init -t (\S+)@pools", texts[SET]["java/README.md"])
    assert named and set(named) <= EXERCISES.keys()


def commands(text: str) -> list[list[str]]:
    """The commands of a text, from its code: the words of each that begins with ./workbook or jbang."""
    blocks = re.findall(r"^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    lines += re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))
    found = []
    for line in lines:
        line = re.sub(r"^(\$ |git \S+ .*&& )", "", line.strip())
        if line.startswith(("./workbook", "jbang ")) and "..." not in line:
            found.append(shlex.split(line, comments=True))
    return found


def java_options() -> set[str]:
    """The options of all Java programs."""
    sources = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "java").rglob("*.java"))
    return set(re.findall(r'"(--[a-z0-9-]+)"', sources))


@pytest.mark.parametrize("name", TEXTS)
def test_each_command_exists_and_takes_its_options(texts: dict, name: str) -> None:
    known, former, options = aliases(), {"check", "race", "break", "feed", "strings"}, java_options()
    for here in texts:
        for words in commands(texts[here][name]):
            if words[0] == "./workbook" and len(words) > 1 and words[1] != "jbang":
                task, *rest = words[1:]
                assert task in tasks.TASKS or task.startswith("--"), words
                if task in tasks.TASKS and not tasks.TASKS[task].passes:
                    tasks.parser(task).parse_args(rest)  # which ends the test if it takes no such words
            elif len(words) > 2 - (words[0] == "jbang") and words[1] not in ("trust", "catalog", "app", "init"):
                program = words[2 if words[0] == "./workbook" else 1 :]
                if program[0].startswith("-") or program[0].endswith(".java"):  # for JBang itself
                    continue
                alias = program[0].split("@")[0]
                assert alias in known.keys() | former or alias.isupper(), words
                assert {word for word in program if word.startswith("--")} <= options | {"--help", "--json"}, words
