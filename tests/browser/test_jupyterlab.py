"""JupyterLab in a real browser, as a learner uses it.

Skipped where there is no browser; REQUIRE_BROWSER=1 makes that a failure.
Screenshots are in build/browser/, to be looked at.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from launch import copied
from poolbook.lessons.notebook import read
from poolbook.system.paths import BUILD, NOTEBOOKS

pytestmark = pytest.mark.slow

SHOTS = BUILD / "browser"
MARK = "WORKBOOK_TESTS_MARK"  # a variable that children inherit
TOKEN = "t"
PANEL = ".jp-NotebookPanel:not(.lm-mod-hidden)"


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab: its checkout, its address, and what marks its processes."""

    checkout: Path
    address: str
    mark: str

    def asked(self, path: str) -> object:
        """The answer of the server's own interface."""
        with urllib.request.urlopen(f"{self.address}/api/{path}?token={TOKEN}", timeout=10) as answer:
            return json.load(answer)

    def state(self, notebook: str) -> str:
        """What the kernel of a notebook does: idle or busy. (The page does not know at first, of a Java kernel.)"""
        found = (session["kernel"] for session in self.asked("sessions") if session["path"] == notebook)
        return next((kernel["execution_state"] for kernel in found), "none")

    def saved(self, number: str) -> Path:
        """The learner's copy of a lesson."""
        return next((self.checkout / "my").glob(f"{number}-*.ipynb"))

    def measures(self) -> list[psutil.Process]:
        """The JVMs of this JupyterLab that measure; not those that are kernels or build something."""
        return [one for one in psutil.process_iter() if self._is_fork(one)]

    def _is_fork(self, one: psutil.Process) -> bool:
        try:
            return one.environ().get(MARK) == self.mark and any("ForkedMain" in word for word in one.cmdline())
        except psutil.Error:
            return False


def until(what: Callable[[], object], seconds: float, why: str) -> object:
    """The first answer that is not empty."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            if found := what():
                return found
        except OSError:
            pass  # the server does not answer yet
        assert time.monotonic() < deadline, why
        time.sleep(0.1)


@pytest.fixture(scope="module")
def lab(browser: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """``./workbook lab`` in a second checkout, with short measurements; nothing starts without a browser."""
    checkout = copied(tmp_path_factory.mktemp("lab") / "workbook")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    mark = uuid.uuid4().hex
    settings = {**os.environ, "JUPYTER_TOKEN": TOKEN, "WORKBOOK_PROFILE": "smoke", MARK: mark}
    settings["JUPYTERLAB_WORKSPACES_DIR"] = str(checkout.parent / "workspaces")  # not the tabs of somebody's last time
    with (checkout / "lab.log").open("w+") as log:
        process = subprocess.Popen(
            [sys.executable, checkout / "workbook", "lab", "--no-browser", "--port", str(port)],
            cwd=checkout, env=settings, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        )  # fmt: skip
        try:
            running = Lab(checkout, f"http://127.0.0.1:{port}", mark)
            until(lambda: running.asked("status"), 300, "JupyterLab did not start")
            yield running
        finally:
            process.terminate()
            process.wait(30)


@pytest.fixture
def opened(browser: object, lab: Lab) -> Iterator[Callable[[str], object]]:
    """Opens a lesson; a request to any other host is a failure."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    asked: list[str] = []

    def opening(number: str) -> object:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("websocket", lambda opened: asked.append(opened.url))
        page.goto(f"{lab.address}/lab/tree/{lab.saved(number).name}?reset&token={TOKEN}")
        page.wait_for_selector(f"{PANEL} .jp-Cell")
        until(lambda: lab.state(lab.saved(number).name) == "idle", 120, f"the kernel of lesson {number} did not start")
        return page

    yield opening
    context.close()
    port = lab.address.rsplit(":", 1)[1]
    ours = re.compile(rf"(http|ws)://127\.0\.0\.1:{port}/|data:|blob:")
    assert asked and not [url for url in asked if not ours.match(url)]


def choose(page: object, menu: str, entry: str) -> None:
    """An entry of a menu, as with a mouse."""
    page.locator(".lm-MenuBar-item", has_text=re.compile(f"^{menu}$")).click()
    page.locator(".lm-Menu-item .lm-Menu-itemLabel", has_text=re.compile(f"^{entry}$")).click()


def ran(page: object, file: Path) -> bool:
    """Whether every cell of a lesson has run; it is saved first."""
    choose(page, "File", "Save Notebook")
    time.sleep(0.5)
    try:
        cells = read(file).cells
    except ValueError:  # JupyterLab is just writing it
        return False
    code = [cell for cell in cells if cell.cell_type == "code" and cell.source.strip()]
    return all(cell.execution_count for cell in code)


@pytest.mark.parametrize("number", ["00", "02"])
def test_a_lesson_runs_from_the_menu(number: str, lab: Lab, opened: Callable[[str], object]) -> None:
    page = opened(number)
    choose(page, "Run", "Run All Cells")
    until(lambda: ran(page, lab.saved(number)), 240, f"lesson {number} did not run to its end")
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / f"lab-{number}.png")
    outputs = [output for cell in read(lab.saved(number)).cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.output_type == "error"]
    assert sum("image/png" in output.get("data", {}) for output in outputs) >= (number == "00")
    original = next(NOTEBOOKS.glob(f"{number}-*.ipynb"))
    assert len(read(lab.saved(number)).cells) == len(read(original).cells)


def test_an_interrupt_in_mid_benchmark_leaves_no_process(lab: Lab, opened: Callable[[str], object]) -> None:
    page = opened("03")
    choose(page, "Run", "Run All Cells")
    forks = until(lab.measures, 120, "lesson 03 measured nothing")
    choose(page, "Kernel", "Interrupt Kernel")
    psutil.wait_procs(forks, timeout=5)
    until(lambda: all(kernel["execution_state"] == "idle" for kernel in lab.asked("kernels")), 60, "the kernel went on")
    assert lab.measures() == []
    page.screenshot(path=SHOTS / "lab-03-interrupted.png")
