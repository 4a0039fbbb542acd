"""Checks of the exercises in Python lessons: the expected answer, the given answer, where to look."""

from __future__ import annotations

import numbers
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pandas as pd

from poolbook.cells.ask import Answer
from poolbook.cells.jbang import JavaProblem
from poolbook.tables.compare import FASTER, FEWEST_ROUNDS, TOO_CLOSE, Comparison, break_even, compare, percentile
from poolbook.tables.verdicts import EQUAL, HOLDS, REFUTED, REVERSED, SMALLER, UNDECIDED

AT_ONCE = {"dates": (15, 1), "pairs": (8, 2), "limited": (6, 1)}  # of lesson 03: threads that hold, objects for each
PATIENCE_MS = 1_000  # of the caller in lesson 09
NOT_YET = "Not solved yet: replace the three dots, run your cell, then this one."


def _is_number(answer: object) -> bool:
    """Whether an answer is a number that can be compared and printed, Python's or numpy's. True is not one."""
    is_real = isinstance(answer, numbers.Real) and not isinstance(answer, bool | Fraction)
    return is_real and (not isinstance(answer, int) or abs(answer) < 10**300)


def _is_whole(answer: object) -> bool:
    return isinstance(answer, numbers.Integral) and not isinstance(answer, bool)


def race(one: object, four: object, silent: object) -> None:
    """Lesson 00: a race with one thread and no errors, one with four threads, and the share of silent errors in it."""
    if one is ... or four is ... or silent is ...:
        return print(NOT_YET)
    for name, rows, threads in (("one", one, 1), ("four", four, 4)):
        if not isinstance(rows, pd.DataFrame) or not {"threads", "parses", "wrong", "thrown"} <= set(rows):
            return _say(f"{name}: the frame that here.run(...) returns", type(rows).__name__, "hint 1")
        if list(rows["threads"]) != [threads]:
            return _say(
                f"{name}: a race with --threads {threads}",
                f"one with {', '.join(map(str, rows['threads']))}",
                f"the cell that sets {name}: did you run it again after editing it?",
            )
    errors = {name: int(rows[["wrong", "thrown"]].to_numpy().sum()) for name, rows in (("one", one), ("four", four))}
    if errors["one"] != 0:
        return _say(
            "one: no error, as one thread shares with nobody",
            f"{errors['one']} errors",
            "your machine: this should be impossible; please report it",
        )
    if errors["four"] == 0:
        return _say(
            "four: at least one error", "none, this time", "a race needs luck: run it again, or with more --parses"
        )
    if isinstance(silent, pd.Series) and len(silent) == 1:
        silent = silent.iloc[0]
    if not _is_number(silent):
        return _say("silent: a number, percent", repr(silent)[:70], "hint 2")
    row = four.iloc[0]
    expected = 100 * row["wrong"] / errors["four"]
    if not abs(silent - expected) <= 0.5:  # nor is NaN right
        looks = {
            expected / 100: "give percent, not a fraction",
            100 * row["wrong"] / row["parses"]: "of the errors, not of all parses",
            100 - expected: "these are the ones that a log would show",
        }
        look = next((look for wrong, look in looks.items() if abs(silent - wrong) < 0.01), "hint 2")
        return _say(f"silent: {expected:.1f} percent of the errors", f"{silent:.1f}", look)
    print(
        f"✓ One thread: 0 errors. Four threads: {errors['four']:,} of {int(row['parses']):,}, "
        f"and {expected:.0f}% of them without a word."
    )


def safe_lines(answer: object) -> None:
    """Lesson 00: the letters of the lines that many threads may run at once."""
    letters = set(str(answer).lower()) - set(" ,")
    if letters == {"b", "c"}:
        return print("✓ b is LOCKED and c is NEW: each parser has one user at a time.")
    look = "with which of them can two threads be inside the same parser?"
    return _say("the letters of all safe lines, and of no other", repr(answer), look)


