"""Drawings of what happens in a pool, all in one look. Each function returns a picture that is also there in words.

An object is round. A thread is a box with round corners, dashed while it waits. Numbers say what comes first.
"""

from __future__ import annotations

import html
import math

from IPython.display import SVG

SIZE = 16  # of all texts
LINE, STEP = 20, 26  # from one line of a text, or of the legend, to the next
MARK = 20  # the square around a number
INK, BLUE, ORANGE = "#222222", "#0072b2", "#d55e00"
WHITE, GREY, LIGHT_BLUE, LIGHT_ORANGE = "#ffffff", "#f2f2f2", "#d9eaf7", "#fde8d8"


class Drawing(SVG):
    """A picture, and what it shows in words."""

    def __init__(self, picture: str, words: str) -> None:
        super().__init__(picture)
        self.words = words

    def __repr__(self) -> str:
        return self.words


class _Canvas:
    """Boxes, circles, texts and arrows on a white ground. A place is the middle of what stands there."""

    def __init__(self, width: int, height: int) -> None:
        self.size = (width, height)
        self.parts: list[str] = []

    def text(self, x: float, y: float, *lines: str, anchor: str = "middle") -> None:
        for number, line in enumerate(lines):
            base = y + 0.35 * SIZE + LINE * (number - (len(lines) - 1) / 2)
            self.parts.append(
                f'<text x="{x:g}" y="{base:g}" text-anchor="{anchor}" fill="{INK}">{html.escape(line)}</text>'
            )

    def box(self, x: float, y: float, width: float, height: float, *lines: str, waits: bool = False,
            fill: str = GREY, corner: int = 0) -> None:  # fmt: skip
        look = f'fill="{fill}" stroke="{INK}"'
        if waits:
            look = f'fill="{LIGHT_ORANGE}" stroke="{ORANGE}" stroke-dasharray="6 4"'
        self.parts.append(
            f'<rect x="{x - width / 2:g}" y="{y - height / 2:g}" width="{width:g}" height="{height:g}" rx="{corner}"'
            f' stroke-width="1.5" {look}/>'
        )
        self.text(x, y, *lines)

    def thread(self, x: float, y: float, *words: str, waits: bool = False, width: int = 92, height: int = 38) -> None:
        self.box(x, y, width, height, *words, waits=waits, fill=WHITE, corner=height // 3)

    def objects(self, y: float, **places: float) -> None:
        """Objects of the pool, with their names and where they stand from left to right."""
        for name, x in places.items():
            self.circle(x, y, 17)
            self.text(x, y, name)

    def circle(self, x: float, y: float, radius: float) -> None:
        look = f'fill="{LIGHT_BLUE}" stroke="{BLUE}" stroke-width="2"'
        self.parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {look}/>')

    def line(self, *points: tuple[float, float], colour: str = INK, dashed: bool = False) -> None:
        places = " ".join(f"{x:g},{y:g}" for x, y in points)
        dash = ' stroke-dasharray="6 4"' if dashed else ""
        self.parts.append(f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')

    def arrow(self, *points: tuple[float, float], step: str = "", at: float = 0.5, colour: str = INK,
              dashed: bool = False) -> None:  # fmt: skip
        """Through all points to the last; its number stands at a part of the way along the first leg."""
        (before_x, before_y), (x, y) = points[-2:]
        length = math.dist((before_x, before_y), (x, y))
        ahead_x, ahead_y = (x - before_x) / length, (y - before_y) / length
        back_x, back_y = x - 11 * ahead_x, y - 11 * ahead_y
        self.line(*points[:-1], (back_x, back_y), colour=colour, dashed=dashed)
        sides = [f"{back_x - side * ahead_y:g},{back_y + side * ahead_x:g}" for side in (5.5, -5.5)]
        self.parts.append(f'<polygon points="{x:g},{y:g} {" ".join(sides)}" fill="{colour}"/>')
        if step:
            (from_x, from_y), (to_x, to_y) = points[:2]
            self.mark(from_x + at * (to_x - from_x), from_y + at * (to_y - from_y), step)

    def mark(self, x: float, y: float, step: str) -> None:
        self.box(x, y, MARK, MARK, step, fill=WHITE, corner=3)

    def legend(self, top: float, *lines: str) -> None:
        """A line for each step: its number, a blank, and what happens."""
        for number, line in enumerate(lines):
            step, words = line.split(" ", 1)
            self.mark(20, top + number * STEP, step)
            self.text(38, top + number * STEP, words, anchor="start")

    def shown(self, title: str, description: str) -> Drawing:
        width, height = self.size
        picture = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
            f' role="img" style="max-width:100%;height:auto" font-family="sans-serif" font-size="{SIZE}">'
            f"<title>{html.escape(title)}</title><desc>{html.escape(description)}</desc>"
            f'<rect width="{width}" height="{height}" fill="{WHITE}"/>{"".join(self.parts)}</svg>'
        )
        return Drawing(picture, f"{title}. {description}")


def queue() -> Drawing:
    """A BlockingQueue: one lock at its door, and who is woken must compete."""
    canvas = _Canvas(500, 300)
    canvas.box(320, 108, 100, 172)
    canvas.text(320, 42, "queue")
    canvas.box(240, 108, 60, 172, "one", "lock", fill=WHITE)
    canvas.objects(108, X=320)
    for y, words in ((48, "A waits"), (108, "B waits"), (168, "C comes")):
        canvas.thread(58, y, words, waits=y < 168)
    canvas.thread(460, 108, "D", width=60)
    canvas.arrow((430, 108), (338, 108), step="1", at=0.42, colour=BLUE)
    canvas.arrow((209, 36), (105, 36), step="2", at=0.3, colour=ORANGE, dashed=True)
    canvas.arrow((105, 60), (209, 60), step="3", at=0.3)
    canvas.arrow((105, 168), (209, 168), step="3", at=0.3)
    canvas.legend(226, "1 D releases object X.", "2 A is woken. B goes on waiting.", "3 A and C compete for the lock.")
    return canvas.shown(
        "A blocking queue has one lock at its door",
        "Threads A and B wait for an object. Thread D releases one, and A is woken. At this moment thread C comes."
        " A and C compete for the lock, and whoever gets it first takes the object.",
    )


def first_come() -> Drawing:
    """A pool that serves the thread that has waited longest."""
    canvas = _Canvas(500, 234)
    for x, name in ((168, "C waits"), (262, "B waits"), (356, "A waits")):
        canvas.thread(x, 54, name, waits=True, width=82)
    for x, words in ((168, "last"), (356, "first"), (452, "pool")):
        canvas.text(x, 20, words)
    canvas.box(452, 54, 76, 38, "empty")
    canvas.thread(308, 140, "D", width=60)
    canvas.objects(140, X=356)
    canvas.arrow((356, 123), (356, 74), step="1", at=0.4, colour=BLUE)
    canvas.thread(56, 140, "E comes", width=82)
    canvas.arrow((56, 121), (56, 54), (126, 54), step="2", at=0.4)
    canvas.legend(186, "1 D releases X, and it goes straight to A.", "2 E goes to the end, behind C.")
    return canvas.shown(
        "First come, first served",
        "Threads A, B and C wait in the order in which they came. Thread D releases an object, which goes straight to"
        " A, the first. Thread E comes now, and has to wait behind C.",
    )


def slot() -> Drawing:
    """Stormpot's BlazePool: each thread keeps its last object in a place of its own."""
    canvas = _Canvas(500, 318)
    for x, name in ((70, "A"), (230, "B"), (390, "C")):
        canvas.thread(x, 30, f"thread {name}")
        canvas.line((x, 49), (x, 104))
        canvas.box(x, 130, 52, 52, fill=WHITE)
    canvas.objects(130, X=70, Y=230)
    canvas.text(150, 130, "a place", "of its own")
    canvas.arrow((70, 49), (70, 112), step="1", at=0.4, colour=BLUE)
    canvas.box(230, 216, 320, 52)
    canvas.text(84, 216, "common queue", anchor="start")
    canvas.objects(216, U=250, V=300, W=350)
    canvas.arrow((474, 30), (474, 216), (391, 216), step="2")
    canvas.line((436, 30), (474, 30))
    canvas.legend(270, "1 A takes its last object, and asks nobody.", "2 C has none, so it asks the common queue.")
    return canvas.shown(
        "Each thread keeps its last object in a place of its own",
        "Threads A and B each have the object that they used last in a place of their own. A takes it from there and"
        " asks nobody. Thread C has none, so it has to ask the common queue, where the others are.",
    )


def bag() -> Drawing:
    """HikariCP's ConcurrentBag: a thread's own list, the shared list, and then a hand-over."""
    canvas = _Canvas(500, 340)
    for x, width, name in ((240, 112, "A's list"), (330, 46, "B's list")):
        canvas.text(x, 18, name)
        canvas.box(x, 54, width, 46)
    canvas.box(300, 136, 232, 46)
    canvas.text(424, 136, "shared", "list", anchor="start")
    for x in (210, 270, 330):
        canvas.line((x, 71), (x, 119), colour=BLUE, dashed=True)
    canvas.objects(54, W=210, X=270, Y=330)
    canvas.objects(136, W=210, X=270, Y=330, Z=390)
    canvas.thread(58, 136, "thread A")
    canvas.thread(446, 222, "thread C")
    canvas.arrow((58, 54), (183, 54), step="1")
    canvas.line((58, 117), (58, 54))
    canvas.arrow((105, 136), (183, 136), step="2", at=0.4)
    canvas.arrow((400, 222), (58, 222), (58, 156), step="3", at=0.82)
    canvas.objects(222, Z=270)
    steal = "2 Then it may steal Y from the shared list."
    canvas.legend(266, "1 A looks in its own list.", steal, "3 Then A waits, until C hands Z over.")
    return canvas.shown(
        "A bag with a list for each thread and one for all",
        "The shared list has all objects. W and X are also in the list of thread A, and Y is in the list of thread B."
        " A looks in its own list first. If nothing is free there, it looks in the shared list, and may take Y, which"
        " is in B's list. If nothing is free at all, it waits until thread C hands over an object.",
    )


def partitions() -> Drawing:
    """Fast Object Pool: a thread looks in its own partition only."""
    canvas = _Canvas(500, 276)
    for x, name in ((130, "partition 1"), (370, "partition 2")):
        canvas.box(x, 136, 190, 56)
        canvas.text(x, 184, name)
    canvas.text(130, 136, "empty")
    canvas.thread(130, 34, "A waits", waits=True)
    canvas.thread(370, 34, "thread B")
    canvas.objects(136, X=320, Y=370, Z=420)
    canvas.arrow((130, 53), (130, 107), step="1", at=0.4)
    canvas.arrow((370, 53), (370, 118), step="2", at=0.35, colour=BLUE)
    canvas.legend(228, "1 A finds nothing in its partition, and waits.", "2 B finds an object in its own at once.")
    return canvas.shown(
        "A pool in two partitions",
        "Thread A looks in its own partition, which is empty, and waits there. It does not look in the other one,"
        " which is full: thread B takes an object from it at once.",
    )


def hold_and_wait() -> Drawing:
    """Two threads, two objects: each holds one and waits for the other's."""
    canvas = _Canvas(500, 300)
    canvas.thread(70, 120, "thread A", waits=True)
    canvas.thread(430, 120, "thread B", waits=True)
    canvas.objects(40, X=250)
    canvas.objects(200, Y=250)
    canvas.text(250, 120, "a cycle")
    for x, held, y, wanted, inner in ((70, 101, 40, 200, 232), (430, 139, 200, 40, 268)):
        canvas.arrow((inner, y), (x, y), (x, held), colour=BLUE)
        canvas.mark(x, (y + held) / 2, "1")
        canvas.arrow((x, 240 - held), (x, wanted), (inner, wanted), step="2", colour=ORANGE, dashed=True)
        canvas.text((x + inner) / 2, y - 14, "held by")
        canvas.text((x + inner) / 2, wanted - 14, "waits for")
    canvas.legend(252, "1 Each thread takes one of the two objects.", "2 Each waits for the one that the other holds.")
    return canvas.shown(
        "Hold and wait",
        "Thread A holds object X and waits for Y. Thread B holds Y and waits for X. Neither gives back what it has,"
        " so both wait forever.",
    )


def carriers() -> Drawing:
    """Two carriers of virtual threads, one of which stands still under a pinned thread."""
    canvas = _Canvas(500, 318)
    for x, name, first, second in ((120, "carrier 1", "V2", "V3"), (380, "carrier 2 stands still", "V5", "V6")):
        canvas.text(x, 18, name)
        canvas.box(x, 66, 220, 68, waits=x == 380, fill=GREY)
        canvas.box(x, 180, 220, 56)
        canvas.thread(x - 40, 180, first, width=56)
        canvas.thread(x + 40, 180, second, width=56)
        canvas.text(x, 226, "its queue")
    canvas.thread(120, 66, "V1 runs")
    canvas.thread(380, 66, "V4 pinned", waits=True, width=100)
    canvas.mark(302, 66, "1")
    canvas.arrow((80, 161), (80, 101), step="2")
    canvas.arrow((312, 176), (204, 101), step="2")
    canvas.legend(270, "1 V4 is pinned, so its carrier waits with it.", "2 Carrier 1 is left to run all the others.")
    return canvas.shown(
        "Two carriers, and a virtual thread that is pinned",
        "Each carrier runs one virtual thread and has a queue of others. On carrier 2, a virtual thread is pinned: it"
        " waits and cannot leave its carrier, so this carrier stands still. Carrier 1 is left to run all the others,"
        " those in its own queue and those in the queue of carrier 2.",
    )


def queue_moves() -> Drawing:
    """Few connections, and many: the same requests wait before the pool, or inside the server."""
    canvas = _Canvas(520, 378)
    for middle, connections, heading, speed in ((130, 2, "few", "quickly"), (390, 6, "many", "slowly")):
        canvas.text(middle, 18, f"{heading} connections")
        canvas.box(middle, 130, 240, 70)
        canvas.text(middle, 112, "pool")
        canvas.box(middle, 264, 240, 124)
        canvas.text(middle, 302, f"server answers {speed}")
        for number in range(6):
            inside = number < connections
            x = middle + 38 * (number - (connections - 1) / 2 if inside else number - connections - 1.5)
            canvas.thread(x, 264 if inside else 52, waits=number >= 2, width=26, height=26)
            if inside:
                canvas.circle(x, 140, 12)
                canvas.arrow((x, 152), (x, 249))
    canvas.arrow((130, 68), (130, 94))
    canvas.text(390, 52, "nobody waits")
    canvas.thread(24, 354, width=26, height=26)
    canvas.thread(204, 354, waits=True, width=26, height=26)
    canvas.circle(334, 354, 12)
    for x, words in ((46, "is worked on"), (226, "waits"), (354, "a connection")):
        canvas.text(x, 354, words, anchor="start")
    return canvas.shown(
        "More connections move the queue into the server",
        "Six requests, and a server that works on two at a time. On the left, the pool has two connections: four"
        " requests wait before the pool, and the server answers quickly. On the right, it has six: nobody waits before"
        " the pool, and the same four requests wait inside the server, which answers slowly.",
    )


def remembered() -> Drawing:
    """A slot for each object, and each thread remembers the one that it had last."""
    canvas = _Canvas(500, 320)
    for x, name in ((90, "A"), (250, "B"), (410, "C")):
        canvas.thread(x, 30, f"thread {name}")
    canvas.box(250, 170, 400, 76)
    canvas.text(250, 226, "four slots, one for each object")
    for x, state in ((100, "A"), (200, "free"), (300, "B"), (400, "free")):
        canvas.box(x, 170, 64, 56, state, fill=WHITE if state == "free" else LIGHT_BLUE)
    canvas.arrow((90, 49), (98, 140), step="1", colour=BLUE)
    canvas.arrow((250, 49), (298, 140), step="1", colour=BLUE)
    canvas.arrow((410, 49), (306, 140), step="2", dashed=True, colour=ORANGE)
    canvas.arrow((416, 49), (402, 140), step="3")
    canvas.legend(
        250,
        "1 A and B find the slots that they had last.",
        "2 C had the same one as B, and it is taken.",
        "3 So C looks through all of them.",
    )
    return canvas.shown(
        "Each thread remembers the slot that it had last",
        "Four slots, one for each object. Threads A and B each find the slot free that they had last, and write their"
        " names into it. Thread C had the same slot as B, which is taken now, so it looks through all slots and takes"
        " one that is free.",
    )


def _timeline(canvas: _Canvas, top: float, name: str, *parts: tuple[float, str]) -> None:
    """What a processor does, from left to right: uses of an object by a thread, and switches, with their widths."""
    canvas.text(8, top - 32, name, anchor="start")
    x = 8.0
    for width, what in parts:
        if what == "switch":
            canvas.box(x + width / 2, top, width, 30, fill=LIGHT_ORANGE)
        else:
            canvas.box(x + width / 2, top, width, 30, what, fill=LIGHT_BLUE if what == "A" else WHITE)
        x += width


def turn() -> Drawing:
    """The same object handed over at each release, and after a turn."""
    canvas = _Canvas(520, 246)
    each = [(20, "A"), (62, "switch"), (20, "B"), (62, "switch")]
    _timeline(canvas, 54, "Handed over at each release", *each, *each, *each)
    _timeline(canvas, 142, "Handed over after a turn", *[(20, "A")] * 10, (62, "switch"), *[(20, "B")] * 10)
    canvas.line((8, 166), (208, 166), colour=BLUE)
    canvas.text(108, 180, "a turn")
    canvas.box(18, 220, 20, 20, "A", fill=LIGHT_BLUE)
    canvas.text(36, 220, "A uses the object", anchor="start")
    canvas.box(202, 220, 20, 20, "B", fill=WHITE)
    canvas.text(220, 220, "B uses it", anchor="start")
    canvas.box(326, 220, 40, 20, fill=LIGHT_ORANGE)
    canvas.text(354, 220, "a switch", anchor="start")
    return canvas.shown(
        "An object that is handed over at each release, and after a turn",
        "Two lines of time. In the upper one A uses the object once, then a switch takes three times as long as that"
        " use, then B uses it once, then comes the next switch. In the lower one A uses it ten times, then there is one"
        " switch, then B uses it ten times.",
    )


def slice_of_time() -> Drawing:
    """A turn that ends before the system takes the processor away, and one that does not."""
    canvas = _Canvas(520, 316)
    canvas.line((288, 22), (288, 196), colour=ORANGE, dashed=True)
    canvas.text(288, 12, "here A's time slice is over")
    _timeline(canvas, 86, "A turn shorter than the slice", *[(20, "A")] * 9, (62, "switch"), *[(20, "B")] * 9)
    parts = [*[(20, "A")] * 14, (62, "switch"), *[(20, "C")] * 6]
    _timeline(canvas, 166, "A turn longer than the slice", *parts)
    canvas.arrow((288, 204), (506, 204), colour=ORANGE)
    canvas.text(506, 224, "A has the object, and does not run", anchor="end")
    canvas.legend(
        264,
        "1 A goes to sleep by itself, and B has the object.",
        "2 The system stops A, which holds the object.",
    )
    canvas.mark(500, 86, "1")
    canvas.mark(500, 166, "2")
    return canvas.shown(
        "A turn that is shorter than the time slice, and one that is longer",
        "Two lines of time, with the moment at which the system would take the processor from thread A. In the upper"
        " one A's turn ends before that moment: A hands the object to B and sleeps, and B uses it. In the lower one"
        " the system stops A while it holds the object. Another thread, C, runs with an object of its own, and nobody"
        " can use A's object until A runs again.",
    )
