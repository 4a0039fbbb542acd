"""Record on many machines: ``./workbook record EXPERIMENT... --scheduler ADDRESS``.

The machines join with ``./workbook worker ADDRESS``; Dask hands each of them one round at a time: all blocks of the
round on all its Javas, so that a ratio never mixes two machines. A machine that dies loses its round, which another one
measures. The programs travel with the request, so that all machines run the same bytes.

Results belong to the machine that measured them: one folder for each, ``<machine>/<date>/``, as `poolbook.record` makes
it. Figures of two machines are never combined.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import warnings
import zipfile
from pathlib import Path
from urllib.parse import urlsplit

import filelock

from poolbook import extras, files, record
from poolbook.machine import machine
from poolbook.machine import name as machine_name
from poolbook.paths import BUILD, DATASETS, ROOT

REQUIREMENTS = Path(__file__).with_name("requirements.txt")
RESOURCE = "machine"  # each worker has one: it takes one round at a time
PORT = 8786
LOOPBACK = ("127.0.0.1", "localhost", "::1")
TLS = {"ca.pem": "tls-ca-file", "cert.pem": "tls-cert", "key.pem": "tls-key"}
SAME = (DATASETS / "experiments.toml", ROOT / "java" / "measure" / "profiles.properties", DATASETS / "columns.json")


def checked(address: str, tls: Path | None) -> str:
    """The address of a scheduler, if it is safe to use: whoever reaches one may run any code on all its workers.

    ``tls`` is the folder of `security`. Raises `poolbook.record.BadRequest`.
    """
    parts = urlsplit(address if "://" in address else f"tcp://{address}")
    try:
        complete = bool(parts.hostname and parts.port)
    except ValueError:
        complete = False
    if parts.scheme not in ("tcp", "tls") or not complete:
        raise record.BadRequest(f"a scheduler's address looks like tcp://127.0.0.1:{PORT}, not {address}")
    if parts.scheme == "tcp" and parts.hostname not in LOOPBACK:
        raise record.BadRequest(f"{address} is open to everybody on the network: use tls:// and --tls FOLDER")
    if parts.scheme == "tls" and tls is None:
        raise record.BadRequest(f"{address} needs --tls FOLDER, with {', '.join(TLS)}")
    return parts.geturl()


def security(folder: Path | None) -> dict[str, str]:
    """The files that let machines trust each other, by Dask's name for each; none without a folder.

    Raises `poolbook.record.BadRequest` if one is missing.
    """
    if folder is None:
        return {}
    if missing := [name for name in TLS if not (folder / name).is_file()]:
        raise record.BadRequest(f"--tls {folder} has no {missing[0]}")
    return {what: str(folder / name) for name, what in TLS.items()}


def with_dask() -> None:
    """Make Dask importable, here and in children; first fetches it if it is not here."""
    folder = str(extras.packages(REQUIREMENTS, "Dask, which hands out the rounds"))
    if folder not in sys.path:
        sys.path.append(folder)
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), folder]))


# ------------------------------------------------------------------------------------------------ on this machine


def record_on(options: argparse.Namespace, versions: list[int] | None) -> list[Path]:
    """Record on the machines of a scheduler; returns a folder for each machine that measured something.

    Raises what `poolbook.record.record` raises, and `poolbook.record.BadRequest` without a scheduler or a worker.
    """
    trusted = security(options.tls)
    address = checked(options.scheduler, options.tls)
    if options.from_round != 1:
        raise record.BadRequest("--from-round is for one machine: leave out --scheduler")
    request = record.request_of(options.experiments, versions, options.profile, options.seed, options.rounds)
    folder = BUILD / "recording" / f"cluster-{_short_hash(json.dumps(request))}"
    if not (folder / "kit.zip").exists():
        _begin(request, folder)
    try:
        with_dask()
    except extras.NotFetched as problem:
        raise record.BadRequest(str(problem)) from None
    _measure(request, folder, address, trusted)
    results = DATASETS if options.profile == "publish" else BUILD
    published = [record.publish(part, results) for part in sorted(folder.glob("machines/*"))]
    shutil.rmtree(folder)
    return published


def _begin(request: dict, folder: Path) -> None:
    """Build the programs and pack them with all their jars; the paths in the kit are relative."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    jars, class_paths, content = {}, {}, {}
    for alias in record.aliases_of(request):
        jars[alias] = record.snapshot(alias, folder)
        class_path = (folder / f"{alias}.classpath").read_text(encoding="utf-8").split(os.pathsep)
        class_paths[alias] = [f"jars/{Path(jar).name}" for jar in class_path]
        content |= {f"jars/{Path(jar).name}": (folder / jar).read_bytes() for jar in class_path}
    about = {"request": request, "jars": jars, "class_paths": class_paths, "same": _same()}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("kit.json", json.dumps(about))
        for name, what in sorted(content.items()):
            archive.writestr(name, what)
    files.write(folder / "kit.zip", packed.getvalue())


def _same() -> str:
    """A hash of what must be the same on all machines besides the programs."""
    return _short_hash("".join(file.read_text(encoding="utf-8") for file in SAME))


def _short_hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:12]