def capacities(answers: object) -> None:
    """Lesson 03: the smallest capacity with which no thread waits for an object, for each of three pools."""
    if not isinstance(answers, dict) or set(answers) != set(AT_ONCE):
        return _say(f"a dict with the names {', '.join(AT_ONCE)}", repr(answers)[:70], "the cell above")
    if ... in answers.values():
        return print(NOT_YET)
    for name, (holders, each) in AT_ONCE.items():
        if answers[name] != holders * each:
            expected = f"{name}: the most objects that are out at the same moment, and not one more"
            look = "how many threads hold something at once, and how many each holds"
            return _say(expected, repr(answers[name]), look)
    return print("✓ With these three capacities nobody waits for an object, and none lies idle forever.")


def timeout(size: object, wait: object, longest_wait: Mapping[int, float]) -> None:
    """Lesson 09: a size with a reserve, and a timeout in ms. ``longest_wait`` has the longest wait, in ms, by size."""
    if size is ... or wait is ...:
        return print(NOT_YET)
    least, enough, most = sorted(longest_wait)
    if not _is_number(wait) or not _is_whole(size) or size not in longest_wait:
        return _say(f"a size of {least}, {enough} or {most}, and a number of ms", f"{size!r} and {wait!r}", "your cell")
    if size != enough:
        looks = {least: f"who serves the next request when all {least} are out?", most: "how many threads are there?"}
        return _say("half as much again as are in use", f"{size} objects", looks[size])
    if not wait >= max(1, 2 * longest_wait[size]):
        look = f"the longest wait when all is well: {longest_wait[size]:.0f} ms"
        return _say("a timeout that fails nobody on a normal day", f"{wait:g} ms", look)
    if wait >= PATIENCE_MS:
        look = f"the caller's own patience: {PATIENCE_MS:,} ms"
        return _say("an answer while the caller still waits", f"{wait:g} ms", look)
    return print(f"✓ {size} objects, and a timeout of {wait:.0f} ms. The longest wait was {longest_wait[size]:.0f} ms.")


class Case(NamedTuple):
    """A program that needs one of several contenders: the measured cell that decides, and what it may use.

    ``allowed`` names the contenders that the program can use, from the simplest on. ``value`` and ``axis`` are columns
    of ``frame``, as in `poolbook.tables.compare`.
    """

    frame: pd.DataFrame
    allowed: Sequence[str]
    value: str = "ops_per_ms"
    axis: str = "strategy"
    lower_is_better: bool = False

    def compare(self, contender: str, baseline: str) -> Comparison:
        """One contender against another in this case."""
        return compare(self.frame, contender, baseline, self.value, self.axis, self.lower_is_better)


def choices(cases: Mapping[str, Case], answers: object) -> None:
    """A choice for each case, and what it beats there: any lesson.

    ``answers`` maps the name of each case to a pair. Its first is right if the case allows it and no other that is
    allowed is faster. The second is what it is faster than; or too close to call, if the choice is the simpler one.
    """
    if not isinstance(answers, dict) or set(answers) != set(cases):
        return _say(f"a dict with the names {', '.join(cases)}", repr(answers)[:70], "the cell above")
    if any(pair is ... or (isinstance(pair, tuple) and ... in pair) for pair in answers.values()):
        return print(NOT_YET)
    reasons = []
    for name, case in cases.items():
        pair, allowed = answers[name], list(case.allowed)
        if not isinstance(pair, tuple) or len(pair) != 2:
            pattern = f'("{allowed[0]}", "{allowed[1]}")'
            return _say(f"{name}: a pair such as {pattern}", repr(pair), "the brackets, the quotes, the comma")
        choice, other = pair
        if not isinstance(choice, str) or choice not in allowed:
            look = "what the program needs: it rules out the others"
            return _say(f"{name}: one of {', '.join(allowed)}", repr(choice), look)
        if not isinstance(other, str) or other == choice or other not in list(case.frame[case.axis].unique()):
            return _say(f"{name}: what {choice} beats, in the same table", repr(other), "the second of the pair")
        reason = case.compare(choice, other)
        is_simpler = other in allowed and allowed.index(choice) < allowed.index(other)
        if reason.verdict != FASTER and not (reason.verdict == TOO_CLOSE and is_simpler):
            return _say(f"{name}: something that {choice} beats", repr(other), str(reason))
        for rival in allowed:
            if rival != choice and (found := case.compare(rival, choice)).verdict == FASTER:
                return _say(f"{name}: a choice that nothing else here beats", repr(choice), str(found))
        reasons.append(f"✓ {name}: {reason}")
    print("\n".join(reasons))


