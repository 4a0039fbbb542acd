"""Record experiments: ``./workbook record EXPERIMENT...``, on this machine or on many."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from poolbook.cells.jbang import JavaProblem
from poolbook.record.cluster import client
from poolbook.record.engine import BadRequest, record
from poolbook.record.plan import plan
from poolbook.system import jdks, tasks
from poolbook.system.paths import ROOT
from poolbook.tables import columns


def _plans(numbers: list[int]) -> int:
    try:
        print("\n\n".join(plan(number, max(60, shutil.get_terminal_size().columns)) for number in numbers))
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 2
    return 0


def _record(options: argparse.Namespace) -> list[Path]:
    """Here, or on the machines of a scheduler; returns the folder of each machine's results."""
    try:
        versions = [int(version) for version in options.jdks.split(",")] if options.jdks else None
    except ValueError:
        raise BadRequest(f"--jdks takes numbers such as 8,17, not {options.jdks}") from None
    what = (options.experiments, versions, options.profile, options.seed)
    if options.scheduler is None:
        if options.tls:
            raise BadRequest("--tls is for many machines: add --scheduler ADDRESS")
        how = {"rounds": options.rounds, "from_round": options.from_round}
        return [record(*what, **how, name=options.machine, anew=options.anew)]
    if options.tls is None:
        raise BadRequest("--scheduler needs --tls FOLDER: the scheduler has printed both")
    if options.from_round != 1:
        raise BadRequest("--from-round is for one machine: leave out --scheduler")
    if options.machine or options.anew:
        raise BadRequest("--machine and --anew are for one machine: leave out --scheduler")
    return client.record(*what, options.rounds, options.scheduler, options.tls)


def main(arguments: list[str] | None = None) -> int:
    options = tasks.parser("record").parse_args(arguments)
    if bool(options.experiments) == bool(options.plan):
        print("name each EXPERIMENT to record, or use --plan with the numbers of claims", file=sys.stderr)
        return 2
    if options.plan:
        return _plans(options.plan)
    try:
        results = _record(options)
    except (BadRequest, jdks.NoJdk, columns.UnknownColumn) as problem:
        print(problem, file=sys.stderr)
        return 2
    except (JavaProblem, client.Stopped) as problem:
        print(f"stopped: {problem}\nfinished forks are kept: run the same command again to resume", file=sys.stderr)
        return 1
    except OSError as problem:  # such as a full disk
        where = f": {Path(problem.filename).name}" if problem.filename else ""
        why = f"{problem.strerror or problem}{where}"
        print(f"stopped: {why}; finished forks are kept: run the same command again to resume", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted; finished forks are kept: run the same command again to resume", file=sys.stderr)
        return 130
    for folder in results:
        print(folder.relative_to(ROOT) if folder.is_relative_to(ROOT) else folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
