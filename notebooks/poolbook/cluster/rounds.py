"""What a worker does: measure one round on its machine."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from poolbook import columns, files, jdks, record
from poolbook.cluster import kits
from poolbook.jbang import JavaProblem
from poolbook.machine import identity, machine, name

ABOUT = "about.json"


class Problem(Exception):
    """Why this machine cannot measure a round; the message is one line, and goes to the one who asked."""


def round_here(kit: bytes, number: int) -> dict:
    """Measure one round on this machine, alone; called by a Dask worker.

    Returns the machine's ``name``, and ``round``: an archive of what the round wrote and of the facts about the
    machine, or ``problem``: one line.
    """
    try:
        with record.alone([f"round {number} for a scheduler"]):
            home, about = kits.unpack(kit)
            if about["same"] != kits.same():
                raise Problem("it has another version of the workbook: check out the same commit on all machines")
            return {"name": name(machine()), "round": _measure(home, about, number)}
    except (Problem, JavaProblem, jdks.NoJdk, columns.UnknownColumn, record.BadRequest, OSError) as problem:
        return {"name": name(machine()), "problem": " ".join(str(problem).split())}


def _measure(home: Path, about: dict, number: int) -> bytes:
    request = about["request"]
    javas = record.javas_of(request)
    ready = home / "ready"
    if not ready.exists():
        shutil.rmtree(home / "jdks", ignore_errors=True)  # half made, by a worker that was killed
        record.make_ready(request, javas, home)
        ready.touch()
    linked = {jdk: home / "jdks" / str(jdk) / "bin" / "java" for jdk in javas}
    facts = {"start": record.now(), "load_before": record.load_average(), "machine": machine(linked)}
    for experiment, jdk, cell in record.blocks_of(request, number):
        how = (request["profile"], request["seed"], record.host_java())
        rows = record.block(str(home), experiment, jdk, cell, number, *how)
        columns.check(dict.fromkeys(key for row in rows for key in row))
    facts |= {"end": record.now(), "load_after": record.load_average(), "jars": about["jars"], "identity": identity()}
    wrote = sorted(file for file in (home / "forks").rglob(f"*round={number:02d}[,.]*") if file.is_file())
    content = {file.relative_to(home).as_posix(): file.read_bytes() for file in wrote}
    return files.zipped({ABOUT: json.dumps(facts).encode(), **content})