def repaired(lines: object, forks: object, measured: Callable[[str, int], pd.DataFrame]) -> None:
    """Lesson 01: a benchmark that takes twice as long for twice the work, in enough fresh JVMs.

    ``measured`` runs the lines and returns rows with the columns size (bytes), round, ns_per_op.
    """
    if forks is ... or lines is ...:
        return print(NOT_YET)
    if not isinstance(lines, str):
        return _say("the method's lines, as text", type(lines).__name__, "the three quotes around them")
    if not _is_whole(forks) or not FEWEST_ROUNDS <= forks <= 20:
        look = "round 3: more iterations of one JVM repeat its luck; repeat with fresh JVMs instead"
        return _say(f"forks: a whole number from {FEWEST_ROUNDS} to 20", repr(forks), look)
    times = measured(lines, forks).groupby("size")["ns_per_op"].median()
    small, big = times.index.min(), times.index.max()
    ratio = times[big] / times[small]
    if not 1.6 < ratio < 2.4:
        look = "hint 1: is this the time of the work at all?"
        if "consume" not in lines:
            look = "round 1: who uses the result? The compiler removes work whose result nobody uses"
        elif "bytes" not in lines.replace("getBytes", ""):
            look = "round 1: the work is the same for every size, because it does not use `bytes`"
        came = f"{ratio:.2f} times as long ({times[small]:,.1f} and {times[big]:,.1f} ns)"
        return _say(f"{big:,} bytes take about twice as long as {small:,}", came, look)
    if not re.search(r"\bbytes\b(?!\s*\.\s*length)", re.sub(r"//.*|/\*(?s:.*?)\*/", "", lines)):
        return _say("the sum of the given bytes", "lines that read none of them", "hint 2: a new array holds zeros")
    print(f"✓ {small:,} bytes: {times[small]:,.0f} ns, {big:,} bytes: {times[big]:,.0f} ns; {forks} forks each.")


