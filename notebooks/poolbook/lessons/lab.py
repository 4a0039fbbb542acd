"""JupyterLab on the learner's own copies, started by ``./workbook lab``."""

from __future__ import annotations

import sys

from jupyterlab import labapp

from poolbook.lessons import copies


def main(arguments: list[str]) -> int:
    """Makes or updates the copies, then serves them until stopped; ``arguments`` are JupyterLab's."""
    try:
        copies.main()
    except FileExistsError as problem:  # also for a link that leads nowhere
        print(f"{problem.filename} is in the way of your copies: move it, then run this again", file=sys.stderr)
        return 2
    labapp.main(arguments)
    return 0
