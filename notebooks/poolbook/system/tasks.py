"""What ``./workbook`` can do, and what each task takes. The launcher reads it before anything is set up.

Python's standard library only. A task's module parses its arguments with the same parser.
"""

from __future__ import annotations

import argparse
import json
import textwrap
import tomllib
from collections.abc import Callable
from typing import NamedTuple

from poolbook.system.commandline import Parser, path
from poolbook.system.paths import DATASETS, ROOT

SERVERS = "poolbook.record.cluster.servers"
JSON = "print one JSON array of flat objects and nothing else"


class Task(NamedTuple):
    """A task of the workbook."""

    summary: str
    options: Callable[[argparse.ArgumentParser], None]  # adds them
    module: str = ""  # that does it; empty: the launcher
    word: str = ""  # the first argument of the module's ``main``, if it does several tasks
    programs: bool = False  # whether it runs many of the Java programs, so that they are built at once
    passes: bool = False  # whether its arguments are another program's


def _run(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Copies with results are in build/notebooks/."
    parser.add_argument("notebooks", nargs="*", metavar="NOTEBOOK", help="numbers, names or files (default: all)")
    parser.add_argument(
        "--profile",
        choices=["smoke", "teach"],
        default="teach",
        help="smoke: only test that everything works; teach: results to learn from (default: teach)",
    )
    parser.add_argument("--solutions", action="store_true", help="run the worked edition, with the exercises solved")
    parser.add_argument("--in-place", action="store_true", help="keep the results in the worked edition itself")


def _lab(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Your copies are in my/."
    parser.add_argument("--port", type=int, default=8888, metavar="N", help="the server's port (default: 8888)")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")


def _book(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "The book is in build/book/ and needs no server."


def _check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--from",
        dest="place",
        metavar="FOLDER|URL",
        help="set up from what `./workbook bundle` has made, and fetch nothing else",
    )


def _test(parser: argparse.ArgumentParser) -> None:
    parser.usage = "./workbook test [FILE...] [OPTION...]"
    parser.epilog = """All arguments are pytest's, such as:

  FILE                    only the tests of a file
  -k WORDS                only tests with these words in their names
  -m 'slow or not slow'   the slow ones, too
  -n 0                    one test after the other
  -x                      stop at the first failure"""


def _jbang(parser: argparse.ArgumentParser) -> None:
    parser.usage = "./workbook jbang ALIAS|FILE|COMMAND [ARGUMENT...]"
    aliases = json.loads((ROOT / "jbang-catalog.json").read_text(encoding="utf-8"))["aliases"]
    width = max(map(len, aliases))
    indent = " " * (width + 4)
    lines = [
        textwrap.fill(f"  {name:{width}}  {about['description']}", 110, subsequent_indent=indent)
        for name, about in aliases.items()
    ]
    parser.epilog = "\n".join(
        ["FILE is a Java file, COMMAND one of JBang's, such as `jdk list`. ALIAS [--help]:", "", *lines]
    )


def _record(parser: argparse.ArgumentParser) -> None:
    names = tomllib.loads((DATASETS / "experiments.toml").read_text(encoding="utf-8"))["experiments"]
    parser.usage = "./workbook record EXPERIMENT... [OPTION...] | --plan CLAIM..."
    parser.epilog = "A recording that was stopped resumes where it stopped."
    parser.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help=", ".join(names))
    parser.add_argument(
        "--plan",
        type=int,
        nargs="+",
        metavar="CLAIM",
        help="record nothing; say what it would take to decide these claims of the ledger",
    )
    parser.add_argument("--jdks", metavar="8,17,...", help="versions of Java (default: each experiment's own)")
    parser.add_argument(
        "--profile",
        choices=["smoke", "teach", "publish"],
        default="publish",
        help="default: publish; the others write into build/recorded/",
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="for the order of contenders (default: 1)")
    parser.add_argument(
        "--rounds",
        type=int,
        metavar="N",
        help="JVMs for each contender (default: the experiment's, or else the profile's)",
    )
    parser.add_argument(
        "--from-round",
        type=int,
        default=1,
        metavar="N",
        help="go on from this machine's last recording: make only round N and later ones",
    )
    parser.add_argument(
        "--machine", metavar="NAME", help="the folder for the results (default: made from the kind of machine)"
    )
    parser.add_argument("--anew", action="store_true", help="delete this unfinished recording, and start again")
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="record on the machines that have joined it with ./workbook worker ADDRESS",
    )
    parser.add_argument("--tls", type=path, metavar="FOLDER", help="the folder that the scheduler printed")