def honest_percentile(series: np.ndarray, smallest: int, batch: object, p99: object) -> None:
    """Lesson 05: the biggest batch with which ten batches of a replay lie above its p99, and that p99.

    ``series`` holds the ns per message of batches of ``smallest`` messages.
    """
    if batch is ... or p99 is ...:
        return print(NOT_YET)
    if not len(series) or not (series > 0).all():
        return print("There are no figures to take a percentile of: run the replay again.")
    messages = smallest * len(series)
    needed = 1_000  # one in a hundred lies above a p99, so ten of a thousand do
    biggest = messages // needed // smallest * smallest
    if not _is_whole(batch) or batch < 1 or batch % smallest:
        return _say(f"batch: a whole multiple of {smallest:,} messages", repr(batch), "hint 1")
    if batch != biggest:
        count = messages // batch
        look = f"{count:,} batches: how many of them lie above p99?" if batch > biggest else (
            f"{count:,} batches are more than needed: find the biggest batch"
        )  # fmt: skip
        return _say(
            f"batch: the biggest size that gives {needed:,} batches from {messages:,} messages", f"{batch:,}", look
        )
    together = biggest // smallest
    whole = series[: len(series) // together * together].reshape(-1, together).mean(axis=1)
    expected = percentile(whole, 99)
    if not _is_number(p99):
        return _say("p99: a number, ns per message", repr(p99), "hint 2")
    if not (abs(p99 / expected - 1) <= 1e-9 or p99 == round(expected, 2)):
        look = "poolbook.percentile of the batches, combined as hint 2 shows"
        if np.isclose(p99, np.percentile(whole, 99)):
            look = "this lies between two batches: nobody measured it"
        elif np.isclose(p99, percentile(series, 99)) and together > 1:
            look = f"these are batches of {smallest:,}: combine {together} of them first"
        elif np.isclose(p99, whole.max()):
            look = "this is the slowest batch of all, the maximum"
        return _say(f"p99: {expected:,.1f} ns per message", f"{p99:,.1f}", look)
    print(f"✓ {len(whole):,} batches of {biggest:,} messages, and their p99 is {expected:,.1f} ns per message.")


def break_even_hit_rate(sweep: pd.DataFrame, answer: object) -> None:
    """Lesson 07: the hit rate, in percent, above which the pool is faster than the best constructor.

    ``sweep`` has the recorded rows of one Java at all hit rates. The answer is to come from the line between the middle
    of the sweep and its end, to one percent: a guess does not pass, nor the place where all of the sweep crosses, which
    is printed beside a right answer.
    """
    if answer is ...:
        return print(NOT_YET)
    if not _is_number(answer):
        return _say("break_even: a number, percent", repr(answer), "hint 1")
    constructors = [name for name in ("HIBYTE", "US_ASCII") if name in set(sweep["strategy"])]
    crossing = break_even(sweep, "POOL", constructors, "ns_per_op", "hit_rate")
    means = sweep.groupby(["strategy", "hit_rate"])["ns_per_op"].mean()
    new = means[constructors].groupby("strategy").mean().min()
    hit, half, none = means["POOL", 100], means["POOL", 50], means["POOL", 0]
    right = 50 + 50 * (half - new) / (half - hit)
    wrong = {
        "a miss costs more than `new`: it first searches the table in vain, and then stores the String it makes": (
            0.0,
            100 * hit / new,
        ),
        "this is the percentage of misses at the break-even, not of hits": (100 - right,),
        "this is the distance from 50%, not from 0%": (right - 50, 2 * (right - 50)),
        "give percent, not a fraction": (crossing / 100, right / 100),
        "the line from no hits to all: between these two ends it bulges, so begin at 50%": (
            100 * (none - new) / (none - hit),
        ),
        "this is where the whole sweep crosses: predict it from the three measurements": (crossing,),
    }
    if not abs(answer - right) <= 1:
        near = (look for look, answers in wrong.items() if any(abs(answer - one) < 0.5 for one in answers))
        where = "break_even: the rate at which the line through `half` and `hit` meets `new`"
        return _say(where, f"{answer:.1f}", next(near, "hint 2"))
    print(f"✓ The line meets `new` at {right:.0f} percent. The line of all measured rates crosses at {crossing:.0f}.")


def ten_objects(partitions: object, size: object, lent: Callable[[int, int], int]) -> None:
    """Lesson 08: two settings that give Fast Object Pool exactly ten objects, in more than one partition.

    ``lent`` sets up such a pool, borrows until it is empty, and returns how many objects were lent.
    """
    if partitions is ... or size is ...:
        return print(NOT_YET)
    for name, number in (("partitions", partitions), ("size", size)):
        if not _is_whole(number) or not 1 <= number <= 100:
            return _say(f"{name}: a whole number from 1 to 100", repr(number), "the hint")
    if partitions == 1:
        return _say("partitions: more than one", "1", "which parts add up to ten?")
    came = lent(partitions, size)
    if came != 10:
        look = "both numbers together: the size applies to each partition" if size == 10 else "the hint"
        if came < 10:
            look = f"{partitions} partitions of {size} are fewer than ten: which numbers divide ten?"
        return _say("a pool that lends exactly 10 objects", f"it lent {came}", look)
    print(f"✓ {partitions} partitions of {size}: it lent {came} objects and refused one more.")


def fewest_objects(answer: object, runs: Callable[[int], pd.DataFrame], threads: int = 100) -> None:
    """Lesson 09: the fewest objects with which threads that hold one and want a second always finish.

    ``runs`` tries a number of objects under a watchdog; it returns a row per run with the columns ended, waiting.
    """
    if answer is ...:
        return print(NOT_YET)
    if not _is_whole(answer) or not 2 <= answer <= 10 * threads:
        return _say(f"objects: a whole number from 2 to {10 * threads}", repr(answer), "hint 1")
    came = runs(answer)
    if came.empty:
        return _say("runs of these threads", "none", "hint 1")
    hung = int((~came["ended"].astype(bool)).sum())
    if hung:
        waiting = int(came["waiting"].max())
        look = "who can still get a second object when every thread has its first? Waiting longer does not help"
        return _say(f"{answer} objects: {len(came)} runs that end", f"{hung} hung, {waiting} threads waiting", look)
    if answer > threads + 1:
        return _say(
            "the fewest objects that are safe", f"{answer}, which is safe and wasteful", "hint 2: one is enough"
        )
    print(f"✓ {answer} objects: {len(came)} of {len(came)} watched runs ended. With one object fewer, none would.")


# Lesson 12: each program's Java, and for each choice the claims and verdicts that support it.
CASES: dict[str, tuple[int, dict[str, dict[int, tuple[str, ...]]]]] = {
    "kinds": (25, {"NEW": {1: (HOLDS,), 10: (HOLDS,), 38: (HOLDS,), 40: (HOLDS,)}}),
    "formats": (17, {"SHARE": {25: (HOLDS,)}}),
    "reports": (25, {"NEW": {23: (UNDECIDED, EQUAL, REFUTED, REVERSED)}, "POOL": {23: (HOLDS, SMALLER)}}),
    "promise": (8, {"POOL": {4: (HOLDS,)}}),
    "symbols": (25, {"POOL": {11: (HOLDS,), 14: (HOLDS,), 45: (HOLDS,)}}),
    "schema": (17, {"POOL": {24: (HOLDS,), 57: (HOLDS,)}}),
}
LOOKS = {
    ("kinds", "POOL"): "claim 40: are twelve pools faster, over a whole run of one thread?",
    ("formats", "POOL"): "an immutable formatter needs no pool: all threads share one (lesson 03)",
    ("formats", "NEW"): "an immutable formatter is made once, and shared (lesson 03)",
    ("reports", "POOL"): "what was measured in 2006 is no reason by itself: what does claim 23 say there?",
    ("promise", "NEW"): "a big message is expensive to make on Java 8: which claim is about its percentiles?",
    ("symbols", "NEW"): "each order keeps its text: see the bytes in lesson 07",
    ("schema", "NEW"): "the break-even chart: milliseconds lie far to the right of it",
    ("schema", "LOCKED"): "all who validate would wait for one object: claim 24",
}


def six_choices(choices: object, found: pd.DataFrame) -> None:
    """Lesson 12: NEW, LOCKED, POOL or SHARE for six programs, each with a claim whose verdict supports it.

    ``choices`` maps each name to a pair of choice and number; ``found`` is what `claims.ledger` returns.
    """
    if not isinstance(choices, dict) or set(choices) != set(CASES):
        return _say(f"a dict with the names {', '.join(CASES)}", repr(choices)[:70], "the list above the cell")
    if any(pair is ... or (isinstance(pair, tuple) and ... in pair) for pair in choices.values()):
        return print(NOT_YET)
    verdicts = found.set_index(["id", "jdk"])["verdict"]
    for name, pair in choices.items():
        jdk, reasons = CASES[name]
        if not isinstance(pair, tuple) or len(pair) != 2 or pair[0] not in ("NEW", "LOCKED", "POOL", "SHARE"):
            return _say(f'{name}: a pair such as ("NEW", 3)', repr(pair), "the brackets, the quotes, the comma")
        choice, claim = pair
        verdict = verdicts.get((claim, jdk)) if _is_whole(claim) else None
        if verdict is None:
            return _say(f"{name}: the number of a claim, 1 to {found['id'].max()}", repr(claim), "./workbook ledger")
        right = [
            other for other, claims in reasons.items() if any(verdicts.get((n, jdk)) in v for n, v in claims.items())
        ]
        if choice not in right:
            look = LOOKS.get((name, choice), "is it expensive to make? Is it shared? Is it kept?")
            return _say(f"{name}: a choice other than {choice}", f"claim {claim}: {verdict} on Java {jdk}", look)
        if claim not in reasons[choice]:
            look = "which claim measured such an object, and which figure matters: a mean, a percentile, memory?"
            return _say(f"{name}: a claim that supports {choice} here", f"{claim}, about something else", look)
        if verdict not in reasons[choice][claim]:
            look = f"./workbook ledger {claim}: '{verdict}' is no reason here"
            return _say(f"{name}: a claim that has a verdict on Java {jdk}", f"{claim}: {verdict}", look)
    print("✓ Six choices, each with a claim that was measured on its Java.")


def recipes(answers: object, ask: Callable[..., Answer]) -> None:
    """Lesson 13: four objects that can be measured once they are reset or closed.

    ``answers`` maps each name to the arguments of ``ask``, which is `poolbook.should_i_pool`.
    """
    names = ("list", "builder", "stream", "inflater")
    if not isinstance(answers, dict) or set(answers) != set(names) or not all(map(_is_recipe, answers.values())):
        return _say(f"a dict with the names {', '.join(names)}", repr(answers)[:70], "the cell above")
    if not any({"reset", "close"} & set(parts) for parts in answers.values()):
        return print(NOT_YET.replace("replace the three dots", "add the missing parts"))
    for name in names:
        try:
            answer = ask(**answers[name], dry_run=True)
        except (JavaProblem, TypeError) as problem:
            return _say(
                f"{name}: a recipe that compiles", str(problem).splitlines()[0], "its text, and the names of its parts"
            )
        if answer.advice != "CAN_BE_MEASURED":
            return _say(f"{name}: It can be measured.", str(answer).splitlines()[0], answer.why)
        if "reset" not in answers[name]:
            return _say(
                f"{name}: as good as new for the next borrower", "no reset", "what does the last use leave in it?"
            )
    print(
        "✓ All four can be measured, and leave nothing behind. This check cannot see whether a reset really makes an"
        " object as good as new: its documentation says so."
    )


def _is_recipe(parts: object) -> bool:
    return isinstance(parts, dict)


def pool_size(busy: object, size: object, two_each: object, ask: Callable[..., pd.DataFrame]) -> None:
    """Lesson 14: the connections that are busy, those that are recommended, and those that exclude a deadlock.

    ``ask`` runs ``size-my-pool`` with options and returns its rows.
    """
    answers = {"busy": busy, "size": size, "two_each": two_each}
    if any(answer is ... for answer in answers.values()):
        return print(NOT_YET)
    for name, answer in answers.items():
        if not _is_number(answer):
            return _say(f"{name}: a number", repr(answer), "the task above")
    if not abs(busy - 3) <= 0.01:
        looks = {3000: "milliseconds are not seconds", 12: "on average: the mean, not p99"}
        return _say("busy: 3 connections", f"{busy:g}", looks.get(round(busy) if np.isfinite(busy) else None, "hint 1"))
    same = ["--rate", 120, "--hold", "25ms", "--wait-p99", "20ms"]
    recommended, regular = (_enough(ask(*same, *more)) for more in (["--hold-p99", "250ms"], []))
    if size != recommended:
        look = "hint 2: the rows where `is_enough` is True, and of these the smallest"
        if size == regular:
            look = "the 99th percentile of the holding time: --hold-p99"
        elif size == 3:
            look = "three are busy on average: who serves a request that comes when all three are out?"
        return _say(f"size: {recommended} connections", f"{size:g}", look)
    if two_each != 41:
        looks = {
            40: "when all 40 hold one, who can finish first?",
            80: "enough, but not the fewest: they need not all have two",
        }
        return _say(
            "two_each: 41 connections",
            f"{two_each:g}",
            looks.get(two_each, "threads x (borrows - 1), and one more"),
        )
    print(
        f"✓ {busy:g} are busy on average, {size:g} keep the wait short, "
        f"and with {two_each:g}, threads that borrow two each cannot deadlock."
    )


def crowd(rows: pd.DataFrame, seconds: int) -> None:
    """Lesson 11: ten thousand virtual threads and a learner's pool, a row for each Java; stopped after ``seconds``."""
    for row in rows.itertuples():
        if row.is_through:
            print(f"✓ Java {row.jdk}: ten thousand threads got through in {row.seconds:.1f} s.")
        elif pd.isna(row.seconds):
            came = f"Java {row.jdk}: a thread got null, or an object that another one has"
            _say("ten thousand threads get through", came, "the order of the lines, and hint 2")
        else:
            look = "borrow: which line keeps its carrier while it waits?"
            _say("ten thousand threads get through", f"Java {row.jdk}: not done after {seconds} seconds", look)


def _enough(rows: pd.DataFrame) -> int:
    """The smallest size that is enough."""
    return int(rows.loc[rows["is_enough"], "objects"].min())


def _say(expected: str, came: str, look: str) -> None:
    print(f"✗ expected  {expected}\n  got       {came}\n  look at   {look}")
