"""``./workbook scheduler``: hand out rounds to machines."""

from __future__ import annotations

import sys
from pathlib import Path

from poolbook.cluster import LOOPBACK, PORT, run
from poolbook.commandline import Parser


def main(arguments: list[str] | None = None) -> int:
    parser = Parser(prog="workbook scheduler", description="Hand out rounds to machines, until Ctrl-C.")
    parser.add_argument("--host", default=LOOPBACK[0], metavar="ADDRESS", help="of this machine (default: loopback)")
    parser.add_argument("--port", type=int, default=PORT, metavar="N", help=f"default: {PORT}")
    parser.add_argument("--tls", type=Path, metavar="FOLDER", help="ca.pem, cert.pem and key.pem; for another --host")
    options = parser.parse_args(arguments)
    if options.host not in LOOPBACK and options.tls is None:
        print(f"--host {options.host} is open to everybody on the network: add --tls FOLDER", file=sys.stderr)
        return 2
    protocol = ["--protocol", "tls"] if options.tls else []
    place = ["--host", options.host, "--port", str(options.port)]
    return run("dask_scheduler", [*place, *protocol, "--no-dashboard", "--no-show"], options.tls)
