"""The experiments that can be recorded, read from datasets/experiments.toml, their only home."""

from __future__ import annotations

import functools
import itertools
import json
import re
import shlex
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

from poolbook.cells import market
from poolbook.system import files
from poolbook.system.paths import DATASETS, ROOT
from poolbook.system.profiles import profile as read_profile

FILE = DATASETS / "experiments.toml"
JDKS = (8, 17, 21, 25)
DAY = (*market.COMMAND, "--out", "day.bin", "--force")


@dataclass(frozen=True)
class Experiment:
    """An experiment: an alias, its arguments, and the further arguments of each cell.

    ``question`` and ``left_out`` tell readers what the experiment asks and what it leaves out. ``jdks`` are its Java
    versions. A program that measures with JMH (``jmh``) is started once per block, on the workbook's own JDK: it forks
    the measured JVMs and keeps each fork on disk. Any other program is started on the measured JDK, and its output is
    the block. ``shuffled`` means that it takes a ``--seed`` for the order of its contenders, and ``--retries`` for
    disturbed ones. ``histograms`` means that it takes a ``--histograms FILE`` for its raw times. ``rounds`` replaces
    the profile's number of forks by a smaller one. With ``day``, the day of market data is made first, in the
    recording's folder.
    """

    alias: str
    question: str = ""
    left_out: str = ""
    arguments: tuple[str, ...] = ()
    cells: tuple[tuple[str, ...], ...] = ((),)
    jdks: tuple[int, ...] = JDKS
    rounds: int | None = None
    shuffled: bool = False
    histograms: bool = False
    day: bool = False

    @property
    def jmh(self) -> bool:
        """Whether the program measures with JMH."""
        return self.alias.startswith("bench-")

    @property
    def main(self) -> str:
        """The Java class of the alias, such as ``dates.BenchDates``."""
        script = PurePosixPath(aliases()[self.alias]["script-ref"]).with_suffix("")
        return ".".join(script.relative_to("java").parts)

    @property
    def before(self) -> tuple[str, ...]:
        """The alias and arguments to run first, if any."""
        return DAY if self.day else ()

    def lengths(self, profile: str) -> list[dict[str, int]]:
        """Of each cell, how many warm-up iterations and measured ones there are, and how long they are.

        Empty for a program that does not measure with JMH: its arguments say what it does.
        """
        figures = read_profile(profile)
        of_profile = {name: figures[name] for name in LENGTHS.values()}
        return [of_profile | _lengths((*self.arguments, *cell)) for cell in self.cells] if self.jmh else []

    def rounds_of(self, profile: str) -> int:
        """The number of rounds in a recording with this profile; a quick one makes no more than its forks."""
        forks = read_profile(profile)["forks"]
        return self.rounds or forks if profile == "publish" else min(self.rounds or forks, forks)


# JMH's options for what a profile says otherwise.
LENGTHS = {"-wi": "warmup_iterations", "-w": "warmup_milliseconds", "-i": "iterations", "-r": "milliseconds"}


def _lengths(words: tuple[str, ...]) -> dict[str, int]:
    """What these options say of warm-up and iterations; the last one wins."""
    return {LENGTHS[option]: _length(value) for option, value in itertools.pairwise(words) if option in LENGTHS}


def _length(value: str) -> int:
    """A count, or a time of JMH, such as 750ms or 3s, in milliseconds."""
    number = int(value.rstrip("ms"))
    return 1000 * number if value.endswith("s") and not value.endswith("ms") else number


@functools.cache
def aliases() -> dict[str, dict]:
    """The aliases of jbang-catalog.json, with their descriptions, without the former names of some."""
    named = json.loads((ROOT / "jbang-catalog.json").read_text(encoding="utf-8"))["aliases"]
    return {alias: facts for alias, facts in named.items() if facts["script-ref"] not in named}


def parse(text: str) -> tuple[dict[str, Experiment], dict[str, list[str]]]:
    """The experiments by name and the quickest arguments by alias. Raises ValueError for a mistake in the file."""
    facts = tomllib.loads(text)
    for part in ("parts", "experiments", "smoke"):
        if not isinstance(facts.get(part), dict):
            raise ValueError(f"the table [{part}] is missing")
        if wrong := [name for name, value in facts[part].items() if part != "experiments" and not _text(value)]:
            raise ValueError(f"{wrong[0]} in [{part}] must be a string")
    experiments = {}
    for name, keys in facts["experiments"].items():
        try:
            experiments[name] = _experiment(name, keys, facts["parts"])
        except KeyError as problem:
            raise ValueError(f"experiment {name}: {{{problem.args[0]}}} is not in [parts]") from None
        except (AttributeError, IndexError, ValueError) as problem:
            raise ValueError(f"experiment {name}: {problem}") from None
    return experiments, {alias: words.split() for alias, words in facts["smoke"].items()}


def _experiment(name: str, keys: dict, parts: dict[str, str]) -> Experiment:
    if not re.fullmatch("[a-z0-9-]+", name):
        raise ValueError("a name may have only lowercase letters, digits and hyphens, because files are named after it")
    for key, value in keys.items() if isinstance(keys, dict) else ():
        if key not in MEANT:
            raise ValueError(f"there is no key {key}; there are {', '.join(MEANT)}")
        wanted, fits = MEANT[key]
        if not fits(value):
            raise ValueError(f"{key} must be {wanted}")
    if not isinstance(keys, dict) or keys.get("alias") not in aliases():
        raise ValueError("alias must be one of jbang-catalog.json")

    def words(text: str) -> tuple[str, ...]:
        return tuple(shlex.split(text.format(**parts)))

    given = {key: tuple(value) if isinstance(value, list) else value for key, value in keys.items()}
    given["arguments"] = words(keys.get("arguments", ""))
    given["cells"] = tuple(map(words, keys.get("cells", [""])))
    return Experiment(**given)


def _text(value: object) -> bool:
    return isinstance(value, str)


def _number(value: object) -> bool:
    return type(value) is int and value > 0


def _list_of(fits: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and bool(value) and all(map(fits, value))


# What each key of an experiment must be, in words and as a check.
MEANT = {
    **dict.fromkeys(("alias", "question", "left_out", "arguments"), ("a string", _text)),
    "cells": ("a list of strings", _list_of(_text)),
    "jdks": ("a list of numbers", _list_of(_number)),
    "rounds": ("a number above 0", _number),
    **dict.fromkeys(("shuffled", "histograms", "day"), ("true or false", lambda value: isinstance(value, bool))),
}
EXPERIMENTS, SMOKE = files.load(FILE, parse)
"""Experiments by name; and by alias the quickest arguments with which it does something."""
