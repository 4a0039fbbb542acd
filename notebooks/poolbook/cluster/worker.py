"""``./workbook worker ADDRESS``: measure what a scheduler hands out."""

from __future__ import annotations

import sys
from pathlib import Path
from urllib.parse import urlsplit

from poolbook import tasks
from poolbook.cluster import LOOPBACK, PATIENCE, RESOURCE, answers, checked, security, serve, with_dask
from poolbook.paths import WORKBOOK
from poolbook.record import BadRequest


def main(arguments: list[str] | None = None) -> int:
    options = tasks.parser("worker").parse_args(arguments)
    try:
        address = checked(options.address)
        answers(address, options.tls)
        with_dask()
    except BadRequest as problem:
        print(problem, file=sys.stderr)
        return 2
    print(f"This machine measures what {address} hands out; Ctrl-C ends it.", flush=True)
    status = serve(lambda: _worker(address, options.tls))
    try:
        answers(address, options.tls)
    except BadRequest:
        print(f"the scheduler at {address} has stopped: start it again, and then this worker", file=sys.stderr)
        return 1
    return status


def _worker(address: str, tls: Path) -> object:
    """A worker in this process, not in a child of it: its JVMs end with it, however it ends."""
    from distributed import Worker

    host = urlsplit(address).hostname
    return Worker(
        address,
        security=security(tls),
        host=host if host in LOOPBACK else None,
        dashboard_address="127.0.0.1:0",
        nthreads=1,
        memory_limit=None,
        resources={RESOURCE: 1},
        death_timeout=6 * PATIENCE,
        local_directory=str(WORKBOOK / "dask"),
    )


if __name__ == "__main__":
    sys.exit(main())
