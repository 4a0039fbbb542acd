"""The zoo of broken pools: what each tool sees, and that the corrected pools are left in peace."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from launch import is_one_clear_line, workbook
from poolbook.cells import turns
from poolbook.lessons.notebook import read
from poolbook.system.paths import ROOT, SOLUTIONS

EXHIBITS = [
    "GROWS_TOO_FAR", "COMES_BACK", "LOOKS_OUTSIDE", "LOOKS_ONCE", "TAKEN_BACK_TWICE", "PERMIT_FIRST", "LOSES_A_PERMIT",
    "CLOSES_ONE", "SIGNALS_ONE", "READY_TOO_EARLY", "HOLDS_AND_WAITS",
]  # fmt: skip
LINCHECK = dict.fromkeys(EXHIBITS, True)
LINCHECK |= {
    "CLOSES_ONE": False,  # it takes notify for notifyAll
    "READY_TOO_EARLY": False,  # it does not reorder what one thread writes
    "LOSES_A_PERMIT": None,  # its clock stands still
}
BRIEF = ("--seconds", "1", "--orders", "100")


def looked(*arguments: str) -> list[dict]:
    done = workbook("jbang", "pool-break", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_lincheck_sees_one_and_says_in_which_order() -> None:
    (row,) = looked("LOOKS_OUTSIDE", "--with", "LINCHECK")
    assert row["sees_mistake"] is True, row["evidence"]
    assert "WAIT" in row["evidence"]
    assert len(row["evidence"].splitlines()) <= 25


@pytest.mark.slow
def test_lincheck_sees_what_the_table_says() -> None:
    for row in looked("all", "--with", "LINCHECK"):
        assert row["sees_mistake"] is LINCHECK[row["exhibit"]], (row["exhibit"], row["evidence"])


@pytest.mark.slow
def test_the_corrected_pools_pass() -> None:
    for row in looked("all", "--right", "--with", "LINCHECK,COUNT", *BRIEF):
        cannot_look = row["tool"] == "LINCHECK" and LINCHECK[row["exhibit"]] is None
        assert row["sees_mistake"] is (None if cannot_look else False), (row["exhibit"], row["evidence"])


def test_a_hang_is_seen_and_the_jvm_finds_no_deadlock() -> None:
    rows = {row["tool"]: row for row in looked("CLOSES_ONE", "--with", "COUNT,DUMP,FLIGHT_RECORDER")}
    assert "does not end" in rows["COUNT"]["evidence"]
    assert "the JVM finds no deadlock" in rows["DUMP"]["evidence"]
    assert "WAITING in borrow, line" in rows["DUMP"]["evidence"]
    assert rows["FLIGHT_RECORDER"]["sees_mistake"] is False, "an event is written when the wait ends"


@pytest.mark.slow
def test_the_battery_is_held_against_the_corrected_pool() -> None:
    (row,) = looked("LOOKS_ONCE", "--with", "BATTERY")
    assert row["sees_mistake"] is True, row["evidence"]


def first_pool(folder: Path) -> Path:
    """The pool of the first lessons as a learner's file."""
    text = ROOT.joinpath("java/pools/BlockingQueuePool.java").read_text(encoding="utf-8")
    file = folder / "MyPool.java"
    text = text.replace("package pools;", "import pools.*;").replace("BlockingQueuePool", "MyPool")
    file.write_text(text.replace("public final class", "final class"), encoding="utf-8")
    return file


@pytest.mark.slow
def test_a_pool_of_yours_plays_all_scenarios(tmp_path: Path) -> None:
    """The pool of the first lessons has an IdentityHashMap, which Lincheck cannot always follow."""
    rows = looked(str(first_pool(tmp_path)), "--with", "LINCHECK,COUNT", *BRIEF)
    assert len(rows) == 14
    assert not any(row["sees_mistake"] for row in rows), rows
    unable = {row["evidence"] for row in rows if row["sees_mistake"] is None}
    assert unable and all("IdentityHashMap" in why for why in unable)


