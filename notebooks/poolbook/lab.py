"""JupyterLab on the learner's own copies, started by ``./workbook lab``."""

from __future__ import annotations

from jupyterlab import labapp

from poolbook import copies


def main(arguments: list[str]) -> None:
    """Makes or updates the copies, then serves them until stopped; ``arguments`` are JupyterLab's."""
    copies.main()
    labapp.main(arguments)
