"""Keep the reader's guesses for the charts and the last lesson; java/notebook/Predict.java writes the same file."""

from __future__ import annotations

import datetime
import json
import math
import numbers
import os
from pathlib import Path

import pandas as pd

from poolbook.system.paths import BUILD, MY

MOST = 10**15
COLUMNS = ["lesson", "question", "value", "unit", "time"]


def predict(lesson: str, question: str, value: object, unit: str) -> None:
    """Keep a guess; the last one for a question counts. Three dots mean "no guess" and never stop a lesson.

    Raises ValueError for anything but a number or three dots.

    >>> predict("00", "wrong dates", ..., "of 100,000 parses")
    No guess yet: put a number in the place of the dots.
    """
    if value is ... or value is None:
        print("No guess yet: put a number in the place of the dots.")
        return
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise ValueError(f"a prediction is a number ({unit}), not {value!r}")
    if not -MOST <= value <= MOST:  # nor NaN, which is in no range
        raise ValueError(f"a prediction is a number from {-MOST:,} to {MOST:,} ({unit}), not {value!r}")
    value = int(value) if isinstance(value, numbers.Integral) else float(value)  # not numpy's
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    _keep(dict(zip(COLUMNS, (lesson, question, value, unit, now), strict=True)))
    print(f"Kept: {value:,} {unit}. Now let us see.")


def result(lesson: str, question: str, came: float) -> None:
    """Keep the result with its guess; does nothing without a guess or with a result that is no such number."""
    if prediction(lesson, question) is not None and -MOST <= came <= MOST:
        _keep({"lesson": lesson, "question": question, "came": came})


def prediction(lesson: str, question: str) -> float | None:
    """The guess for one question, or None."""
    return next((g["value"] for g in _read() if (g["lesson"], g["question"]) == (lesson, question)), None)


def predictions() -> pd.DataFrame:
    """The last guess for each question: lesson, question, value, unit, time (UTC), and came, the result."""
    return pd.DataFrame(_read(), columns=[*COLUMNS, "came"])


def _file() -> Path:
    """The reader's file, one guess per line; a run of all notebooks by the workbook does not touch it."""
    return (BUILD if os.environ.get("WORKBOOK_RUNNING") else MY) / "predictions.jsonl"


def _keep(line: dict) -> None:
    _file().parent.mkdir(parents=True, exist_ok=True)
    with _file().open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def _read() -> list[dict]:
    guesses: dict[tuple[str, str], dict] = {}
    text = _file().read_text(encoding="utf-8", errors="replace") if _file().exists() else ""
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            kept = json.loads(line)
            question = (kept["lesson"], kept["question"])
            if "came" in kept:
                guesses[question]["came"] = float(kept["came"])
            else:
                guesses[question] = {column: kept[column] for column in COLUMNS} | {"came": math.nan}
        except (ValueError, KeyError, TypeError, RecursionError):
            print(f"{_file().name}, line {number} is not a prediction and was skipped")
    return list(guesses.values())
