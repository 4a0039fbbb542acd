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
    there = here.repository
    return f"""\
JBang runs them without a clone, from any folder:

{block(f"jbang trust add {here.web}/", f"jbang should-i-pool@{there} {EXAMPLE}")}

`trust add` tells JBang that you trust the code there; without it, JBang asks before it runs anything.

- *As a command of your own*: `jbang app install should-i-pool@{there}` puts `should-i-pool` on your PATH.
- *One version*: `jbang should-i-pool@{there}/v1.0.0` takes that tag, and runs the same code next year.
- *Your own pool*: `jbang init -t pool-exercise@{there} MyPool.java` makes a class with three tasks, and beside it the
  interface that your editor needs. `jbang pool-check@{there} MyPool.java` checks it."""
