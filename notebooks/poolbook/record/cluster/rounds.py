"""What a worker does: measure one round on its machine."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

from poolbook.cells.jbang import JavaProblem
from poolbook.record import engine
from poolbook.system import files, jdks
from poolbook.system.machine import identity, machine, name
from poolbook.system.paths import BUILD, DATASETS, JAVA, ROOT
from poolbook.tables import columns

ABOUT = "about.json"


class Problem(Exception):
    """Why this machine cannot measure a round; the message is one line, and goes to the one who asked."""


def version() -> str:
    """A hash of what must be the same on all machines: what builds and runs the blocks."""
    code = [*JAVA.rglob("*.java"), *JAVA.rglob("*.properties"), *(ROOT / "notebooks" / "poolbook").rglob("*.py")]
    data = [DATASETS / "experiments.toml", DATASETS / "columns.json"]
    digest = hashlib.sha256()
    for file in sorted(file.relative_to(ROOT).as_posix() for file in [*code, *data]):
        text = (ROOT / file).read_text(encoding="utf-8")  # a line ends in the same way on every system
        digest.update(f"{file}\0{text}\0".encode())
    return digest.hexdigest()


def round_here(request: dict, wanted: str, number: int) -> dict:
    """Measure one round on this machine, alone; called by a Dask worker. ``wanted`` is the `version` of who asks.

    Returns the machine's ``name``, and ``round``: an archive of what the round wrote and of the facts about the
    machine, or ``problem``: one line.
    """
    try:
        with engine.alone([f"round {number} for a scheduler"]):
            if wanted != version():
                raise Problem("it has another version of the workbook: check out the same commit on all machines")
            return {"name": name(machine()), "round": _measure(request, number)}
    except (Problem, JavaProblem, jdks.NoJdk, columns.UnknownColumn, engine.BadRequest, OSError) as problem:
        return {"name": name(machine()), "problem": " ".join(str(problem).split())}


def _measure(request: dict, number: int) -> bytes:
    javas = engine.javas_of(request)
    home = _ready(request, javas)
    linked = {jdk: home / "jdks" / str(jdk) / "bin" / "java" for jdk in javas}
    facts = {"start": engine.now(), "load_before": engine.load_average(), "machine": machine(linked)}
    for experiment, jdk, cell in engine.blocks_of(request, number):
        how = (request["profile"], request["seed"], engine.host_java())
        rows = engine.block(str(home), experiment, jdk, cell, number, *how)
        columns.check(dict.fromkeys(key for row in rows for key in row))
    jars = json.loads((home / "jars.json").read_text(encoding="utf-8"))
    facts |= {"end": engine.now(), "load_after": engine.load_average(), "jars": jars, "identity": identity()}
    wrote = sorted(file for file in (home / "forks").rglob(f"*round={number:02d}[,.]*") if file.is_file())
    content = {file.relative_to(home).as_posix(): file.read_bytes() for file in wrote}
    return files.zipped({ABOUT: json.dumps(facts).encode(), **content})


def _ready(request: dict, javas: dict[int, Path]) -> Path:
    """A folder with the programs and the Javas of a request, made for its first round; older ones are deleted.

    One process at a time: `engine.alone`. Other machines may share the checkout.
    """
    mine = f"rounds-{identity()}"
    asked = hashlib.sha256(f"{json.dumps(request)}{version()}".encode()).hexdigest()[:12]
    home = BUILD / "recording" / f"{mine}-{asked}"
    if not (home / "jars.json").exists():
        for other in home.parent.glob(f"{mine}-*"):
            shutil.rmtree(other, ignore_errors=True)
        home.mkdir(parents=True)
        engine.make_ready(request, javas, home)
        jars = {alias: engine.snapshot(alias, home) for alias in engine.aliases_of(request)}
        files.write(home / "jars.json", json.dumps(jars))
    return home
