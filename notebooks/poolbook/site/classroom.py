"""A class compares what it guessed and what it measured.

``./workbook answer NN`` writes what this machine has to say about a lesson into one small file, and ``./workbook class
FOLDER`` draws all the files of a folder. They travel by stick, by share, or by a hub's common folder; git would carry
names. A file has a random id, and no name, host or path.
"""

from __future__ import annotations

import json
import secrets
import sys
import warnings
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from poolbook.cells.charts.look import GREY, figures, finish, literal, plain
from poolbook.cells.lesson import java_here
from poolbook.cells.predictions import MOST, predictions
from poolbook.system import files, strangers, tasks
from poolbook.system.machine import machine, processors
from poolbook.system.paths import BUILD, MY
from poolbook.system.strangers import Refused, clean

FORMAT = 1
LARGEST_BYTES = 100_000
MOST_FILES = 500
MOST_LOOKED_AT = 10 * MOST_FILES  # files that are no answers count for nothing
MOST_SHOWN = 30  # of the lines about files that were left out
MOST_QUESTIONS = 20  # of a file, and of a chart
APART = 1.5  # machines whose results differ by more than this factor from the median are named
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999933", "#882255"]
QUESTION = ["lesson", "question", "unit"]  # in another unit it is another question
COLUMNS = ["id", "lesson", "question", "unit", "guess", "came", "processors", "java", "collector", "cpu"]


TEXT = {"type": "string", "minLength": 1, "maxLength": 200}
NUMBER = {"type": "number", "minimum": -MOST, "maximum": MOST}
SCHEMA = {
    "type": "object",
    "required": ["format_version", "id", "lesson", "processors", "java", "collector", "answers"],
    "properties": {
        "format_version": {"const": FORMAT},
        "id": {"type": "string", "pattern": "^[0-9a-f]{6}$"},
        "lesson": {"type": "string", "pattern": "^[0-9]{2}$"},
        "processors": {"type": "integer", "minimum": 1, "maximum": 10_000},
        **{name: {**TEXT, "type": ["string", "null"]} for name in ("java", "collector", "cpu")},
        "answers": {
            "type": "array",
            "minItems": 1,
            "maxItems": MOST_QUESTIONS,
            "items": {
                "type": "object",
                "required": ["question", "unit", "guess"],
                "properties": {
                    **dict.fromkeys(("question", "unit"), TEXT),
                    "guess": NUMBER,
                    "came": {**NUMBER, "type": ["number", "null"]},
                },
            },
        },
    },
}


def own_answer(lesson: str, with_cpu: bool = False) -> dict:
    """What this machine has to say about a lesson: its guesses and results, and the machine in a few words.

    Raises ValueError if the reader has made no guess in that lesson.
    """
    guesses = predictions().query("lesson == @lesson")
    if guesses.empty:
        raise ValueError(
            f"no guess of yours in lesson {lesson}: replace the three dots of a prediction with a number, and run that"
            " cell"
        )
    java = java_here() or {}
    answers = [
        {
            "question": row.question,
            "unit": row.unit,
            "guess": row.value,
            "came": row.came if row.came == row.came else None,
        }
        for row in guesses.itertuples()
    ]
    return {
        "format_version": FORMAT,
        "id": secrets.token_hex(3),
        "lesson": lesson,
        "processors": processors(),
        "java": java.get("version"),
        "collector": java.get("collector"),
        "cpu": machine()["cpu_model"] if with_cpu else None,
        "answers": answers,
    }


def read_answer(file: Path) -> dict:
    """The content of an answer's file, its texts cleaned. Raises `poolbook.system.strangers.Refused`."""
    return strangers.parsed(strangers.read(file, LARGEST_BYTES), SCHEMA)


