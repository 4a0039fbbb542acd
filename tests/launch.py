"""Run ./workbook as a user would (the tests start it only this way), and serve a folder as a web server would."""

from __future__ import annotations

import contextlib
import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from poolbook.system.paths import ROOT

MARK = "WORKBOOK_TESTS_MARK"  # a variable that children inherit


def workbook(
    *arguments: object, folder: Path = ROOT, seconds: float = 300, launcher: Path = ROOT / "workbook", **settings: str
) -> subprocess.CompletedProcess[str]:
    """Run a task from a folder with some environment variables set, and wait for it."""
    return subprocess.run(
        [sys.executable, str(launcher), *map(str, arguments)],
        cwd=folder, env={**os.environ, **settings}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, encoding="utf-8", timeout=seconds,
    )  # fmt: skip


def marked(mark: str) -> list[str]:
    """Command lines of the processes that were started with `MARK` set to this; none on a system without /proc.

    Other tests run the same programs at the same time: only the environment tells whose a process is.
    """
    lines = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}".encode() in (process / "environ").read_bytes():
                lines.append((process / "cmdline").read_bytes().decode(errors="replace"))
        except OSError:
            continue  # it has just ended, or it is somebody else's
    return lines


def in_language(language: str) -> dict[str, str]:
    """The environment of a user whose programs speak this language."""
    country = language.upper()
    return {
        "JAVA_TOOL_OPTIONS": f"-Duser.language={language} -Duser.country={country}",
        "LC_ALL": f"{language}_{country}.UTF-8",
    }


def is_one_clear_line(done: subprocess.CompletedProcess[str], said: str) -> None:
    """Bad input gives exit status 2, one line on standard error that says what is wrong, and nothing else."""
    on_the_way = ("[jbang]", "workbook: building", "waiting for another benchmark")  # another test's
    lines = [line for line in done.stderr.splitlines() if not line.startswith(on_the_way)]
    assert done.returncode == 2, done.stderr + done.stdout
    assert len(lines) == 1, done.stderr
    assert said in lines[0]
    assert done.stdout == ""


def copied(folder: Path) -> Path:
    """Copy the files of this checkout that git tracks or would add into a folder."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


@contextlib.contextmanager
def served(folder: Path, asked: list[str] | None = None) -> Iterator[str]:
    """A web server on loopback; yields its address. What it was asked for is added to a list."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *words: object) -> None:
            if asked is not None:
                asked.append(self.path)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


# What a `jbang` on the path does: JBang prints the command, and this runs it.
JBANG = """#!/bin/sh
command=$(JBANG_RUNTIME_SHELL=bash "{java}" -cp "{jar}" dev.jbang.Main "$@")
status=$?
[ $status -eq 255 ] && eval "exec $command"
printf '%s' "$command"
exit $status
"""


def strangers_jbang(folder: Path, address: str) -> Callable[..., subprocess.CompletedProcess[str]]:
    """The `jbang` of somebody who has no clone, with the catalog at a web address as `pools`, in an empty folder."""
    (jar,) = (ROOT / ".workbook").glob("jbang-*.jar")
    program, empty = folder / "bin" / "jbang", folder / "empty"
    for made in (program.parent, empty):
        made.mkdir(parents=True)
    program.write_text(JBANG.format(java=Path(os.environ["WORKBOOK_JAVA_HOME"]) / "bin" / "java", jar=jar))
    program.chmod(0o755)
    settings = {name: value for name, value in os.environ.items() if not name.startswith("WORKBOOK_")}
    settings |= {"JBANG_DIR": str(folder / "jbang"), "PATH": f"{program.parent}:{settings['PATH']}"}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        kept = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "encoding": "utf-8"}
        return subprocess.run([program, *arguments], cwd=empty, env=settings, timeout=300, **kept)

    for words in (("trust", "add", address), ("catalog", "add", "--name", "pools", f"{address}jbang-catalog.json")):
        done = run(*words)
        assert done.returncode == 0, done.stderr
    return run
