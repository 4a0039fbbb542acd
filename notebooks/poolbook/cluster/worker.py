"""``./workbook worker ADDRESS``: measure what a scheduler hands out."""

from __future__ import annotations

import sys
from pathlib import Path

from poolbook.cluster import PORT, RESOURCE, checked, run
from poolbook.commandline import Parser
from poolbook.paths import WORKBOOK
from poolbook.record import BadRequest


def main(arguments: list[str] | None = None) -> int:
    parser = Parser(prog="workbook worker", description="Measure what a scheduler hands out, until Ctrl-C.")
    parser.add_argument("address", metavar="ADDRESS", help=f"the scheduler's, such as tcp://127.0.0.1:{PORT}")
    parser.add_argument("--tls", type=Path, metavar="FOLDER", help="ca.pem, cert.pem and key.pem; for tls://")
    options = parser.parse_args(arguments)
    try:
        address = checked(options.address, options.tls)
    except BadRequest as problem:
        print(problem, file=sys.stderr)
        return 2
    one_round = ["--nworkers", "1", "--nthreads", "1", "--resources", f"{RESOURCE}=1"]
    place = ["--no-dashboard", "--local-directory", str(WORKBOOK / "dask")]
    return run("dask_worker", [address, *one_round, *place], options.tls)
