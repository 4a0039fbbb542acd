"""The turn pool: as one file that a program can take, where its ideas are, and what it is without one of its rules."""

from __future__ import annotations

import re
from dataclasses import dataclass

from IPython.display import Markdown

from poolbook.system.paths import BUILD, JAVA, ROOT

PARTS = ("TurnPool", "Line", "Slot")
ABOUT = """\
// A bounded object pool that is fast and fair: while others wait, a borrower may take the same object again and again
// for a short turn, and then hands it to the next thread in line. One file, no dependencies, Java 8 or later.
//
// Do not use it for objects that are cheap to make, or that the JDK or your framework already pools. It makes all
// objects at once, never checks or replaces one, and waits for those that are never released. A StackOverflowError in
// one of its methods may lose an object. It was measured on two processors only.
//
// From the Object Pool Workbook; Apache License 2.0, SPDX-License-Identifier: Apache-2.0.
"""
CONTRACT = """\
lends an object to one thread at a time.
 * {@code borrow} returns null after its timeout. Any thread may {@code release}, but only what is
 * lent now. After {@code close} no borrow succeeds, nobody waits any longer, and what is lent may
 * still be released. All that is refused throws {@link IllegalStateException}, and null
 * throws {@link NullPointerException}.
 *
 * <p>It"""


@dataclass(frozen=True)
class Rule:
    """A rule of the turn pool: its reason, the code that keeps it, the code without it, and what sees the difference.

    ``scenario`` and ``tool`` are those of ``pool-break``.
    """

    why: str
    kept: str
    broken: str
    scenario: str
    tool: str


RULES = {
    "ONE_TAKES": Rule(
        "a slot is taken by one compareAndSet: if looking and taking are two steps, two threads can get one object",
        "if (own.compareAndSet(FREE, me)) {",
        "if (own.get() == FREE && own.getAndSet(me) != me) {",
        "NEVER_TOO_MANY",
        "LINCHECK",
    ),
    "ONE_RELEASES": Rule(
        "a slot is given back by one compareAndSet: of two releases at the same moment, one is refused",
        "if (!slot.compareAndSet(owner, after)) { // of two releases, one\n      throw notLent();\n    }",
        "slot.set(after);",
        "ONE_OF_TWO_RELEASES",
        "LINCHECK",
    ),
    "LINE_THEN_LOOK": Rule(
        "a thread looks at the slots once more when it stands in line: one may have become free on its way there",
        "if (isGuard || waiter.isCalled) {",
        "if (waiter.isCalled) {",
        "A_RELEASE_ENDS_THE_WAIT",
        "COUNT",
    ),
    "ONE_END": Rule(
        "a wait has one end, and the first counts: a thread that is served before its time is up has an object,"
        " even if it wakes up too late",
        "if (end == INTERRUPTED) {",
        "if (System.nanoTime() - start >= nanos) {\n      return null;\n    } else if (end == INTERRUPTED) {",
        "A_LATE_TIMEOUT",
        "COUNT",
    ),
    "A_GUARD_WATCHES": Rule(
        "a release that keeps its slot wakes the guard: otherwise the others sleep while the slot lies idle",
        "if (on != null && on.isAsleep) { // read after the slot was freed",
        "if (false) {",
        "EVERY_PAIR",
        "COUNT",
    ),
    "CLOSE_THEN_LOOK": Rule(
        "close marks the pool before it looks through the slots and the line: otherwise one comes in behind its back",
        "isClosed = true; // before the slots and queues are read\n",
        "",
        "CLOSE_ENDS_ALL_WAITS",
        "LINCHECK",
    ),
}
"""The rules that the argument in TurnPool's first comment rests on."""


IDEAS = (
    ("a slot of one's own", "own", "TurnPool", "if (own.compareAndSet(FREE, me)) {"),
    ("hand over, do not shout", "handOn", "TurnPool", "} else if (next.compareAndSet(null, slot)) {"),
    ("a turn, not an operation", "freed", "TurnPool", "boolean isOver = isWanted &&"),
    ("a guard for what is kept", "sleep", "TurnPool", "private void sleep("),
    ("a shorter turn, the more threads wait", "", "Line", "long turn() {"),
    ("a turn for everybody before a borrow gives up", "", "Line", "void noteTimeout("),
    ("one look at the clock for up to sixteen releases", "", "Slot", "final boolean isOver("),
    ("threads that hold an object already go first", "", "Line", "Waiter poll() {"),
    ("two objects of one thread have one turn", "", "TurnPool", "held.begin(line.turn());"),
    ("a slot for whoever comes first, where borrowers stay away", "", "Slot", "final boolean isOpening("),
    ("no search through the line for each timeout", "", "Line", "void leave() {"),
)
"""What the pool does, the method of lesson 15's own pool that does it, and where it is: a class and code in it."""


def map_of_ideas() -> Markdown:
    """Where each idea is: in the pool of lesson 15, and in the classes of the turn pool, with the line.

    Raises LookupError if the code has changed and the list has not.
    """
    rows = ["| idea | in yours | in the turn pool |", "|---|---|---|"]
    for idea, own, name, code in IDEAS:
        before, found, _ = (JAVA / "pools" / f"{name}.java").read_text(encoding="utf-8").partition(code)
        if not found:
            raise LookupError(f"{name}.java does not have the code of: {idea}")
        rows.append(f"| {idea} | {f'`{own}`' if own else ''} | `{name}.java`, line {before.count(chr(10)) + 1} |")
    return Markdown("\n".join(rows))


def source(rule: str = "") -> str:
    """The three classes as one Java file; the pool is called MyPool and keeps ``ObjectPool`` if a rule is to be broken.

    Raises KeyError for an unknown rule, and LookupError if the code has changed and the rule has not.
    """
    texts = {name: (JAVA / "pools" / f"{name}.java").read_text(encoding="utf-8") for name in PARTS}
    imports = sorted({line for text in texts.values() for line in re.findall(r"^import .*;$", text, re.MULTILINE)})
    code = "\n".join(
        re.sub(r"^(package|import) .*\n", "", text, flags=re.MULTILINE).strip() + "\n" for text in texts.values()
    )
    if not rule:
        alone = code.replace("implements ObjectPool<T>", "implements AutoCloseable").replace("  @Override\n", "")
        alone = alone.replace("it keeps the whole contract of {@link ObjectPool}. It", f"it {CONTRACT}")
        return "\n".join([ABOUT, *imports, "", alone])
    broken = RULES[rule]
    if code.count(broken.kept) != 1:
        raise LookupError(f"TurnPool.java does not have the code of {rule} once")
    return "\n".join(
        [*imports, "import pools.*;", "", code.replace(broken.kept, broken.broken).replace("TurnPool", "MyPool")]
    )


def broken(rule: str) -> str:
    """Write the pool without a rule into a file for ``pool-break``, and return its path. Raises as `source`."""
    folder = BUILD / "turns" / rule
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "MyPool.java"
    file.write_text(source(rule), encoding="utf-8")
    return file.relative_to(ROOT).as_posix()