def gathered(folder: Path) -> tuple[pd.DataFrame, list[str]]:
    """All answers of a folder, a row per machine and question (`COLUMNS`), and a line for each file that is none."""
    every = sorted(folder.glob("*.json"))
    by_id: dict[tuple[str, str], list[tuple[str, dict]]] = {}
    answers, refused = [], []
    for file in every[:MOST_LOOKED_AT]:
        try:
            answer = read_answer(file)
            by_id.setdefault((answer["id"], answer["lesson"]), []).append((clean(file.name), answer))
        except Refused as problem:
            refused.append(f"{clean(file.name)} was left out: {problem}")
    for found in by_id.values():
        names, contents = zip(*found, strict=True)
        if any(content != contents[0] for content in contents):
            refused.append(f"{', '.join(names)} were left out: they have the same id, but say different things")
        else:
            answers.append(contents[0])
            refused += [f"{name} was left out: a copy of {names[0]}" for name in names[1:]]
    if left := max(len(every) - MOST_LOOKED_AT, 0) + max(len(answers) - MOST_FILES, 0):
        refused.append(f"{left} files were left out: a class has {MOST_FILES} at most")
    rows = []
    for answer in answers[:MOST_FILES]:
        about = {name: answer.get(name) for name in COLUMNS if name in answer}
        rows += [
            about | {name: one.get(name) for name in ("question", "unit", "guess", "came")}
            for one in {(one["question"], one["unit"]): one for one in answer["answers"]}.values()  # once each
        ]
    frame = pd.DataFrame(rows, columns=COLUMNS)
    return frame.astype({"guess": float, "came": float}), refused


def kind(row: pd.Series) -> str:
    """What may explain a difference, in words: processors, Java, collector."""
    java = "no Java" if pd.isna(row["java"]) else row["java"].split(".")[0]
    collector = "unknown collector" if pd.isna(row["collector"]) else row["collector"]
    count = f"{row['processors']} processor{'s' * (row['processors'] != 1)}"
    return f"{count}, Java {java}, {collector}"


def report(answers: pd.DataFrame) -> str:
    """For each question: how many answered, what they guessed and measured, and which machines differ from the rest."""
    lines = []
    for (lesson, question, unit), rows in answers.groupby(QUESTION, sort=False):
        came = rows["came"].dropna()
        lines.append(f"{lesson}  {question} ({unit})")
        lines.append(f"    {len(rows)} guess{'es' * (len(rows) != 1)}, the median is {figures(rows['guess'].median())}")
        if came.empty:
            lines.append("    nobody has measured it yet")
            continue
        middle = came.median()
        span = f"from {figures(came.min())} to {figures(came.max())}"
        lines.append(f"    {len(came)} result{'s' * (len(came) != 1)} {span}, the median is {figures(middle)}")
        if middle > 0:
            apart = rows[(rows["came"] > APART * middle) | (rows["came"] < middle / APART)]
            for what, some in apart.groupby(apart.apply(kind, axis=1)) if len(apart) else []:
                values = ", ".join(figures(value) for value in sorted(some["came"]))
                lines.append(f"    differs: {values} with {what}")
    return "\n".join(lines)


def chart(answers: pd.DataFrame) -> Figure:
    """A panel per question: a dot per machine, its guess as a ring above it, coloured by the kind of machine.

    Of very many questions, those that most machines have answered.
    """
    questions = list(answers.groupby(QUESTION, sort=False))
    questions = sorted(questions, key=lambda one: -len(one[1]))[:MOST_QUESTIONS]
    kinds = answers.drop_duplicates("id").apply(kind, axis=1).value_counts().index  # the most frequent first
    colours = dict(zip(sorted(kinds[: len(COLOURS)]), COLOURS, strict=False))
    figure, panels = plt.subplots(len(questions), 1, figsize=(8, 0.9 + 1.25 * len(questions)), squeeze=False)
    words = []
    for axes, ((lesson, question, unit), rows) in zip(panels[:, 0], questions, strict=True):
        known = rows[(rows["guess"] > 0) & ((rows["came"] > 0) | rows["came"].isna())]
        aside = np.random.default_rng(1).uniform(-0.2, 0.2, len(known))
        for (_, row), shift in zip(known.iterrows(), aside, strict=True):
            colour = colours.get(kind(row), GREY)
            axes.plot(row["guess"], 1 + shift, "o", markerfacecolor="none", color=colour)
            axes.plot(row["came"], shift, "o", color=colour, alpha=0.8)
        if known["came"].notna().any():
            axes.axvline(known["came"].median(), color=GREY, linewidth=1, linestyle=":")
        axes.set(xscale="log", ylim=(-0.6, 1.6), title=literal(f"{lesson}: {question}"))
        axes.set_xlabel(literal(unit))
        axes.set_yticks([0, 1], ["measured", "guessed"])
        plain(axes.xaxis)
        words.append(f"{question}: median {figures(rows['came'].median())}, guessed {figures(rows['guess'].median())}")
    if len(kinds) > len(COLOURS):
        colours["another kind"] = GREY
    for name, colour in colours.items():
        panels[0, 0].plot([], [], "o", color=colour, label=literal(name))
    panels[0, 0].legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1), fontsize=8)
    sns.despine(figure)
    figure.tight_layout()
    machines = answers["id"].nunique()
    return finish(
        figure,
        f"a dot per machine, {machines} machines; values of 0 or less are left out, as the axis is logarithmic",
        "; ".join(words),
    )


