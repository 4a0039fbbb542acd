"""The start of a Python lesson: the machine, the profile, and whether figures are live or recorded."""

from __future__ import annotations

import datetime
import importlib
import io
import json
import math
import os
import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import seaborn as sns
from IPython import get_ipython
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from poolbook.cells import charts, jbang, market
from poolbook.cells.predictions import predict, prediction, result
from poolbook.system import jdks
from poolbook.system.machine import default_collector, processors
from poolbook.system.paths import BUILD, ROOT, WORKBOOK
from poolbook.system.profiles import current, profile
from poolbook.tables.recorded import Recording

MISSING = {
    "there is no PostgreSQL": "No PostgreSQL for this system",
    "no Java 21 or later found": "No Java 21 or later here",
}
"""What programs say that cannot run here, and why recorded figures stand in."""
SMOKE_SECONDS = 0.2  # replaces the lesson's own value
WARM_UP_NANOS = 300_000_000  # until a processor that rested has its usual speed


class Lesson:
    """One lesson on this machine. ``live`` is False without Java; recorded figures are then used instead.

    ``label`` names the source of the figures in a chart's panel; ``caption`` describes it under a chart.
    """

    def __init__(self, number: str, java: dict | None, profile_name: str) -> None:
        self.number = number
        self.java = java
        self.profile = profile_name
        self.live = java is not None
        self.label = "live, this machine" if self.live else "recorded (no Java here)"
        smoke = "  |  smoke profile: do not trust these figures" if profile_name == "smoke" else ""
        today = datetime.date.today().isoformat()
        source = f"this machine: {processors()} processors, Java {java['version']}, {today}" if java else "recorded"
        self.caption = source + smoke

    def run(
        self,
        alias: str,
        *arguments: object,
        timing: Sequence[object] = (),
        seconds: float | None = None,
        otherwise: Recording | None = None,
    ) -> pd.DataFrame:
        """Run an alias here and return its rows, or return the recorded ones if there is no Java.

        Benchmarks get the lesson's profile: ``bench-...``, and an alias that measures for a number of ``seconds``.
        These, and ``timing``, JMH's options for the length of iterations, are the lesson's own; the profile smoke is
        shorter. What needs a PostgreSQL or a later Java is taken from the recorded rows where there is none.
        Raises `jbang.JavaProblem`.
        """
        if not self.live:
            if otherwise is None:
                raise jbang.JavaProblem("this cell needs Java: ./workbook check says what to do")
            return self._recorded("No Java here", otherwise)
        if alias.startswith("bench-") or seconds is not None:
            arguments = (*arguments, "--profile", self.profile)
        if self.profile != "smoke":
            arguments = (*arguments, *timing)
        if seconds is not None:
            arguments = (*arguments, "--seconds", SMOKE_SECONDS if self.profile == "smoke" else seconds)
        try:
            return jbang.run(alias, *arguments)
        except jbang.JavaProblem as problem:
            why = next((why for said, why in MISSING.items() if said in str(problem)), None)
            if otherwise is None or why is None:
                raise
            return self._recorded(why, otherwise)

    @staticmethod
    def _recorded(why: str, otherwise: Recording) -> pd.DataFrame:
        """The recorded rows of one Java, and a line that says so."""
        rows = otherwise.frame
        jdk = 17 if (rows["jdk"] == 17).any() else rows["jdk"].max()
        print(f"{why}: these are recorded figures (Java {jdk}, {otherwise.label}).")
        return rows[rows["jdk"] == jdk]

    def run_on(self, versions: Sequence[int], alias: str, *arguments: object, otherwise: Recording) -> pd.DataFrame:
        """Run an alias on several Javas, which are downloaded if they are missing, and return its rows.

        Where one cannot be had, its recorded rows stand in, and a line says so. Raises `JavaProblem`.
        """
        there, parts = [], []
        for version in versions:
            try:
                if not self.live:
                    raise jdks.NoJdk("there is no Java here")
                jdks.find([version])
                there.append(version)
            except jdks.NoJdk as problem:
                print(f"Java {version}: figures {otherwise.label}, because {problem}.")
                parts.append(otherwise.frame[otherwise.frame["jdk"] == version])
        if there:
            parts.insert(0, self.run(alias, *arguments, "--jdk", ",".join(map(str, there))))
        return pd.concat(parts, ignore_index=True)

    def new_folder(self, name: str) -> Path:
        """An empty folder below build/, relative to the workbook's folder, where all programs run; an old one goes."""
        folder = BUILD / "lessons" / self.number / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder.relative_to(ROOT)

    def day(self) -> str:
        """The feed file of this lesson; the small sample in the profile smoke and without Java."""
        return market.day() if self.live and self.profile != "smoke" else market.sample()

    def predict(self, question: str, value: object, unit: str) -> None:
        """Keep a guess; three dots mean none. Raises ValueError for anything else that is not a number."""
        predict(self.number, question, value, unit)

    def guess(self, question: str, came: float, unit: str, caption: str = "") -> Figure | None:
        """A chart of the guess and the result, measured here unless the caption names another source.

        Without a guess, one line and no chart.
        """
        guessed = prediction(self.number, question)
        result(self.number, question, float(came))
        if guessed is None:
            print(f"{question}: {f'{came:,.4g} {unit}' if math.isfinite(came) else 'could not be measured'}")
            return None
        return charts.guess(question, unit, guessed, float(came), caption or self.caption)

    @property
    def forks(self) -> int:
        """The number of fresh JVMs for each contender in this profile."""
        return profile(self.profile)["forks"]

    def scaled(self, count: int) -> int:
        """A number of repetitions, or a tenth of it in the profile smoke."""
        return count // 10 if self.profile == "smoke" else count