def _import(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Then it compares the claims on that machine with the reference."
    parser.add_argument("place", type=path, metavar="FILE|FOLDER", help="what measure-here has written")


def _scheduler(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "It runs until Ctrl-C."
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS", help="the address to listen on (default: 127.0.0.1)"
    )
    parser.add_argument("--port", type=int, default=8786, metavar="N", help="the port to listen on (default: 8786)")
    parser.add_argument(
        "--tls", type=path, metavar="FOLDER", help="ca.pem, cert.pem and key.pem (default: made for this run)"
    )


def _worker(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "It runs until Ctrl-C."
    parser.add_argument("address", metavar="ADDRESS", help="the scheduler's, such as tls://127.0.0.1:8786")
    parser.add_argument(
        "--tls", type=path, required=True, metavar="FOLDER", help="the folder that the scheduler printed"
    )


def _ledger(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "The verdicts are decided from datasets/recorded/."
    parser.add_argument(
        "claims", nargs="*", type=int, metavar="N", help="all details of these claims (default: a line for each)"
    )
    parser.add_argument("--goals", action="store_true", help="print what the turn pool was meant to reach, instead")
    parser.add_argument("--json", action="store_true", help=JSON)


def _machines(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=JSON)


def _compare(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Each machine uses its own tables."
    parser.add_argument(
        "machine", type=path, metavar="MACHINE|FOLDER", help="a name from `machines`, or a machine's folder"
    )
    parser.add_argument("claims", nargs="*", type=int, metavar="N", help="show all figures of these claims")
    parser.add_argument("--json", action="store_true", help=JSON)


def _answer(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "It shows the file first; there is no name, host or path in it."
    parser.add_argument("lesson", metavar="NN", help="the lesson's number, such as 03")
    parser.add_argument(
        "--to", type=path, metavar="FOLDER", help="where to put it, such as the class's folder (default: my/answers)"
    )
    parser.add_argument("--cpu", action="store_true", help="name the processor's model, too")
    parser.add_argument("--yes", action="store_true", help="do not ask before writing to another folder")


def _class(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "It prints which machines differ, and draws a chart for each lesson into build/class/."
    parser.add_argument("folder", type=path, metavar="FOLDER", help="where the files of `./workbook answer` are")
    parser.add_argument("--lesson", metavar="NN", help="only this lesson, such as 03")
    parser.add_argument("--json", action="store_true", help=JSON)


def _bundle(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "On each laptop, ./workbook check --from FOLDER|URL sets up from it."
    parser.add_argument(
        "platforms",
        nargs="*",
        metavar="PLATFORM",
        help="linux-x64, linux-arm64, mac-x64, mac-arm64, win-x64 (default: all)",
    )
    parser.add_argument(
        "--python",
        choices=["3.11", "3.12", "3.13", "3.14"],
        default="3.12",
        help="the laptops' Python, as wheels fit only one (default: 3.12)",
    )
    parser.add_argument("--jdk", action="store_true", help="add a JDK for each platform, about 200 MB each")
    parser.add_argument("--to", type=path, metavar="FOLDER", help="the folder to make (default: build/bundle)")


def _release(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "The files are in build/release/. The newest heading of CHANGELOG.md gives the version."


def _upkeep(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--pins", action="store_true", help="fetch all Java libraries anew and pin them by hash")


TASKS = {
    "run": Task("run notebooks on real Java, from top to bottom", _run, "poolbook.lessons.run", programs=True),
    "lab": Task("open JupyterLab on your own copies of the notebooks", _lab),
    "book": Task("make the book: every lesson with its results, for a browser", _book, "poolbook.site.book.build"),
    "check": Task("set everything up and check that each part works", _check),
    "test": Task("run the tests", _test, "poolbook.upkeep.tests", programs=True, passes=True),
    "jbang": Task("run a Java program with JBang", _jbang, passes=True),
    "record": Task("record experiments, on this machine or on many", _record, "poolbook.record.command"),
    "import": Task("add a recording that measure-here made on a machine", _import, "poolbook.record.received"),
    "scheduler": Task("hand out the rounds of recordings to many machines", _scheduler, SERVERS, "scheduler"),
    "worker": Task("measure on this machine what a scheduler hands out", _worker, SERVERS, "worker"),
    "ledger": Task("print the verdict on every published claim", _ledger, "poolbook.ledger.report"),
    "machines": Task("list the machines with recordings", _machines, "poolbook.ledger.machines", word="machines"),
    "compare": Task(
        "compare the claims on another machine with the reference", _compare, "poolbook.ledger.machines", word="compare"
    ),
    "answer": Task(
        "write your guesses and results of a lesson into a file for the class",
        _answer,
        "poolbook.site.classroom",
        "answer",
    ),
    "bundle": Task("make an offline set-up, for a room without a good network", _bundle),
    "release": Task(
        "make a release: one jar with its catalog, templates, the book, the recordings",
        _release,
        "poolbook.site.release",
    ),
    "upkeep": Task(
        "bring everything that is generated up to date, and name the lessons to run again",
        _upkeep,
        "poolbook.upkeep.all",
    ),
    "class": Task(
        "compare the answers of a class, a file for each machine", _class, "poolbook.site.classroom", "class"
    ),
}


def parser(name: str) -> Parser:
    """The parser of a task's arguments."""
    task = TASKS[name]
    made = Parser(
        prog=f"./workbook {name}",
        description=f"{task.summary[0].upper()}{task.summary[1:]}.",
    )
    task.options(made)
    return made


def overview() -> Parser:
    """The parser of the task's name."""
    width = max(map(len, TASKS))
    lines = [f"  {name:{width}}  {task.summary}" for name, task in TASKS.items()]
    return Parser(
        prog="./workbook",
        usage="./workbook TASK [ARGUMENT...]",
        description="\n".join(
            ["Sets up what is missing, then runs a task. On Windows: python workbook TASK.", "", "tasks:", *lines]
        ),
        epilog="Start with `./workbook check`; `./workbook TASK --help` says all that a task takes.",
    )
