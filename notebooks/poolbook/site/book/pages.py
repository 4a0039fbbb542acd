"""The book's other pages: the start, the ledger, the explorer, and the teacher's."""

from __future__ import annotations

import html
import json
import re

import pandas as pd

from poolbook.ledger.claims import JDKS, ledger, summary
from poolbook.lessons.minutes import of_lesson
from poolbook.lessons.notebook import read
from poolbook.site.book import explorer
from poolbook.site.book.lessons import figure
from poolbook.system.paths import ROOT, SOLUTIONS
from poolbook.tables.compare import figures
from poolbook.tables.verdicts import DEPENDS, EQUAL, HOLDS, LARGER, NOT_HERE, REFUTED, REVERSED, SMALLER, UNDECIDED
from poolbook.upkeep import teaching
from poolbook.upkeep.readme import PICTURES, chart

# The three findings of the start page: a question, a table of the explorer, what to select, and what to look for.
SURPRISES = (
    (
        "Is the famous pool the fastest way to parse a date?",
        {"table": "dates", "figure": "ops_per_ms", "each": "jdk", "where": {"threads": "5"}},
        "Look for CLONE, a fresh copy for each parse, and for FORMATTER, one object that all threads share. Where is "
        "POOL?",
        "03-race-new-locked-and-pool",
    ),
    (
        "Which pool lets a thread starve?",
        {"table": "libraries-fairness", "figure": "longest_gap_ms", "each": "jdk", "where": {}},
        "The longest time in which one of the threads got nothing. The pool with the highest throughput of all is "
        "among them.",
        "08-compare-pool-libraries",
    ),
    (
        "How expensive must an object be before a pool pays off?",
        {"table": "break-even-new", "figure": "ops_per_ms", "each": "tokens", "where": {"threads": "2"}, "log": True},
        "Each panel makes an object that costs more than the last. Where does POOL overtake NEW_ESCAPES?",
        "12-decide-when-to-pool",
    ),
)
WORDS = {
    HOLDS: "holds",
    SMALLER: "true, but smaller",
    LARGER: "true, and larger",
    EQUAL: "no difference",
    REFUTED: "refuted",
    REVERSED: "reversed",
    DEPENDS: "depends",
    UNDECIDED: "undecided",
    NOT_HERE: "not testable here",
}


def start(pictures: str) -> str:
    """The first page: what this is, three surprises, how to decide, and all lessons."""
    surprises = "\n\n".join(_surprise(*one) for one in SURPRISES)
    lessons = len(list(_lessons()))
    return f"""\
# What does an object pool really cost?

A pool keeps used objects for the next user. Is that faster than making a new one? It depends on the object, on the
Java version and on the number of threads. This book measures it: {lessons} lessons, each with the Java that was
run, the figures that came out, and a question to guess at first. Every figure was recorded, and you can recompute all
of it.

Three findings that surprise most people. Choose what you want to compare:

{surprises}

## Should you pool it?

{_html(figure(f"_static/{pictures}/12-decide.png", chart("12-decide.png")[1]))}

## Where to go from here

Begin with [lesson 03](lessons/03-race-new-locked-and-pool.ipynb), which races the three strategies of a famous
post. Or look up [what became of each published claim](ledger.md), or [explore every recorded table](explorer.md)
yourself. To run the code on your own machine, take the workbook itself: its README says how.

{_contents()}
"""


def _surprise(question: str, chosen: dict, look: str, lesson: str) -> str:
    settings = html.escape(json.dumps(chosen))
    said = f"### {question}\n\n{look} ([Lesson {lesson[:2]}](lessons/{lesson}.ipynb) explains it.)\n\n"
    return said + _html(f'<div class="live" data-chosen="{settings}"></div>')


def _contents() -> str:
    lessons = "\n".join(f"{title} <lessons/{stem}>" for stem, title, _ in _lessons())
    rows = "\n".join(
        f"| [{title}](lessons/{stem}.ipynb) | {spent.core} | {spent.more or ''} |" for stem, title, spent in _lessons()
    )
    return f"""\
| lesson | minutes | more, if you like |
|---|---|---|
{rows}

```{{toctree}}
:hidden:
:caption: Lessons

{lessons}
```

```{{toctree}}
:hidden:
:caption: Look up

The claims <ledger>
All tables <explorer>
```

```{{toctree}}
:hidden:
:caption: Teach

For teachers <teaching>
```"""