def _agreed(question: str) -> bool:
    """Whether the user says yes in a terminal; Ctrl-D is a no."""
    try:
        return input(question).strip().lower() in ("y", "yes")
    except EOFError:
        print()
        return False


def answer_main(arguments: list[str] | None = None) -> int:
    """``./workbook answer``: exit status 0, or 2 if there is nothing to write or it was not confirmed."""
    parser = tasks.parser("answer")
    options = parser.parse_args(arguments)
    if not options.lesson.isdecimal():
        parser.error(f"a lesson is a number such as 03, not {options.lesson!r}")
    try:
        content = own_answer(options.lesson.zfill(2), options.cpu)
    except ValueError as problem:
        parser.error(str(problem))
    if options.to is not None and not options.to.is_dir():
        parser.error(f"there is no folder {options.to}")
    text = json.dumps(content, indent=1) + "\n"
    print(text.rstrip())
    if options.to is not None and not options.yes:
        if not sys.stdin.isatty():
            parser.error("not confirmed: add --yes to write it without being asked")
        if not _agreed(f"Write this to {options.to}? [y/N] "):
            print("Nothing was written.")
            return 2
    file = (options.to or MY / "answers") / f"{content['lesson']}-{content['id']}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    files.write(file, text)
    print(f"This is all that {file.name} says; it is in {file.parent}.")
    return 0


def class_main(arguments: list[str] | None = None) -> int:
    """``./workbook class``: exit status 0, or 2 if the folder has no answer."""
    parser = tasks.parser("class")
    options = parser.parse_args(arguments)
    if not options.folder.is_dir():
        parser.error(f"there is no folder {options.folder}")
    answers, refused = gathered(options.folder)
    for line in refused[:MOST_SHOWN]:
        print(line, file=sys.stderr)
    if len(refused) > MOST_SHOWN:
        print(f"and {len(refused) - MOST_SHOWN} more", file=sys.stderr)
    if options.lesson is not None:
        answers = answers[answers["lesson"] == options.lesson.zfill(2)]
    if answers.empty:
        parser.error(f"there is no answer in {options.folder}: learners write one with ./workbook answer NN")
    if options.json:
        print(answers.to_json(orient="records"))
        return 0
    print(report(answers))
    for lesson, rows in answers.groupby("lesson"):
        file = BUILD / "class" / f"{lesson}.png"
        file.parent.mkdir(parents=True, exist_ok=True)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing")  # a question may be in any script
            chart(rows).savefig(file, dpi=150, bbox_inches="tight")
        print(f"drawn: {file.relative_to(BUILD.parent)}")
    return 0


def main(arguments: list[str] | None = None) -> int:
    """The two commands, by their first word."""
    task, *rest = sys.argv[1:] if arguments is None else arguments
    return {"answer": answer_main, "class": class_main}[task](rest)


if __name__ == "__main__":
    sys.exit(main())
