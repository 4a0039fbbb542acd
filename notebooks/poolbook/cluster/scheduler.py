"""``./workbook scheduler``: hand out rounds to machines."""

from __future__ import annotations

from poolbook.cluster import PORT, run
from poolbook.commandline import Parser


def main(arguments: list[str] | None = None) -> int:
    parser = Parser(prog="workbook scheduler", description="Hand out rounds to machines, until Ctrl-C.")
    parser.add_argument("--port", type=int, default=PORT, metavar="N", help=f"on this machine only (default: {PORT})")
    options = parser.parse_args(arguments)
    return run("dask_scheduler", "--host", "127.0.0.1", "--port", str(options.port), "--no-dashboard", "--no-show")
