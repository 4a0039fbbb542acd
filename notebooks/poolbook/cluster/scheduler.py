"""``./workbook scheduler``: hand out rounds to machines."""

from __future__ import annotations

import sys
from pathlib import Path

from poolbook.cluster import LOOPBACK, PORT, run, security
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
    if options.host not in LOOPBACK and options.tls is None:
        print(f"--host {options.host} can be reached by anyone on the network: add --tls FOLDER", file=sys.stderr)
        return 2
    if not 0 < options.port < 2**16:
        print(f"--port takes a number from 1 to 65535, not {options.port}", file=sys.stderr)
        return 2
    try:
        security(options.tls)
    except BadRequest as problem:
        print(problem, file=sys.stderr)
        return 2
    scheme = "tls" if options.tls else "tcp"
    address = f"{scheme}://{options.host}:{options.port}"
    print(f"Each machine joins with ./workbook worker {address}; Ctrl-C ends the scheduler.", flush=True)
    place = ["--protocol", scheme, "--host", options.host, "--port", str(options.port)]
    return run("dask_scheduler", place, options.tls)


if __name__ == "__main__":
    sys.exit(main())