def start(number: str) -> Lesson:
    """The set-up cell of a Python lesson: print what runs here, and give charts alternative text."""
    java = java_here()
    lesson = Lesson(number, java, current())
    _prepare_charts()
    if java:
        print(f"Java {java['version']} with the {java['collector']} collector, {processors()} processors")
        print(
            f"Figures are live, profile {lesson.profile}: {lesson.forks} fork{'s' * (lesson.forks > 1)} per contender."
        )
    else:
        print("No Java found: the figures are recorded ones, and the charts say so. (./workbook check helps.)")
    if lesson.profile == "smoke":
        print("The smoke profile only tests that everything runs: do not trust its figures.")
    return lesson


def java_here() -> dict | None:
    """Version and default collector of the workbook's JDK, or None if there is none."""
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
    """Milliseconds of the same loop, measured again and again, after a moment in which the processor speeds up.

    >>> len(time_one_loop(3))
    3
    """
    times = []
    warm = time.perf_counter_ns() + WARM_UP_NANOS
    while time.perf_counter_ns() < warm:
        sum(range(2_000_000))
    for _ in range(repetitions):
        begin = time.perf_counter_ns()
        sum(range(2_000_000))
        times.append((time.perf_counter_ns() - begin) / 1e6)
    return times


def _prepare_charts() -> None:
    sns.set_theme(context="notebook", style="whitegrid", font_scale=0.85, rc={"figure.dpi": 110})
    shell = get_ipython()
    if shell is not None:
        importlib.import_module("matplotlib_inline.backend_inline")  # registers its own formatter; ours comes after
        shell.display_formatter.formatters["image/png"].for_type(Figure, _png)


def _png(figure: Figure) -> tuple[bytes, dict[str, str]]:
    """The picture and its alternative text: the chart's own, or its titles."""
    picture = io.BytesIO()
    figure.savefig(picture, format="png", bbox_inches="tight")
    plt.close(figure)
    titles = "; ".join(f"{axes.get_title()}: {axes.get_ylabel()} against {axes.get_xlabel()}" for axes in figure.axes)
    return picture.getvalue(), {"alt": figure.get_label() or titles}