def _measure(request: dict, folder: Path, address: str, trusted: dict[str, str]) -> None:
    """Hand out the rounds that are not here yet, and keep what comes back."""
    from distributed import Client, Security, as_completed

    done = {int(file.stem) for file in folder.glob("machines/*/rounds/*.json")}
    wanted = [number for number in record.rounds_of(request) if number not in done]
    try:
        ours = {"tls_ca_file": "tls-ca-file", "tls_client_cert": "tls-cert", "tls_client_key": "tls-key"}
        keys = {name: trusted[what] for name, what in ours.items() if trusted}
        client = Client(
            address, timeout=10, set_as_default=False, security=Security(require_encryption=bool(keys), **keys)
        )
    except OSError:
        raise record.BadRequest(f"no scheduler answers at {address}: start one with ./workbook scheduler") from None
    kit = (folder / "kit.zip").read_bytes()  # with each round: what a worker keeps for others dies with it
    with client, warnings.catch_warnings(action="ignore"):  # Dask thinks that this is much to send
        if not client.scheduler_info()["workers"]:
            print(f"waiting for a machine: ./workbook worker {address}", file=sys.stderr, flush=True)
        keys = {number: f"round-{number}-{_short_hash(folder.name + record.now())}" for number in wanted}
        tasks = [
            client.submit(round_here, kit, number, key=key, resources={RESOURCE: 1}) for number, key in keys.items()
        ]
        with record.progress(as_completed(tasks, with_results=True), "round") as bar:
            bar.total = len(tasks)
            for _, came in bar:
                bar.set_postfix_str(f"round {came['round']} on {came['name']}", refresh=False)
                _keep(came, request, folder)


def _keep(came: dict, request: dict, folder: Path) -> None:
    """Write a round of a machine; the mark that it is whole comes last."""
    home = folder / "machines" / came["name"]
    for name, content in came["files"].items():
        files.write(home / name, content)
    if not (home / "plan.json").exists():
        plan = {"request": request, **{key: came[key] for key in ("machine", "jars", "start", "load_before")}}
        files.write(home / "plan.json", json.dumps(plan, indent=2))
    files.write(home / "rounds" / f"{came['round']}.json", json.dumps({"files": sorted(came["files"])}))


# ------------------------------------------------------------------------------------------------ on each machine


def round_here(kit: bytes, number: int) -> dict:
    """Measure one round on this machine, alone; called by a Dask worker.

    Returns what the round wrote, ``files`` by their path, and the machine's facts. Raises RuntimeError if this
    checkout is not the same version of the workbook, and what `poolbook.record.block` raises.
    """
    home = _unpacked(kit)
    about = json.loads((home / "kit.json").read_text(encoding="utf-8"))
    if about["same"] != _same():
        raise RuntimeError("this machine has another version of the workbook: check out the same commit on all of them")
    request = about["request"]
    with record.alone(request["experiments"]):
        javas = record.javas_of(request)
        if not (home / "ready").exists():
            shutil.rmtree(home / "jdks", ignore_errors=True)  # half made, by a worker that was killed
            record.make_ready(request, javas, home)
            (home / "ready").touch()
        facts = {"start": record.now(), "load_before": record.load_average(), "machine": machine(javas)}
        for name, jdk, cell in record.blocks_of(request, number):
            java = record.host_java()
            record.block(str(home), name, jdk, cell, number, request["profile"], request["seed"], java)
    wrote = {
        file.relative_to(home).as_posix(): file.read_bytes()
        for file in sorted((home / "forks").rglob(f"*round={number:02d}[,.]*"))
        if file.is_file()
    }
    return {**facts, "jars": about["jars"], "name": machine_name(facts["machine"]), "round": number, "files": wrote}


def _unpacked(kit: bytes) -> Path:
    """The kit's folder on this machine; two workers of one machine share it."""
    home = BUILD / "recording" / f"kit-{hashlib.sha256(kit).hexdigest()[:12]}"
    with filelock.FileLock(f"{home}.lock"):
        if not home.exists():
            part = home.with_name(f"{home.name}.part")
            shutil.rmtree(part, ignore_errors=True)
            with zipfile.ZipFile(io.BytesIO(kit)) as archive:
                archive.extractall(part)
            about = json.loads((part / "kit.json").read_text(encoding="utf-8"))
            for alias, jars in about["class_paths"].items():
                files.write(part / f"{alias}.classpath", os.pathsep.join(jars))
            part.rename(home)
    return home


# ------------------------------------------------------------------------------------------------ the commands


def run(program: str, arguments: list[str], tls: Path | None) -> int:
    """Run one of Dask's programs until it ends; returns its exit status."""
    try:
        arguments += [word for what, file in security(tls).items() for word in (f"--{what}", file)]
        with_dask()
    except (record.BadRequest, extras.NotFetched) as problem:
        print(problem, file=sys.stderr)
        return 2
    return subprocess.run([sys.executable, "-m", f"distributed.cli.{program}", *arguments]).returncode


def main(arguments: list[str] | None = None) -> int:
    """``record`` with ``--scheduler``."""
    return record.main(arguments, record_on)
