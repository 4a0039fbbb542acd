"""What reaches a terminal: standard output that remembers whether something could not be written, and clean texts.

A result that was not written is a failure, however well it was computed: one line on standard error, exit status 1.
Python's standard library only.
"""

from __future__ import annotations

import errno
import io
import os
import sys


class _Tolerant(io.FileIO):
    """A file that keeps the first problem with it, and takes what follows without complaint."""

    problem: OSError | None = None

    def write(self, data: bytes) -> int:
        try:
            if self.problem is None:
                return super().write(data)
        except OSError as problem:
            self.problem = problem
        return len(data)


def watch() -> None:
    """Make standard output one that remembers; a stream that was closed becomes one that is empty or takes nothing.

    Words on standard error that nobody can read cost no results.
    """
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            mode = os.O_WRONLY if name == "stderr" else os.O_RDONLY  # so that what is printed is noticed as lost
            opened = os.open(os.devnull, mode)
            os.dup2(opened, descriptor)
            if opened != descriptor:
                os.close(opened)
            os.set_inheritable(descriptor, True)
            setattr(sys, name, open(descriptor, "r" if name == "stdin" else "w", closefd=False))  # noqa: SIM115
    sys.stdout, sys.stderr = _tolerant(sys.stdout, sys.stdout.line_buffering), _tolerant(sys.stderr, True)


def _tolerant(stream: io.TextIOWrapper, line_buffering: bool) -> io.TextIOWrapper:
    return io.TextIOWrapper(
        io.BufferedWriter(_Tolerant(stream.fileno(), "w", closefd=False)),
        encoding=stream.encoding,
        errors="backslashreplace",  # a stranger's text may have any letters
        line_buffering=line_buffering,
    )


def ended(status: int) -> int:
    """The exit status of a program that would end with ``status``: 1 if its results are lost, after saying so.

    A reader that has seen enough, such as ``head``, has lost nothing.
    """
    sys.stdout.flush()
    problem = sys.stdout.buffer.raw.problem
    if problem is None or isinstance(problem, BrokenPipeError):
        return status
    print(f"the results could not be written: {problem.strerror}", file=sys.stderr)
    return 1


def unwritable(problem: Exception) -> str:
    """What to do about a folder or a disk that takes no file; empty for every other problem."""
    number = getattr(problem, "errno", 0)
    if number == errno.ENOSPC:
        return "the disk is full: free about 2 GB, then run this again"
    if number == errno.EROFS:
        return "this folder is read-only: copy it to one of your own, then run this there"
    if isinstance(problem, PermissionError):
        return f"no permission to write {problem.filename}: check who owns that folder, then run this again"
    return ""


def clean(text: str) -> str:
    r"""A text in which nothing moves a cursor, breaks a line or hides: such characters are replaced.

    >>> clean("\x1b[2Ja\nb")
    '\N{REPLACEMENT CHARACTER}[2Ja\N{REPLACEMENT CHARACTER}b'
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
