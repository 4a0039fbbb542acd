"""Ask the machines of a scheduler for a recording, and publish what each of them measured."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import uuid
import warnings
import zipfile
from collections.abc import Iterable
from pathlib import Path

import filelock

from poolbook.record import engine
from poolbook.record.cluster import PATIENCE, RESOURCE, answers, check, checked, security, with_dask
from poolbook.record.cluster.rounds import ABOUT, round_here, version
from poolbook.system import files
from poolbook.system.machine import own_name
from poolbook.system.paths import BUILD, DATASETS


class Stopped(Exception):
    """Machines could not finish a recording; the message is one line, and what is finished is kept."""


def record(
    names: Iterable[str],
    versions: Iterable[int] | None,
    profile: str,
    seed: int,
    rounds: int | None,
    scheduler: str,
    tls: Path,
) -> list[Path]:
    """Record experiments on the machines of a scheduler; returns a folder for each machine that measured something.

    Resumes an unfinished recording of the same request. Raises `Stopped`, and `engine.BadRequest` for a request that
    cannot be done, also where no scheduler answers.
    """
    request = engine.request_of(names, versions, profile, seed, rounds)
    address = checked(scheduler)
    asked = hashlib.sha256(f"{json.dumps(request)}{version()}".encode()).hexdigest()[:12]
    folder = BUILD / "recording" / f"cluster-{asked}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        with filelock.FileLock(folder.with_name("many-machines.lock"), timeout=0):
            check(tls)
            if missing := _missing(request, folder):
                _measure(request, missing, folder, address, tls)
            published = _publish(request, folder, DATASETS if profile == "publish" else BUILD)
            shutil.rmtree(folder)
            return published
    except filelock.Timeout:
        raise engine.BadRequest("another recording on many machines is being made here: wait for it to end") from None


def _missing(request: dict, folder: Path) -> list[int]:
    """The rounds that are still to be measured, also where the file of one was damaged."""
    return [number for number in engine.rounds_of(request) if not _has(_kept(folder, number), ABOUT)]


def _has(archive: Path, name: str) -> bool:
    """Whether there is an archive, whole at its end, that has a file of this name."""
    try:
        with zipfile.ZipFile(archive) as opened:
            return name in opened.namelist()
    except (OSError, zipfile.BadZipFile):
        return False


def _measure(request: dict, missing: list[int], folder: Path, address: str, tls: Path) -> None:
    """Hand out the rounds that are not here yet, and keep what comes back."""
    answers(address, tls)
    with_dask()
    from distributed import Client

    if folder.exists():
        print("resuming an unfinished recording", file=sys.stderr)
    folder.mkdir(exist_ok=True)
    with warnings.catch_warnings(action="ignore"):  # Dask warns of a worker with another Python
        try:
            client = Client(address, timeout=PATIENCE, set_as_default=False, security=security(tls))
        except OSError as problem:  # ssl.SSLError is one, too
            why = " ".join(str(problem).split()) or f"none within {PATIENCE} s"
            raise engine.BadRequest(f"no answer from {address}: {why}") from None
        with client:
            if not client.scheduler_info()["workers"]:
                join = f"./workbook worker {address} --tls {tls}"
                print(f"waiting for a machine to join: run {join} on it", file=sys.stderr, flush=True)
            _collect(client, request, missing, folder, address)


def _collect(client: object, request: dict, missing: list[int], folder: Path, address: str) -> None:
    from distributed import as_completed

    asked = uuid.uuid4().hex  # Dask would take two requests with one key for the same
    numbers = {f"round-{number}-{asked}": number for number in missing}
    how = {"resources": {RESOURCE: 1}}
    tasks = [client.submit(round_here, request, version(), number, key=key, **how) for key, number in numbers.items()]
    rounds = as_completed(tasks, loop=client.loop, with_results=True, raise_errors=False)
    with engine.progress(rounds, "round") as bar:
        bar.total = len(numbers)
        for task, came in bar:
            if task.status == "cancelled":
                raise Stopped(f"the connection to {address} was lost")
            if task.status != "finished":  # what `round_here` did not expect
                raise Stopped(" ".join(str(came[1] if isinstance(came, tuple) else came).split()))
            if "problem" in came:
                raise Stopped(f"{came['name']}: {came['problem']}")
            files.write(_kept(folder, numbers[task.key]), came["round"])
            bar.set_postfix_str(f"round {numbers[task.key]} on {came['name']}", refresh=False)
            task.release()  # kept here now: no worker's death can bring it back


def _kept(folder: Path, number: int) -> Path:
    """Where a finished round is kept."""
    return folder / "rounds" / f"{number:03d}.zip"


def _publish(request: dict, folder: Path, results: Path) -> list[Path]:
    """One recording for each machine, from the rounds that it measured."""
    measured: dict[str, dict[int, dict]] = {}
    for number in engine.rounds_of(request):
        with zipfile.ZipFile(_kept(folder, number)) as archive:
            facts = json.loads(archive.read(ABOUT))
            name = own_name(facts["machine"], facts["identity"])
            home = folder / "machines" / name
            if name not in measured:
                shutil.rmtree(home, ignore_errors=True)
            archive.extractall(home, [member for member in archive.namelist() if member != ABOUT])
        measured.setdefault(name, {})[number] = facts
    published = []
    for name, rounds in sorted(measured.items()):
        home = folder / "machines" / name
        files.write(home / "plan.json", json.dumps(_plan(request, home, name, rounds), indent=2))
        published.append(engine.publish(home, results))
    return published


def _plan(request: dict, home: Path, name: str, rounds: dict[int, dict]) -> dict:
    """What a machine measured: maybe not every experiment, as some have fewer rounds."""
    first = min(rounds.values(), key=lambda facts: facts["start"])
    last = max(rounds.values(), key=lambda facts: facts["end"])
    names = [name for name in request["experiments"] if any((home / "forks").glob(f"{name}-jdk*/*"))]
    jdks = {name: request["jdks"][name] for name in names}
    mine = {**request, "experiments": names, "jdks": jdks, "these_rounds": sorted(rounds)}
    of_first = {fact: first[fact] for fact in ("machine", "identity", "jars", "start", "load_before")}
    return {"request": mine, "name": name, **of_first, "end": last["end"], "load_after": last["load_after"]}
