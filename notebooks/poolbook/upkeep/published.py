"""The parts of the texts that need an address. While it is not set, they are empty, or do without it."""

from __future__ import annotations

from poolbook.system.address import Address

EXAMPLE = """--create 'new SimpleDateFormat("yyyy-MM-dd")' --use 'o.parse("2006-11-10")'"""
BADGES = {
    "tests": ("{web}/actions/workflows/test.yml/badge.svg", "{web}/actions/workflows/test.yml"),
    "licence: Apache 2.0": ("https://img.shields.io/badge/licence-Apache%202.0-blue.svg", "{web}/blob/main/LICENSE"),
    "open in Binder": (
        "https://mybinder.org/badge_logo.svg",
        "https://mybinder.org/v2/gh/{repository}/main?urlpath=lab",
    ),
    "open in Codespaces": ("https://github.com/codespaces/badge.svg", "https://codespaces.new/{repository}"),
}
EXERCISES = {
    "pool-exercise": ("02", "MyPool.java: three tasks on a pool for many threads, as in lesson 02"),
    "pool-exercise-one-thread": ("04", "MyPool.java: three tasks on a pool for one thread, as in lesson 04"),
    "pool-exercise-strings": ("06", "MyPool.java: three tasks on a table of Strings, as in lesson 06"),
    "pool-exercise-timeout": ("timeout", "MyPool.java: a borrow that gives up in time"),
    "pool-exercise-partitioned": ("partitioned", "MyPool.java: a pool in four parts"),
    "pool-exercise-leak-detecting": (
        "leak-detecting",
        "MyPool.java: a pool that shows which line borrowed what was never released",
    ),
    "pool-exercise-virtual": ("virtual", "MyPool.java: a pool for ten thousand virtual threads"),
    "pool-benchmark": ("benchmark", "MyBenchmark.java: a JMH benchmark of your own object, new and pooled"),
    "turn-pool": ("", "TurnPool.java: a fast and fair pool for your program, in one file that needs no other"),
}
"""The templates of a release: the folder of the exercise, if it is one, and what it is."""
BOOK = {"read the book": ("https://img.shields.io/badge/book-read%20it-009e73.svg", "{book}")}


def badges(here: Address) -> str:
    """A badge for each service that knows the repository, and one for the book."""
    shown = (BADGES if here.repository else {}) | (BOOK if here.book else {})
    facts = {"web": here.web, "repository": here.repository, "book": here.book}
    return " ".join(
        f"[![{words}]({picture.format(**facts)})]({link.format(**facts)})" for words, (picture, link) in shown.items()
    )


def block(*lines: str) -> str:
    """Lines as code in Markdown."""
    return "\n".join(["```", *lines, "```"])


def set_up(here: Address) -> str:
    """The two commands, and how the folder gets here."""
    clone = [f"git clone --depth 1 {here.web} object-pool-workbook", "cd object-pool-workbook"] if here.web else []
    return block(*clone, "./workbook run", "./workbook test")


def without_a_clone(here: Address) -> str:
    """For somebody who has JBang, on the first screen."""
    if not here.repository:
        return ""
    line = f"jbang should-i-pool@{here.repository} {EXAMPLE}"
    return f"\nWith [JBang](https://www.jbang.dev) you need no clone: `{line}`"


def from_the_web(here: Address) -> str:
    """How JBang runs the programs without a clone, installs one, takes one version, and makes a first file."""
    if not here.repository:
        return ""
    newest = f"{here.web}/releases/latest/download/jbang-catalog.json"
    add = (
        f"jbang trust add {here.web}/",
        f"jbang catalog add --name pools {newest}",
        f"jbang should-i-pool@pools {EXAMPLE}",
    )
    return f"""\
With JBang and no clone, name the catalog of the newest release once, and add `@pools` to each name:

{block(*add)}

`trust add` tells JBang that you trust the code there; without it, JBang asks before it runs anything. All programs
together are one file to fetch. Without a catalog, `jbang should-i-pool@{here.repository}` compiles the newest sources.

- *As a command of your own*: `jbang app install should-i-pool@pools`. It is there in the next shell that you open.
- *One version*: put `releases/download/v1.0.0` in the place of `releases/latest/download`.
- *Your own pool*: `jbang init -t pool-exercise@pools MyPool.java` in an empty folder makes a class with three
  tasks and, beside it, the interfaces that your editor needs. `jbang pool-check@pools MyPool.java` checks it.

{templates()}"""


def templates() -> str:
    """A row per template."""
    rows = [f"| `{name}` | {what} |" for name, (_, what) in EXERCISES.items()]
    return "\n".join(["| template | the file, and what you write |", "|---|---|", *rows])
