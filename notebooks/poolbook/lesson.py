"""What a Python lesson starts with: the machine, the profile, and whether figures are live or recorded."""

from __future__ import annotations

import datetime
import importlib
import io
import json
import os
import re
import subprocess
import time
from pathlib import Path

import pandas as pd
import seaborn as sns
from IPython import get_ipython
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from poolbook import charts, jbang, market
from poolbook.machine import default_collector, processors
from poolbook.paths import WORKBOOK
from poolbook.predictions import predict, prediction, result
from poolbook.profiles import current, profile
from poolbook.recorded import Recording

SMOKE_SECONDS = "0.4"  # instead of what a lesson gives a cell


class Lesson:
    """One lesson on this machine. ``live`` is False where there is no Java: recorded figures then stand in.

    ``label`` names the source of the figures in a chart's panel, ``caption`` describes it under a chart.
    """

    def __init__(self, number: str, java: dict | None, profile_name: str) -> None:
        self.number = number
        self.java = java
        self.profile = profile_name
        self.live = java is not None
        self.label = "live, this machine" if self.live else "recorded (no Java here)"
        smoke = "  |  profile smoke: not to be believed" if profile_name == "smoke" else ""
        today = datetime.date.today().isoformat()
        source = f"this machine: {processors()} processors, Java {java['version']}, {today}" if java else "recorded"
        self.caption = source + smoke

    def run(self, alias: str, *arguments: object, otherwise: Recording | None = None) -> pd.DataFrame:
        """Run an alias here and return its rows, or take the recorded ones where there is no Java.

        Aliases that measure (``bench-...``) are given the lesson's profile. Raises `poolbook.jbang.JavaProblem`.
        """
        if not self.live:
            if otherwise is None:
                raise jbang.JavaProblem("this cell needs Java: run ./workbook check, it says what to do")
            rows = otherwise.frame
            jdk = 17 if (rows["jdk"] == 17).any() else rows["jdk"].max()
            print(f"No Java here: these are recorded figures (Java {jdk}, {otherwise.label}).")
            return rows[rows["jdk"] == jdk]
        if alias.startswith("bench-"):
            arguments = (*arguments, "--profile", self.profile)
        if self.profile == "smoke":
            before = (None, *arguments)
            arguments = [
                SMOKE_SECONDS if was == "--seconds" else it for was, it in zip(before, arguments, strict=False)
            ]
        return jbang.run(alias, *arguments)

    def day(self) -> str:
        """The feed file of this lesson; in smoke, and where there is no Java to read it, the small sample."""
        return market.day() if self.live and self.profile != "smoke" else market.sample()

    def predict(self, question: str, value: object, unit: str) -> None:
        """Keep a guess; three dots are none. Raises ValueError for what is not a number."""
        predict(self.number, question, value, unit)

    def guess(self, question: str, came: float, unit: str, caption: str = "") -> Figure:
        """The guess to a question beside what came: here, unless the caption names another source."""
        guessed = prediction(self.number, question)
        result(self.number, question, float(came))
        return charts.guess(question, unit, guessed, float(came), caption or self.caption)

    @property
    def forks(self) -> int:
        """How many fresh JVMs a contender gets in this profile."""
        return profile(self.profile)["forks"]

    def scaled(self, count: int) -> int:
        """A number of repetitions, or a tenth of it in the profile smoke."""
        return count // 10 if self.profile == "smoke" else count


def start(number: str) -> Lesson:
    """The set-up cell of a Python lesson: say what runs here, and make charts readable for all."""
    java = java_here()
    lesson = Lesson(number, java, current())
    _prepare_charts()
    if java:
        print(f"Java {java['version']} with the {java['collector']} collector, {processors()} processors")
        print(f"Figures are live, profile {lesson.profile}: {lesson.forks} fork{'s' * (lesson.forks > 1)} a contender.")
    else:
        print("No Java found: figures are recorded ones, and the charts say so. (./workbook check helps.)")
    if lesson.profile == "smoke":
        print("The profile smoke only proves that everything runs: do not believe its figures.")
    return lesson


def java_here() -> dict | None:
    """Version and default collector of the workbook's JDK, or None where there is none."""
    home = os.environ.get("WORKBOOK_JAVA_HOME")
    chosen = WORKBOOK / "jdk.json"
    if not home and chosen.exists():
        home = json.loads(chosen.read_text(encoding="utf-8"))["home"]
    java = Path(home or "nowhere") / "bin" / ("java.exe" if os.name == "nt" else "java")
    if not java.exists():
        return None
    asked = subprocess.run([java, "-version"], capture_output=True, text=True)
    version = re.search(r'version "([^"]+)"', asked.stderr)
    return {"version": version[1], "collector": default_collector(java)} if version else None


def time_one_loop(repetitions: int = 20) -> list[float]:
    """Milliseconds of the very same loop, measured again and again.

    >>> len(time_one_loop(3))
    3
    """
    times = []
    for _ in range(repetitions):
        begin = time.perf_counter_ns()
        sum(range(2_000_000))
        times.append((time.perf_counter_ns() - begin) / 1e6)
    return times


def with_ns_per_op(frame: pd.DataFrame | Recording) -> pd.DataFrame:
    """Add ``ns_per_op``: nanoseconds per operation, all threads together, from ``ops_per_ms``."""
    rows = frame.frame if isinstance(frame, Recording) else frame
    return rows.assign(ns_per_op=1_000_000 / rows["ops_per_ms"])


def _prepare_charts() -> None:
    sns.set_theme(context="notebook", style="whitegrid", font_scale=0.85, rc={"figure.dpi": 110})
    shell = get_ipython()
    if shell is not None:
        importlib.import_module("matplotlib_inline.backend_inline")  # registers its own formatter; ours comes after
        shell.display_formatter.formatters["image/png"].for_type(Figure, _png)


def _png(figure: Figure) -> tuple[bytes, dict[str, str]]:
    """The picture and its text for those who cannot see it: the chart's own, or its titles."""
    picture = io.BytesIO()
    figure.savefig(picture, format="png", bbox_inches="tight")
    plt.close(figure)
    titles = "; ".join(f"{axes.get_title()}: {axes.get_ylabel()} against {axes.get_xlabel()}" for axes in figure.axes)
    return picture.getvalue(), {"alt": figure.get_label() or titles}
