"""However a measuring program ends, none of its JVMs keeps running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from functools import partial

import psutil
import pytest

from poolbook.system.paths import ROOT

# Each would run for minutes.
PROGRAMS = {
    "bench-dates": ["--threads", "1", "--strategies", "POOL", "-f", "1", "-wi", "1", "-w", "300s"],
    "dates": ["--threads", "1", "--parses", "900000000", "--strategies", "POOL", "--compiler", "default"],
    "market-feed": [str(ROOT / "datasets" / "market" / "day-100000.bin.gz"), "--messages", "9000000000"],
    "byte-strings": ["--strategies", "POOL", "--lengths", "8", "--texts", "2000000000"],
}
SIGNALS = ["SIGINT", "SIGTERM", "SIGKILL"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signal like Ctrl-C for one process")
@pytest.mark.parametrize(
    ("alias", "name"),
    [
        *(("bench-dates", name) for name in SIGNALS),
        *((alias, "SIGKILL") for alias in PROGRAMS if alias != "bench-dates"),
    ],
)
def test_no_child_outlives_its_program(alias: str, name: str) -> None:
    command = [sys.executable, str(ROOT / "workbook"), "jbang", alias, *PROGRAMS[alias]]
    # Where the tests themselves run in the background, Ctrl-C is ignored by all that they start.
    heeds = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=ROOT, preexec_fn=heeds, **pipes) as process:
        assert any(line.startswith("[1/") for line in process.stderr), "it did not begin"
        child = _child(process.pid)
        process.send_signal(getattr(signal, name))
        # A killed one still counts as a process here, as nobody has asked for its exit status yet.
        _, alive = psutil.wait_procs([child], timeout=30)
        process.wait(timeout=30)
    for left in alive:
        left.kill()
    assert not alive, f"{child} went on"


def _child(pid: int) -> psutil.Process:
    """The JVM that a program has started, after a moment: before that it cannot notice its parent's end."""
    for _ in range(300):
        for child in psutil.Process(pid).children():
            if child.cpu_times().user > 0.3:
                return child
        time.sleep(0.1)
    raise AssertionError("no child was started")