def _lessons():
    for file in sorted(SOLUTIONS.glob("[0-9][0-9]-*.ipynb")):
        book = read(file)
        title = book.cells[0]["source"].splitlines()[0].removeprefix("# ")
        yield file.stem, f"{file.stem[:2]} {title}", of_lesson(book)


def claims() -> str:
    """The page of the ledger: a row per claim, which opens, and a column per Java."""
    rows = ledger()
    heads = "".join(f'<th scope="col"><button type="button">Java {jdk}</button></th>' for jdk in JDKS)
    body = "\n".join(_claim(number, mine) for number, mine in rows.groupby("id"))
    kinds = "".join(f"<option>{word}</option>" for word in WORDS.values())
    return f"""\
# What became of each claim

{summary.headline(rows)} Each claim is a sentence that somebody published. Its rule says what would have to come out for
it to hold; all rules are applied to the recorded tables by one program. Open a claim to see its rule and its figures.

{
        _html(f'''<form class="filter" id="claims-filter">
<label>Search <input type="search" name="words"></label>
<label>Verdict <select name="verdict"><option value="">any</option>{kinds}</select></label>
<output aria-live="polite"></output></form>
<div class="wide" role="region" tabindex="0" aria-label="claims"><table id="claims" class="sortable"><thead><tr>
<th scope="col" aria-sort="ascending"><button type="button">No.</button></th>
<th scope="col"><button type="button">claim</button></th>{heads}</tr></thead>
<tbody>
{body}
</tbody></table></div>''')
    }
"""


def _verdicts(rows: pd.DataFrame) -> str:
    """A cell for each Java."""
    words = rows.set_index("jdk")["verdict"].map(WORDS)
    return "".join(f'<td class="verdict" data-verdict="{words[jdk]}">{words[jdk]}</td>' for jdk in JDKS)


def _claim(number: int, rows: pd.DataFrame) -> str:
    first = rows.iloc[0]
    seen = "".join(f"<li>{_seen(row)}</li>" for row in rows.itertuples())
    about = (
        f"<p><q>{html.escape(first['sentence'])}</q> ({html.escape(first['author'])}, "
        f"<cite>{html.escape(first['title'])}</cite>, {html.escape(str(first['date']))})</p>"
        f"<p>Rule: {html.escape(first['rule'])} (table {html.escape(str(first['experiment']))})</p><ul>{seen}</ul>"
    )
    return (
        f"<tr><td>{number}</td><td><details><summary>{html.escape(first['claim'])}</summary>{about}</details></td>"
        f"{_verdicts(rows)}</tr>"
    )


def _seen(row: object) -> str:
    ratio = "" if pd.isna(row.ratio) else f" {figures(*map(float, (row.ratio, row.low, row.high)))}"
    outlook = f" What would change it: {row.outlook}." if row.outlook else ""
    beside = f" Beside it: {row.beside}." if row.beside else ""
    said = f"Java {row.jdk}: {WORDS[row.verdict]}{ratio}; {row.why}.{beside}{outlook}"
    return html.escape(said.replace("..", "."))


def explore() -> str:
    """The page of the explorer; the script draws the rest."""
    left_out = "\n".join(f"- `{name}`: {why}" for name, why in explorer.LEFT_OUT.items())
    options = "".join(
        f'<option value="{name}"{" selected" if name == "dates" else ""}>{name}</option>'
        for name in map(html.escape, explorer.all_tables())
    )
    return f"""\
# Explore the tables

Every dot is one fork: a fresh JVM that measured one contender in one round. The bar is the mean and its 95% interval.
Choose a table, then what to hold fixed, and one thing to draw a panel for. The verdicts are those that the lessons
print, from the same program.

{_html(f'<form class="filter" id="explorer-table"><label>Table <select name="table">{options}</select></label></form>')}

{_html('<div class="live" id="explorer" data-chosen="{}"></div>')}

Not here:

{left_out}
"""


def teachers() -> str:
    """The teacher's page: TEACHING.md, and how its plans come about."""
    text = (ROOT / "TEACHING.md").read_text(encoding="utf-8")
    text = re.sub(r"<!-- .*? -->\n?", "", text)
    titles = ", ".join(teaching.PLANS)
    return f"{text}\n\nThe plans ({titles}) are computed from the lessons: each states the minutes of its rounds.\n"


def _html(text: str) -> str:
    return f"```{{raw}} html\n{text}\n```"


def images() -> dict[str, bytes]:
    """The pictures of the start page, by file name."""
    return {name: chart(name)[0] for name in PICTURES if name == "12-decide.png"}
