"""``./workbook scheduler`` hands out rounds to machines; ``./workbook worker ADDRESS`` measures them on this one."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import shlex
import signal
import socket
import sys
from collections.abc import Callable
from urllib.parse import urlsplit

from poolbook.record.cluster import (
    LOOPBACK,
    PATIENCE,
    RESOURCE,
    answers,
    certificates,
    check,
    checked,
    security,
    with_dask,
)  # fmt: skip
from poolbook.record.engine import BadRequest
from poolbook.system import tasks
from poolbook.system.paths import WORKBOOK


def main(arguments: list[str]) -> int:
    options = tasks.parser(arguments[0]).parse_args(arguments[1:])
    try:
        return _scheduler(options) if arguments[0] == "scheduler" else _worker(options)
    except BadRequest as problem:
        print(problem, file=sys.stderr)
        return 2


def _scheduler(options: argparse.Namespace) -> int:
    host = f"[{options.host}]" if ":" in options.host else options.host
    if not 0 < options.port < 2**16:
        raise BadRequest(f"--port takes a number from 1 to 65535, not {options.port}")
    address = checked(f"{host}:{options.port}")
    if options.tls:
        check(options.tls)
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    try:
        socket.create_server((options.host, options.port), family=family).close()
    except OSError as problem:
        raise BadRequest(f"cannot listen on {options.host} at port {options.port}: {problem.strerror}") from None
    with_dask()
    from distributed import Scheduler

    with contextlib.ExitStack() as put_away:
        tls = options.tls or put_away.enter_context(certificates())
        to = f"{address} --tls {shlex.quote(str(tls))}"
        print(f"Each machine joins with: ./workbook worker {to}")
        print(f"One of them records with: ./workbook record EXPERIMENT... --scheduler {to}")
        print("Anyone who has the files in that folder can run any program on these machines.", end=" ")
        if options.tls is None:
            print("Another machine needs a copy of it. The folder is deleted at the end.", end=" ")
        print("Ctrl-C ends the scheduler.", flush=True)
        where = {"host": options.host, "port": options.port, "dashboard_address": "127.0.0.1:0"}
        return _serve(lambda: Scheduler(**where, protocol="tls", security=security(tls)))


def _worker(options: argparse.Namespace) -> int:
    """A worker in this process, not in a child of it: its JVMs end with it, however it ends."""
    address = checked(options.address)
    answers(address, options.tls)
    with_dask()
    from distributed import Worker

    host = urlsplit(address).hostname
    how = {
        "security": security(options.tls), "host": host if host in LOOPBACK else None,
        "dashboard_address": "127.0.0.1:0", "nthreads": 1, "memory_limit": None, "resources": {RESOURCE: 1},
        "death_timeout": 6 * PATIENCE, "local_directory": str(WORKBOOK / "dask"),
    }  # fmt: skip
    print(f"This machine measures what {address} hands out; Ctrl-C ends it.", flush=True)
    status = _serve(lambda: Worker(address, **how))
    try:
        answers(address, options.tls)
    except BadRequest:
        print(f"the scheduler at {address} has stopped: start it again, and then this worker", file=sys.stderr)
        return 1
    return status


def _serve(make: Callable[[], object]) -> int:
    """Run one of Dask's servers in this process until it ends; returns an exit status. Ctrl-C raises as usual."""

    async def run() -> None:
        # What else comes in at a port, such as very many idle connections, is not worth a line.
        asyncio.get_running_loop().set_exception_handler(lambda loop, about: None)
        async with make() as server:
            await server.finished()

    with contextlib.suppress(ImportError, OSError, ValueError):  # Windows has no such limit
        import resource  # idle connections of a stranger must not use up the files that may be open

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # for what is put away at the end
    try:
        asyncio.run(run())
    except (OSError, RuntimeError) as problem:  # such as no answer from a scheduler
        print(f"stopped: {' '.join(str(problem.__cause__ or problem).split())}", file=sys.stderr)
        return 1
    return 0