@pytest.mark.slow
def test_jcstress_sees_a_double_release_and_leaves_our_own_pool_in_peace(tmp_path: Path) -> None:
    (row,) = looked("TAKEN_BACK_TWICE", "--with", "JCSTRESS", "--seconds", "2")
    assert row["sees_mistake"] is True, row["evidence"]
    assert "both releases were accepted" in row["evidence"]
    (row,) = looked(str(first_pool(tmp_path)), "--with", "JCSTRESS", "--scenario", "ONE_OF_TWO_RELEASES", *BRIEF)
    assert row["sees_mistake"] is False, row["evidence"]


@pytest.mark.slow
def test_a_pool_that_fails_in_jcstress_is_not_called_sound(tmp_path: Path) -> None:
    lines = """public class MyPool<T> implements Tiny<T> {
  public MyPool(int capacity, Supplier<T> factory) {}
  public T borrow(long nanos) { throw new UnsupportedOperationException("never"); }
  public void release(T object) {}
}
"""
    file = tmp_path / "MyPool.java"
    file.write_text(IMPORTS + lines, encoding="utf-8")
    (row,) = looked(str(file), "--with", "JCSTRESS", "--scenario", "NEVER_TOO_MANY", *BRIEF)
    assert row["sees_mistake"] is None, row["evidence"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "tool", "scenarios"),
    [
        ("timeout", "LINCHECK", ["A_RELEASE_ENDS_THE_WAIT", "ONE_OF_TWO_RELEASES", "CLOSE_ENDS_ALL_WAITS"]),
        ("partitioned", "LINCHECK", ["A_RELEASE_ENDS_THE_WAIT", "CLOSE_ENDS_ALL_WAITS"]),  # and below
        ("leak-detecting", "LINCHECK", ["A_RELEASE_ENDS_THE_WAIT", "ONE_OF_TWO_RELEASES"]),  # the others: see above
        ("virtual", "LINCHECK", ["EACH_TO_ONE", "A_RELEASE_ENDS_THE_WAIT"]),  # it has no other promise
        ("partitioned", "JCSTRESS", ["ONE_OF_TWO_RELEASES"]),  # Lincheck cannot follow its keys
    ],
)
def test_the_solved_pools_are_looked_at_as_far_as_a_tool_can(name: str, tool: str, scenarios: list[str]) -> None:
    file = ROOT / "java" / "exercises" / name / "solved" / "MyPool.java"
    rows = looked(str(file), "--with", tool, "--scenario", ",".join(scenarios), *BRIEF)
    assert [row["sees_mistake"] for row in rows] == [False] * len(scenarios), rows


IMPORTS = """import java.util.*; import java.util.concurrent.*; import java.util.concurrent.atomic.*;
import java.util.function.*; import zoo.Tiny;
"""


@pytest.mark.slow
def test_to_wake_all_is_no_cure_of_the_first_puzzle(tmp_path: Path) -> None:
    """Nobody sleeps yet. That the puzzles themselves fail their checks, the runs of all notebooks show."""
    (lesson,) = SOLUTIONS.glob("10-*.ipynb")
    (cell,) = (one for one in read(lesson).cells if one["id"] == "sleep-fix")
    stub = cell.metadata["workbook"]["stub"]
    text = stub.replace("notify();", "notifyAll();")
    assert text != stub
    file = tmp_path / "MyPool.java"
    file.write_text(IMPORTS + text, encoding="utf-8")
    (row,) = looked(str(file), "--with", "LINCHECK", "--scenario", "A_RELEASE_ENDS_THE_WAIT")
    assert row["sees_mistake"] is True, row["evidence"]


