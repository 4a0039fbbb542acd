"""``./workbook scheduler``: hand out rounds to machines."""

from __future__ import annotations

import contextlib
import shlex
import socket
import sys
from pathlib import Path

from poolbook import tasks
from poolbook.cluster import certificates, check, checked, security, serve, with_dask
from poolbook.record import BadRequest


def main(arguments: list[str] | None = None) -> int:
    options = tasks.parser("scheduler").parse_args(arguments)
    host = f"[{options.host}]" if ":" in options.host else options.host
    with contextlib.ExitStack() as put_away:
        try:
            if not 0 < options.port < 2**16:
                raise BadRequest(f"--port takes a number from 1 to 65535, not {options.port}")
            address = checked(f"{host}:{options.port}")
            if options.tls:
                check(options.tls)
            _check_free(options.host, options.port)
            with_dask()
        except BadRequest as problem:
            print(problem, file=sys.stderr)
            return 2
        tls = options.tls or put_away.enter_context(certificates())
        _say(address, tls, options.tls is None)
        return serve(lambda: _scheduler(options.host, options.port, tls))


def _scheduler(host: str, port: int, tls: Path) -> object:
    from distributed import Scheduler

    return Scheduler(host=host, port=port, protocol="tls", security=security(tls), dashboard_address="127.0.0.1:0")


def _say(address: str, tls: Path, is_made: bool) -> None:
    """How to join, how to record, and who can."""
    to = f"{address} --tls {shlex.quote(str(tls))}"
    print(f"Each machine joins with: ./workbook worker {to}")
    print(f"One of them records with: ./workbook record EXPERIMENT... --scheduler {to}")
    print("Anyone who has the files in that folder can run any program on these machines.", end=" ")
    if is_made:
        print("Another machine needs a copy of it. The folder is deleted at the end.", end=" ")
    print("Ctrl-C ends the scheduler.", flush=True)


def _check_free(host: str, port: int) -> None:
    """Raises `poolbook.record.BadRequest` if this machine cannot listen there."""
    try:
        socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET).close()
    except OSError as problem:
        raise BadRequest(f"cannot listen on {host} at port {port}: {problem.strerror}") from None


if __name__ == "__main__":
    sys.exit(main())
