"""``./workbook scheduler``: hand out rounds to machines."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

from poolbook.cluster import LOOPBACK, PORT, run, security, split
from poolbook.commandline import Parser
from poolbook.record import BadRequest


def main(arguments: list[str] | None = None) -> int:
    parser = Parser(prog="workbook scheduler", description="Hand out rounds to machines, until Ctrl-C.")
    parser.add_argument(
        "--host", default=LOOPBACK[0], metavar="ADDRESS", help="the address to listen on (default: loopback)"
    )
    parser.add_argument("--port", type=int, default=PORT, metavar="N", help=f"default: {PORT}")
    parser.add_argument(
        "--tls", type=Path, metavar="FOLDER", help="ca.pem, cert.pem and key.pem; required unless --host is loopback"
    )
    options = parser.parse_args(arguments)
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