@pytest.mark.parametrize(
    ("borrow", "close", "scenario", "said"),
    [
        ("while (free.isEmpty() && !isClosed && nanos > 0) wait();", "notify(); notify();", "CLOSE_ENDS_THREE_WAITS",
         "does not end"),
        ("if (nanos > 0 && !isClosed) return null;", "", "CLOSE_ENDS_THREE_WAITS", "the close refused"),
        ("if (free.size() < 2) return null;", "notifyAll();", "AS_MANY_AS_THERE_ARE", "lent 1 objects to two threads"),
        ("if (free.isEmpty() && nanos > 0) return made.get();", "", "A_RELEASE_ENDS_THE_WAIT", "another object"),
    ],
)  # fmt: skip
def test_a_cure_for_one_scenario_only_is_seen_in_another(
    borrow: str, close: str, scenario: str, said: str, tmp_path: Path
) -> None:
    lines = f"""public class MyPool<T> implements Tiny<T> {{
  final java.util.Queue<T> free = new java.util.ArrayDeque<>();
  final Supplier<T> made;
  boolean isClosed;
  public MyPool(int capacity, Supplier<T> factory) {{
    made = factory;
    for (int i = 0; i < capacity; i++) free.add(factory.get());
  }}
  public synchronized T borrow(long nanos) throws InterruptedException {{
    {borrow}
    if (isClosed) throw new IllegalStateException("closed");
    return free.poll();
  }}
  public synchronized void release(T object) {{ free.add(object); notify(); }}
  public synchronized void close() {{ isClosed = true; {close} }}
}}
"""
    file = tmp_path / "MyPool.java"
    file.write_text(IMPORTS + lines, encoding="utf-8")
    (row,) = looked(str(file), "--with", "COUNT", "--seconds", "1", "--scenario", scenario)
    assert row["sees_mistake"] is True, row
    assert said in row["evidence"]


@pytest.mark.slow
@pytest.mark.parametrize("rule", turns.RULES)
def test_without_one_of_its_rules_the_turn_pool_is_wrong_and_a_tool_sees_it(rule: str) -> None:
    needed = turns.RULES[rule]
    (row,) = looked(turns.broken(rule), "--scenario", needed.scenario, "--with", needed.tool)
    assert row["sees_mistake"] is True, row


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tools", "scenarios"),
    [
        ("LINCHECK", ["EVERY_PAIR"]),
        ("LINCHECK", ["EACH_TO_ONE", "A_RELEASE_ENDS_THE_WAIT", "NOTHING_IS_LOST", "CLOSE_ENDS_ALL_WAITS"]),
        ("COUNT", ["EVERY_PAIR", "A_RELEASE_ENDS_THE_WAIT", "NOTHING_IS_LOST", "CLOSE_ENDS_ALL_WAITS"]),
        ("JCSTRESS", ["EACH_TO_ONE"]),
        ("JCSTRESS", ["NOTHING_IS_LOST"]),
    ],
)
def test_with_all_its_rules_no_tool_sees_a_mistake_in_the_turn_pool(tools: str, scenarios: list[str]) -> None:
    rows = looked("pools.TurnPool", "--scenario", ",".join(scenarios), "--with", tools, *BRIEF)
    assert [row["sees_mistake"] for row in rows] == [False] * len(scenarios), rows


def test_without_a_name_the_zoo_is_listed() -> None:
    done = workbook("jbang", "pool-break")
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == EXHIBITS


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["NOTHING"], "NOTHING is neither a pool nor a file"),
        (["LOOKS_ONCE", "--with", "NOTHING"], "NOTHING"),
        (["LOOKS_ONCE", "--seconds", "0"], "--seconds must be above 0"),
        (["gone.java"], "there is no file gone.java"),
        (["LOOKS_ONCE", "--with", ","], "--with needs at least one value"),
        (["Gone", "--classes", "."], "no class Gone in ."),
    ],
)
def test_bad_input_is_refused_in_one_line(arguments: list[str], said: str) -> None:
    is_one_clear_line(workbook("jbang", "pool-break", *arguments), said)


def test_a_pool_whose_static_initializer_throws_is_refused_in_one_line(tmp_path: Path) -> None:
    pool = first_pool(tmp_path)
    text = pool.read_text(encoding="utf-8")
    start = text.index("{", text.index(" class ")) + 1
    thrown = "static final int NONE = Integer.parseInt(String.valueOf((Object) null));"
    pool.write_text(text[:start] + thrown + text[start:], encoding="utf-8")
    done = workbook("jbang", "pool-break", pool)
    lines = [line for line in done.stderr.splitlines() if not line.startswith(("[1/", "[jbang]"))]
    assert (done.returncode, done.stdout, len(lines)) == (2, "", 1), done.stderr
    assert "YOURS: a static initializer fails: java.lang.NumberFormatException" in lines[0]
