"""``./workbook scheduler``: hand out rounds to machines."""

from __future__ import annotations

import socket
import sys

from poolbook import tasks
from poolbook.cluster import LOOPBACK, run, security, split
from poolbook.record import BadRequest


def main(arguments: list[str] | None = None) -> int:
    options = tasks.parser("scheduler").parse_args(arguments)
    scheme = "tls" if options.tls else "tcp"
    host = f"[{options.host}]" if ":" in options.host else options.host
    address = f"{scheme}://{host}:{options.port}"
    try:
        if not 0 < options.port < 2**16:
            raise BadRequest(f"--port takes a number from 1 to 65535, not {options.port}")
        split(address)
        if options.host not in LOOPBACK and options.tls is None:
            raise BadRequest(f"--host {options.host} can be reached by anyone on the network: add --tls FOLDER")
        security(options.tls)
        _check_free(options.host, options.port)
    except BadRequest as problem:
        print(problem, file=sys.stderr)
        return 2
    print(f"Each machine joins with ./workbook worker {address}; Ctrl-C ends the scheduler.", flush=True)
    place = ["--protocol", scheme, "--host", options.host, "--port", str(options.port)]
    return run("dask_scheduler", place, options.tls)


def _check_free(host: str, port: int) -> None:
    """Raises `poolbook.record.BadRequest` if this machine cannot listen there."""
    try:
        socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET).close()
    except OSError as problem:
        raise BadRequest(f"cannot listen on {host} at port {port}: {problem.strerror}") from None


if __name__ == "__main__":
    sys.exit(main())
