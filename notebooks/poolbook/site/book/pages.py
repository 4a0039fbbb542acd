"""The book's other pages: the start, the ledger, the explorer, and the teacher's."""

from __future__ import annotations

import html
import json
import re

import pandas as pd

from poolbook.ledger.claims import JDKS, ledger, summary
from poolbook.ledger.claims.rules import READ
from poolbook.lessons.minutes import of_lesson
from poolbook.lessons.notebook import read
from poolbook.site.book import explorer
from poolbook.site.book.lessons import figure, issue
from poolbook.system.address import Address
from poolbook.system.paths import ROOT, SOLUTIONS
from poolbook.tables.compare import figures
from poolbook.tables.recorded import published, tables
from poolbook.tables.verdicts import DEPENDS, EQUAL, HOLDS, LARGER, NOT_HERE, REFUTED, REVERSED, SMALLER, UNDECIDED
from poolbook.upkeep import teaching
from poolbook.upkeep.readme import PICTURES, chart

# The three findings of the start page: a question, a table of the explorer, what to select, and what to look for.
SURPRISES = (
    (
        "Is the famous pool the fastest way to parse a date?",
        {"table": "dates", "figure": "ops_per_ms", "each": "", "where": {"jdk": "25", "threads": "5"}},
        "Look for CLONE, a fresh copy for each parse, and for FORMATTER, one object that all threads share. Where is "
        "POOL?",
        "03-race-new-locked-and-pool",
    ),
    (
        "Which pool lets a thread starve?",
        {"table": "libraries-fairness", "figure": "longest_gap_ms", "each": "", "where": {}},
        "Fifty threads share the objects for three seconds. How long did the unluckiest thread get nothing? Then "
        "choose *throughput* as the figure: is a fast pool a fair one?",
        "08-compare-pool-libraries",
    ),
    (
        "How expensive must an object be before a pool pays off?",
        {
            "table": "break-even-new",
            "figure": "ops_per_ms",
            "each": "tokens",
            "where": {"jdk": "25", "threads": "2"},
            "log": True,
        },
        "Each panel has an object that takes more tokens of work than the last. Where does POOL overtake NEW_ESCAPES?",
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


SEARCH = """\
<form class="bd-search d-flex align-items-center" id="start-search" action="search.html" method="get" role="search">
<i class="fa-solid fa-magnifying-glass"></i>
<input type="search" class="form-control" name="q" aria-label="Search the book" autocomplete="off"
placeholder="Search the book: fairness, escape analysis, HikariCP ..."></form>"""
WIDE = "---\nhtml_theme.sidebar_secondary.remove: true\n---\n\n"  # a page without the contents at its right


def start(pictures: str, here: Address) -> str:
    """The first page: what this is, three surprises, how to decide, and all lessons."""
    surprises = "\n\n".join(_surprise(*one) for one in SURPRISES)
    lessons = len(list(_lessons()))
    workbook = f"[the workbook itself]({here.web})" if here.web else "the workbook itself"
    return f"""\
# What does an object pool really cost?

A pool keeps used objects for the next user. Is that faster than making a new one? It depends on the object, on the
Java version and on the number of threads. This book measures it: {lessons} lessons, each with the Java code, the
figures that it gave, and questions to guess first. Every figure was recorded, and you can record it again.

**New here?** A post of 2006 lent date formats from a pool, because making one for each date was slow. Is that still
worth it? Make a guess, and open [lesson 03](lessons/03-race-new-locked-and-pool.ipynb).

{_html(SEARCH)}

Three findings that surprise most people. Each dot is a measured JVM. Choose what you want to compare:

{surprises}

## Should you pool it?

{_html(figure(f"_static/{pictures}/12-decide.png", chart("12-decide.png")[1]))}

## Where to go from here

Begin with [lesson 03](lessons/03-race-new-locked-and-pool.ipynb), which races the three strategies of a famous
post. Or look up [what became of each published claim](ledger.md), or [explore every recorded table](explorer.md)
yourself. To run the code yourself, get {workbook}; its README says how.

{_contents()}
"""


def _surprise(question: str, chosen: dict, look: str, lesson: str) -> str:
    settings = html.escape(json.dumps(chosen))
    chart = _html(f'<div class="live" data-chosen="{settings}"></div>')
    why = f"**[Guess first, then see why: lesson {lesson[:2]}](lessons/{lesson}.ipynb)**"
    return f"## {question}\n\n{look}\n\n{chart}\n\n{why}"


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


def claims(here: Address) -> str:
    """The page of the ledger: a row per claim, which opens, and a column per Java."""
    rows = ledger()
    heads = "".join(_head(words) for words in ("claim", "author", *(f"Java {jdk}" for jdk in JDKS)))
    body = "\n".join(_claim(number, mine, here) for number, mine in rows.groupby("id"))
    kinds = "".join(f"<option>{word}</option>" for word in WORDS.values())
    return f"""\
{WIDE}# What became of each claim

{summary.headline(rows)} Each claim is a sentence that somebody published. Its rule says which result
makes it hold. One program applies all rules to the recorded tables. Open a claim to see its rule and its figures.

{
        _html(f'''<form class="filter" id="claims-filter">
<label>Filter the claims <input type="text" name="words" placeholder="a word"></label>
<label>Verdict <select name="verdict"><option value="">any</option>{kinds}</select></label>
<output aria-live="polite"></output></form>
<div class="wide" role="region" tabindex="0" aria-label="claims"><table id="claims" class="sortable"><thead><tr>
<th scope="col" aria-sort="ascending"><button type="button">No.</button></th>{heads}</tr></thead>
{body}
</table></div>''')
    }

## What our recordings show that none of the pieces says

{summary.findings_list()}
"""


def _head(words: str) -> str:
    return f'<th scope="col"><button type="button">{words}</button></th>'


def _verdicts(rows: pd.DataFrame) -> str:
    """A cell for each Java."""
    words = rows.set_index("jdk")["verdict"].map(WORDS)
    return "".join(
        f'<td class="verdict" data-java="Java {jdk}" data-verdict="{words[jdk]}"><span>{words[jdk]}</span></td>'
        for jdk in JDKS
    )


def _claim(number: int, rows: pd.DataFrame, here: Address) -> str:
    first = rows.iloc[0]
    author = html.escape(first["author"])
    seen = "".join(f"<li>{_seen(row)}</li>" for row in rows.itertuples())
    wrong = issue(here, f"Claim {number}: ", template="claim.yml", number=number)
    links = [_table_link(table, number) for table in first["experiment"].split()]
    links += [f'<a href="{html.escape(wrong)}">This is wrong</a>'] if wrong else []
    about = (
        f"<p><q>{html.escape(first['sentence'])}</q> ({author}, "
        f"<cite>{html.escape(first['title'])}</cite>, {html.escape(str(first['date']))})</p>"
        f"<p>Rule: {html.escape(first['rule'])}</p><ul>{seen}</ul><p>{' · '.join(links)}</p>"
    )
    return (
        f'<tbody id="claim-{number}"><tr><td>{number}</td>'
        f'<td><button type="button">{html.escape(first["claim"])}</button></td><td>{author}</td>{_verdicts(rows)}</tr>'
        f'<tr class="about"><td></td><td colspan="{len(JDKS) + 2}">{about}</td></tr></tbody>'
    )


def _table_link(table: str, number: int) -> str:
    """A link to a table in the explorer, at the first figure that the rules read of it; its name if it is not there."""
    found = explorer.all_tables().get(table)
    if found is None:
        return f"the table <code>{table}</code>"
    names = [figure["name"] for figure in found["figures"]]
    shown = next((name for name in names if name in READ.get(table, ())), names[0])
    address = html.escape(f"explorer.html?table={table}&figure={shown}&claim={number}")
    return f'<a href="{address}">Explore the table <code>{table}</code></a>'


def _seen(row: object) -> str:
    ratio = "" if pd.isna(row.ratio) else f" {figures(*map(float, (row.ratio, row.low, row.high)))}"
    outlook = f" What would change it: {row.outlook}." if row.outlook else ""
    beside = f" Beside it: {row.beside}." if row.beside else ""
    said = f"Java {row.jdk}: {WORDS[row.verdict]}{ratio}; {row.why}.{beside}{outlook}"
    return html.escape(said.replace("..", "."))


def explore(here: Address) -> str:
    """The page of the explorer; the script draws the rest, and says from which claim one comes."""
    shown = explorer.all_tables()
    alone = "it has one case only, so there is nothing to compare"
    without = {name: alone for name in sorted(tables()) if name not in shown}
    left_out = "\n".join(f"- `{name}`: {why}" for name, why in (without | explorer.LEFT_OUT).items())
    options = "".join(
        f'<option value="{html.escape(name)}"{" selected" if name == "dates" else ""}>'
        f"{html.escape(': '.join(filter(None, (name, data['question'].replace('`', '')))))}</option>"
        for name, data in shown.items()
    )
    told = json.dumps({row.id: f"{row.claim} ({row.author})" for row in published("claims").itertuples()})
    told = told.replace("<", "\\u003c")  # no text may end the script
    wrong = issue(here, "Explorer")
    link = f'<p><a id="explorer-wrong" data-issue="{wrong}" href="{wrong}">This is wrong</a></p>' if wrong else ""
    return f"""\
{WIDE}# Explore the tables

Every dot is one fork: a fresh JVM that measured one contender in one round. The bar is the mean and its 95% interval.
Choose a table, what to hold fixed, and what to split into panels. The verdicts are those that the lessons
print, from the same program.

{
        _html(f'''<p id="explorer-from" hidden></p>
<script type="application/json" id="explorer-claims">{told}</script>
<form class="filter" id="explorer-table"><label>Table <select name="table">{options}</select></label></form>''')
    }

{_html(f'<div class="live" id="explorer"></div>{link}')}

Tables that are not here:

{left_out}
"""


def teachers() -> str:
    """The teacher's page: TEACHING.md, and how its plans come about."""
    text = (ROOT / "TEACHING.md").read_text(encoding="utf-8")
    text = re.sub(r"<!-- .*? -->\n?", "", text)
    titles = ", ".join(teaching.PLANS)
    return f"{text}\n\nThe plans ({titles}) are computed: each lesson states the minutes of its rounds.\n"


def _html(text: str) -> str:
    return f"```{{raw}} html\n{text}\n```"


def images() -> dict[str, bytes]:
    """The pictures of the start page, by file name."""
    return {name: chart(name)[0] for name in PICTURES if name == "12-decide.png"}
