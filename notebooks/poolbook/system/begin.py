"""Call ``main`` of a module with the arguments: ``python -m poolbook.system.begin MODULE [ARGUMENT...]``.

Ctrl-C at any time gives one line and exit status 130, and leaves no process running. The launcher starts it with that
signal blocked, so that it can be caught from the start.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn


def _say() -> None:
    os.write(2, b"workbook: interrupted; run it again and it goes on from here\n")


def _stop(number: int, frame: object) -> NoReturn:
    """During the imports, when there is nothing to put away."""
    _say()
    os._exit(130)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, _stop)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])

    import contextlib
    import errno
    import importlib

    import psutil

    from poolbook.system import streams
    from poolbook.system.paths import ROOT

    sys.argv = sys.argv[1:]
    streams.watch()
    here = ROOT
    with contextlib.suppress(FileNotFoundError):  # the current folder was deleted
        here = os.getcwd()
    os.chdir(ROOT)  # matplotlib takes settings from the folder where it is imported
    main = importlib.import_module(sys.argv[0]).main
    os.chdir(here)
    interrupted = False

    def _interrupt(number: int, frame: object) -> NoReturn:
        global interrupted
        interrupted = True
        raise KeyboardInterrupt

    try:
        signal.signal(signal.SIGINT, _interrupt)
        status = int(main(sys.argv[1:]) or 0)
    except KeyboardInterrupt:
        status = 0
    except OSError as problem:
        if not (advice := streams.unwritable(problem)):
            raise
        print(f"workbook: {advice}", file=sys.stderr)
        status = 1 if problem.errno == errno.ENOSPC else 2  # results are lost, or nothing was begun
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if interrupted:
        if status != 130:
            _say()
        for child in psutil.Process().children(recursive=True):
            child.kill()
        os._exit(130)
    sys.exit(streams.ended(status))
