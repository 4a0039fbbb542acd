"""``./workbook worker ADDRESS``: measure what a scheduler hands out."""

from __future__ import annotations

import sys
from urllib.parse import urlsplit

from poolbook import tasks
from poolbook.cluster import LOOPBACK, PATIENCE, RESOURCE, answers, checked, run, security
from poolbook.paths import WORKBOOK
from poolbook.record import BadRequest


def main(arguments: list[str] | None = None) -> int:
    options = tasks.parser("worker").parse_args(arguments)
    try:
        address = checked(options.address, options.tls)
        security(options.tls)
        answers(address, options.tls)
    except BadRequest as problem:
        print(problem, file=sys.stderr)
        return 2
    print(f"This machine measures what {address} hands out; Ctrl-C ends it.", flush=True)
    # In this process: its JVMs end with it, however it ends.
    one_round = ["--no-nanny", "--nthreads", "1", "--memory-limit", "0", "--resources", f"{RESOURCE}=1"]
    place = ["--death-timeout", str(6 * PATIENCE), "--local-directory", str(WORKBOOK / "dask")]
    if (host := urlsplit(address).hostname) in LOOPBACK:
        place += ["--host", host]
    status = run("dask_worker", [address, *one_round, *place], options.tls)
    try:
        answers(address, options.tls)
    except BadRequest:
        print(f"the scheduler at {address} has stopped: start it again, and then this worker", file=sys.stderr)
        return 1
    return status


if __name__ == "__main__":
    sys.exit(main())
