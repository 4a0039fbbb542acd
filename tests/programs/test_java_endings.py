"""A program ends with a summary of its results for people, which is never among the rows for machines."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from launch import workbook
from poolbook.system.paths import NOTEBOOKS, ROOT

STRINGS = ["--strategies", "POOL,HIBYTE", "--lengths", "8", "--texts", "100000"]
# The least that a program can compare, and what is always true of it, however fast the machine is.
ENDINGS = {
    "byte-strings": (STRINGS, r"\w+ was first: .* ns each, .*(POOL|HIBYTE)\. One JVM each is not a verdict: bench-"),
    "dates": (
        ["--strategies", "POOL,LOCKED", "--threads", "1", "--parses", "50", "--compiler", "default"],
        r"One JVM each is not a verdict: bench-dates has forks and intervals\."
        r"|Fewer than two contenders got a figure",  # fifty parses may all be cold
    ),
    "dates-race": (["--threads", "1", "--parses", "50"], r"One thread alone was never wrong\."),
    "market-feed": (
        ["{day}", "--strategy", "NEW,FLYWEIGHT", "--layout", "TYPES", "--fill", "REAL", "--warm-up", "1000",
         "--messages", "5000", "--batch", "1000"],
        r"(NEW|FLYWEIGHT) was first: .* ns each, .*One JVM each is not a verdict: bench-feed has forks and intervals\.",
    ),
    "bench-stores": (
        ["--profile", "smoke", "--stores", "NONE,ARRAY_STACK,LINKED_LIST_FIFO", "-f", "2"],
        r"(ARRAY_STACK|LINKED_LIST_FIFO) was first: .* operations a ms, .* 2 JVMs each are not a verdict: that takes 5"
        r" rounds, and an interval\. The smoke profile only tests the plumbing\.",
    ),
    "libraries": (
        ["--pools", "NONE,HIKARI_BAG,FURIOUS", "--threads", "2", "--objects", "2", "--seconds", "0.2"],
        r"(HIKARI_BAG|FURIOUS) was first: .* One JVM each is not a verdict",
    ),
    "hold-and-wait": (["--limit", "1"], r"1 of 1 runs never ended; the JVM reported a deadlock in 0 of them"),
    "leaks": (["--heaps", "16m", "--messages", "100000"], r"LOSES_AFTER_EXCEPTIONS was the first to end, after 64,000"),
    "fast-pool-sizes": ([], r"Asked for a size of 10, it lent 40 objects from 4 partitions: 4\.0 times the size\."),
    "strings-kept": (["--symbols", "10000"], r"3 of 4 strategies kept all texts; "
     r"of these \w+ takes the least heap .* US_ASCII the most"),
}  # fmt: skip


def until_it_says(seen: str, *command: object) -> subprocess.CompletedProcess[str]:
    """Run a program, again if a fork had no figure: a busy machine gives it too little time."""
    for _ in range(3):
        done = workbook("jbang", *command)
        assert done.returncode == 0, done.stderr
        if re.search(seen, done.stdout):
            break
    return done


@pytest.mark.parametrize("alias", ENDINGS)
def test_it_ends_with_what_it_saw_and_the_lesson(alias: str, day: Path) -> None:
    arguments, seen = ENDINGS[alias]
    done = until_it_says(seen, alias, *[word.format(day=day) for word in arguments])
    *_, blank, sentence, lesson = done.stdout.splitlines()
    assert blank == ""
    assert re.search(seen, sentence), sentence
    assert lesson.startswith("Explained in lesson ")
    assert "##" not in done.stdout, "bars are for terminals"


def test_the_lessons_that_are_named_are_there() -> None:
    stems = re.findall(r'^  [A-Z_]+\("(.*)"\)', (ROOT / "java" / "cli" / "Lesson.java").read_text(), re.MULTILINE)
    assert len(stems) >= 9
    for stem in stems:
        assert (NOTEBOOKS / f"{stem}.ipynb").is_file(), stem


def test_five_rounds_have_an_interval() -> None:
    """Doing nothing is thousands of times as fast as sleeping for a millisecond, on every machine."""
    work = ["--work", "NOTHING,SLEEP", "-f", "5", "-wi", "1", "-i", "1"]
    done = until_it_says("Over 5 rounds", "java/test/measure/BenchClock.java", "--profile", "smoke", *work)
    sentence = done.stdout.splitlines()[-2]
    assert re.search(r"NOTHING was first: .* times as fast as the next, SLEEP\.", sentence)
    assert re.search(
        r"Over 5 rounds the ratio is [\d.]+ \([\d.]+ to [\d.]+\), with its 95% interval: the first is faster\.",
        sentence,
    )


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals like this")
def test_in_a_terminal_there_is_a_bar_for_each_row() -> None:
    import pty

    def output(*options: str) -> str:
        ours, theirs = pty.openpty()
        command = [sys.executable, str(ROOT / "workbook"), "jbang", "byte-strings", *STRINGS, *options]
        with subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL, start_new_session=True
        ) as process:
            os.close(theirs)
            text = b""
            try:
                while piece := os.read(ours, 4096):
                    text += piece
            except OSError:
                pass  # what Linux says at the end of a pseudo-terminal
            os.close(ours)
        assert process.returncode == 0
        return text.decode()

    bars = [line for line in output().splitlines() if "##" in line]
    assert [line.split()[0] for line in sorted(bars)] == ["HIBYTE", "POOL"]
    assert all(len(line) <= 80 for line in bars)
    assert "#" not in output("--json")
