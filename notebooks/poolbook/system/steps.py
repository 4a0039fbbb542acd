"""The small tools of the launcher: locks, downloads, steps that are told. Python's standard library only."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import http.client
import json
import os
import re
import signal
import ssl
import subprocess
import sys
import tarfile
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from poolbook.system import streams

WHEELS = ("--only-binary", ":all:")  # for pip
WINDOWS = os.name == "nt"
if WINDOWS:
    import msvcrt
else:
    import fcntl


class Problem(Exception):
    """A problem that the reader can fix: its text is one line that says how. Exit status 2."""


def say(text: str) -> None:
    print(f"workbook: {text}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def step(title: str) -> Iterator[None]:
    """Prints what is being done, and then how many seconds it took."""
    start, end = time.monotonic(), "\n"
    print(f"workbook: {title} ... ", end="", file=sys.stderr, flush=True)
    try:
        yield
        end = f"{time.monotonic() - start:.1f} s\n"
    finally:
        print(end, end="", file=sys.stderr, flush=True)


def locked(file: IO) -> bool:
    try:
        if WINDOWS:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


@contextlib.contextmanager
def lock(path: Path) -> Iterator[None]:
    """Holds a lock file. Children inherit it: if this process is killed, they hold it until they end."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a+b") as file:
        os.set_inheritable(file.fileno(), True)
        patience = time.monotonic() + 2
        while not locked(file):
            if time.monotonic() > patience:
                say("waiting for another workbook command to finish its set-up")
                patience = float("inf")
            time.sleep(0.05)
        yield


def save(path: Path, facts: dict) -> None:
    """Writes facts so that nobody reads a half-written file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    os.replace(part, path)


def saved(path: Path) -> dict:
    """The facts in a file; none if it is missing or damaged."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def children() -> dict[str, str]:
    """The environment for our children, without variables that redirect packages, imports or charts.

    PYTHONDONTWRITEBYTECODE goes as well: without bytecode every import takes twice as long, every time.
    """
    unwanted = {
        "PIP_USER",
        "PIP_TARGET",
        "PIP_PREFIX",
        "PIP_REQUIRE_VIRTUALENV",
        "PYTHONPATH",
        "PYTHONHOME",
        "PYTHONDONTWRITEBYTECODE",
        "MPLBACKEND",  # charts go into files and notebooks, and need no window
    }
    return {name: value for name, value in os.environ.items() if name not in unwanted}


def strings(*words: object) -> list[str]:
    return [str(word) for word in words]


REASONS = {
    "No space left|os error 28|disk full|not enough space": "the disk is full: free about 2 GB",
    "Hash mismatch|DO NOT MATCH THE HASHES": "a package has the wrong hash: try another network",
    "ensurepip|No module named .?venv": "this Python cannot make virtual environments: install python3-venv",
    "[Pp]ermission denied|Access is denied": "no permission to write here: check who owns this folder",
    "[Cc]onnect|dns error|name resolution|timed out": "no network: connect",
}


def reason(output: str, log: str) -> str:
    """The meaning of a failed child's output, in one line."""
    for pattern, meaning in REASONS.items():
        if re.search(pattern, output):
            return f"{meaning}, then run this again (details: {log})"
    last = [line.strip() for line in output.splitlines() if line.strip()][-1:] or ["it said nothing"]
    return f"{last[0]} (details: {log})"


def sha256_of(file: Path) -> str:
    with open(file, "rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def download(url: str, target: Path, hashes: set[str], certificates: Path | None = None, *, most: int) -> None:
    """Downloads a file of at most some bytes with a progress bar, checks its SHA-256 and moves it to `target`."""
    part = target.with_name(target.name + ".part")
    context = ssl.create_default_context()
    if certificates:  # some Pythons have no certificates
        context.load_verify_locations(certificates)
    digest, done, shown = hashlib.sha256(), 0, 0.0
    try:
        with urllib.request.urlopen(url, timeout=30, context=context) as answer, open(part, "wb") as file:
            total = int(answer.headers.get("Content-Length") or 0)
            for block in iter(lambda: answer.read(1 << 16), b""):
                file.write(block)
                digest.update(block)
                done += len(block)
                if done > most:
                    raise Problem(f"{target.name} is larger than {most} bytes and was deleted: try another network")
                if sys.stderr.isatty() and (time.monotonic() - shown > 0.1 or done == total):
                    shown = time.monotonic()
                    bar = "#" * min(30, 30 * done // total) if total else ""
                    print(f"\r  [{bar:30}] {done / 1e6:.1f} MB ", end="", file=sys.stderr, flush=True)
        if digest.hexdigest() not in hashes:
            raise Problem(f"{target.name} had the wrong SHA-256 and was deleted: try another network")
        os.replace(part, target)
    except (OSError, ValueError, http.client.HTTPException) as error:
        if getattr(error, "errno", 0) in (errno.ENOSPC, errno.EACCES):
            raise
        why = getattr(error, "reason", error)
        raise Problem(f"cannot fetch {target.name} ({why}): check the network, then run this again") from None
    finally:
        part.unlink(missing_ok=True)


def unpack(archive: Path, folder: Path) -> None:
    """Unpacks a .zip or .tar.gz, unless an entry or a link leads outside the folder."""
    folder.mkdir(parents=True)
    base = folder.resolve()

    def check(*parts: str) -> None:
        if not base.joinpath(*parts).resolve().is_relative_to(base):
            raise Problem(f"{archive.name} would write outside its folder ({parts[-1]}): not unpacked")

    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as file:
            for name in file.namelist():
                check(name)
            file.extractall(folder)
        return
    with tarfile.open(archive) as file:
        for member in file.getmembers():
            check(member.name)
            if member.issym():
                check(os.path.dirname(member.name), member.linkname)
            elif member.islnk():
                check(member.linkname)
        with contextlib.suppress(AttributeError):  # 3.12 and later want a filter; 3.11.0 does not know it
            file.extraction_filter = tarfile.data_filter
        file.extractall(folder)


def uv_settings() -> dict[str, str]:
    """Variables for uv, which by itself reads neither pip's certificates nor its index.

    Nor does it read settings: they may lie in the current folder or any above it, and be a stranger's. Nothing is built
    from source, as that would run code that no hash covers.
    """
    index = os.environ.get("PIP_INDEX_URL")
    own = {"UV_DEFAULT_INDEX": index} if index and "UV_DEFAULT_INDEX" not in os.environ else {}
    return {"UV_SYSTEM_CERTS": "1", "UV_NO_CONFIG": "1", "UV_NO_BUILD": "1", **own}


def become(command: list[str], environment: dict[str, str]) -> int:
    """Replaces this process by the command; Windows cannot, so there it runs it and returns its exit status."""
    for stream in filter(None, (sys.stdout, sys.stderr)):  # one that is closed is None
        stream.flush()
    if not WINDOWS:
        os.execvpe(command[0], command, environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command handles Ctrl-C
    return subprocess.run(command, env=environment).returncode


def one_line(problem: Exception) -> str:
    """What a problem says, in one line without anything that moves the cursor."""
    if advice := streams.unwritable(problem):
        return advice
    return streams.clean(" ".join(str(problem).split()))
