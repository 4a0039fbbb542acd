"""Asking about your own object: the command, the call in a notebook, and the cell magic."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from launch import is_one_clear_line, workbook
from poolbook.cells import ask
from poolbook.cells.ask import Answer
from poolbook.cells.jbang import JavaProblem

ONCE = ["--create", "new Thread(() -> {})", "--use", "o.start()"]


def rows(**changes: object) -> pd.DataFrame:
    """What ``should-i-pool --json`` gives, made up."""
    times = {"NEW": 900.0, "NEW_ESCAPES": 950.0, "TURN_POOL": 400.0, "THREAD_LOCAL": 340.0, "HELD": 330.0}
    same = {
        "object_class": "java.text.SimpleDateFormat", "advice": "ONE_PER_THREAD", "why": "A new one takes longer.",
        "not_checked": "the memory that idle objects keep", "jdk": 17, "gc": "PARALLEL", "threads": 2,
        "price_ns": 620.0, "rounds": 5,
    }  # fmt: skip
    made = [
        {**same, "strategy": way, "ns_per_op": ns, "low": 0.9 * 950 / ns, "high": 1.1 * 950 / ns, **changes}
        for way, ns in times.items()
    ]
    return pd.DataFrame(made)


def test_an_answer_is_a_chart_and_two_sentences() -> None:
    answer = Answer(rows(), 'new SimpleDateFormat(\n  "yyyy")')
    figure = answer.chart()
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()][-1] == "HELD", "the shortest on top"
    assert 'new SimpleDateFormat( "yyyy")' in figure.texts[0].get_text()
    assert "NEW_ESCAPES 950 ns" in figure.get_label()
    assert str(answer).startswith("Keep one per thread. A new one takes longer.")
    assert "Not checked: the memory that idle objects keep." in str(answer)
    assert answer.price_ns == 620
    assert len(figure.axes[0].collections) == 5, "an interval for each"
    one = Answer(rows(low=None, high=None, rounds=None), "1").chart()
    assert not one.axes[0].collections and "one round; dotted" in one.texts[0].get_text()


def test_an_answer_without_a_measurement_has_no_chart(capsys: pytest.CaptureFixture[str]) -> None:
    one = rows(advice="CANNOT_BE_USED_AGAIN", why="It threw.", ns_per_op=None, strategy=None, price_ns=None).head(1)
    answer = Answer(one, "new Thread()")
    answer._ipython_display_()
    assert "Do not pool it: it cannot be used again. It threw." in capsys.readouterr().out


def test_every_advice_has_words() -> None:
    source = (ask.jbang.ROOT / "java" / "ask" / "Answer.java").read_text(encoding="utf-8")
    constants = source.split("enum Advice {")[1].split(";")[0]
    assert set(ask.WORDS) == {line.split("(")[0].strip() for line in constants.splitlines() if '("' in line}


def test_a_cell_has_parts() -> None:
    lines = ["create: new Foo()", "use:", "  o.bar();", "  o.baz()", "import: org.foo", "import: org.bar.Baz"]
    cell = "\n".join([*lines, "shareable: yes", "threads: 4"])
    assert ask.parts(cell) == {
        "create": "new Foo()",
        "use": "o.bar();\n  o.baz()",
        "imports": ["org.foo", "org.bar.Baz"],
        "shareable": True,
        "threads": 4,
    }


@pytest.mark.parametrize(("cell", "said"), [("new Foo()", "begin with create:"), ("use: o.x()", "after create:")])
def test_a_cell_without_create_is_refused_in_one_line(cell: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask.cell_magic("", cell) is None
    assert said in capsys.readouterr().out


def test_a_cell_that_does_not_compile_shows_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert ask.cell_magic("", "create: new Date()\nuse: o.getTim()") is None
    printed = capsys.readouterr().out
    assert "--use: cannot find symbol" in printed
    assert "  o.getTim()\n   ^" in printed
    assert "Traceback" not in printed


def test_an_object_can_be_tried_without_measuring() -> None:
    grows = {"create": "new ArrayList<Integer>()", "use": "o.add(7); o.size()"}
    assert ask.should_i_pool(**grows, dry_run=True).advice == "MEASUREMENT_UNSOUND"
    answer = ask.should_i_pool(**grows, reset="o.clear()", dry_run=True)
    assert answer.advice == "CAN_BE_MEASURED"
    assert str(answer).startswith("It can be measured. It can be used again")


def test_a_call_that_does_not_compile_raises() -> None:
    with pytest.raises(JavaProblem, match="cannot find symbol"):
        ask.should_i_pool(create="new Nothing()")


def test_what_cannot_be_used_again_needs_no_measurement() -> None:
    done = workbook("jbang", "should-i-pool", *ONCE, "--json")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)
    assert row["advice"] == "CANNOT_BE_USED_AGAIN"
    assert row["strategy"] is None
    assert "IllegalThreadStateException" in row["once_only"]


def test_one_fork_of_each_way_gives_figures_and_no_advice() -> None:
    done = workbook("jbang", "should-i-pool", "--create", "new Date()", "--use", "o.getTime()", "--threads", "1",
                    "--profile", "smoke", "--json")  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = {row["strategy"]: row for row in json.loads(done.stdout)}
    assert set(found) == {"NEW", "NEW_ESCAPES", "LOCKED", "POOL", "TURN_POOL", "THREAD_LOCAL", "CLONE", "HELD"}
    (advice,) = {row["advice"] for row in found.values()}
    why = found["NEW"]["why"]
    assert advice == "MEASUREMENT_UNSOUND"
    assert why.startswith("1 round gives no answer")  # and not that the machine was busy


def test_ways_that_cannot_change_the_advice_are_left_out_where_a_use_takes_long() -> None:
    slow = "for (long end = System.nanoTime() + 5_000; System.nanoTime() < end; ) { } o.length()"
    words = ["--create", "new StringBuilder()", "--use", slow, "--threads", "1", "--profile", "smoke"]
    done = workbook("jbang", "should-i-pool", *words, "--json")
    assert done.returncode == 0, done.stderr
    measured = json.loads(done.stdout)
    assert {row["strategy"] for row in measured} == {"NEW_ESCAPES", "POOL", "THREAD_LOCAL", "HELD"}
    assert "NEW, LOCKED, TURN_POOL, which differ little" in measured[0]["not_checked"]
    assert "--all-ways" in measured[0]["not_checked"]


@pytest.mark.parametrize(
    ("create", "use", "advice", "said"),
    [
        ("new StringBuilder()", "o.append((char) 65); o.length()", "MEASUREMENT_UNSOUND", "would grow forever"),
        # Each use copies all of them, so there is time for few.
        ("new StringBuilder()", 'o.append("some text"); o.trimToSize()', "MEASUREMENT_UNSOUND", "would grow forever"),
        (
            "new ArrayList<byte[]>()",
            "Thread.sleep(100); o.add(new byte[400]); o.size()",
            "CAN_BE_MEASURED",
            "whether it grows by less than",
        ),
    ],
)
def test_growth_is_seen_or_said_to_be_unchecked(create: str, use: str, advice: str, said: str) -> None:
    done = workbook("jbang", "should-i-pool", "--dry-run", "--create", create, "--use", use, "--json")
    (row,) = json.loads(done.stdout)
    assert row["advice"] == advice
    assert said in row["why"] + row["not_checked"]
    assert "stays as it is" not in row["why"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "--create"),
        (["--create", " "], "--create is empty"),
        (["--create", "1 + 1"], "is a value (java.lang.Integer)"),
        (["--create", "null"], "--create gave null: it must make an object"),
        (["--create", "new Date()", "--threads", "0"], "--threads"),
        (["--create", "new Date()", "--objects", "0"], "--objects"),
        (["--create", "new Date()", "--use", "System.exit(3)"], "the code called System.exit"),
        (["--create", "new Date()", "--use", "Runtime.getRuntime().halt(0)"], "ended its JVM"),
        (["--create", "new SimpleDateFormat()", "--use", 'o.parse("no")'], "--use fails: java.text.ParseException"),
        (["--create", "new Date()", "--setup", "int x = 1 / 0;"], "--setup fails: java.lang.ArithmeticException"),
        (["--create", "new Date()", "--close", "o.wait()"], "--close fails: java.lang.IllegalMonitorState"),
        (["--create", "new Date()", "--reset", "o.wait()"], "--reset fails: java.lang.IllegalMonitorState"),
        (["--create", "new Date()", "--import", "java.util.List; class X {}"], "--import is a package or a class"),
    ],
)
def test_bad_input_is_refused_in_one_line(arguments: list[str], said: str) -> None:
    is_one_clear_line(workbook("jbang", "should-i-pool", *arguments), said)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--only", "Nothing"], "no recipe Nothing; there are: SimpleDateFormat"),
        (["--recipes", "nowhere.toml"], "no file nowhere.toml"),
    ],
)
def test_a_bad_list_is_refused_in_one_line(arguments: list[str], said: str) -> None:
    is_one_clear_line(workbook("jbang", "bench-prices", *arguments), said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there is no recipe in it"),
        ("[order]\ncreate = = 3", ", line 2: "),
        ('order = "new Date()"', "recipe order: it must be a table"),
        ('[order]\nuse = "o.getTime()"', "recipe order: create is missing"),
        ('[order]\ncreate = "new Date()"\nrest = "o.clear()"', "recipe order: a recipe has no key rest"),
        ('[order]\ncreate = "new Date()"\nshareable = "yes"', "shareable has the wrong kind of value"),
        ('[order]\ncreate = "new Date()"\nsince = 99999999999', "since has the wrong kind of value"),
        ('["a, b"]\ncreate = "new Date()"', "a name has 1 to 60 characters, all of which can be printed, and no comma"),
    ],
)
def test_a_damaged_list_is_refused_in_one_line(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    is_one_clear_line(workbook("jbang", "bench-prices", "--recipes", file), said)
