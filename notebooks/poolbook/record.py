"""Record experiments into datasets/recorded: ``python -m poolbook.record EXPERIMENT...``.

An experiment is a list of cells (such as 5 threads, 15 threads). A block is one round of one cell on one
JDK: one fork of every contender, in an order shuffled from the seed. Every finished fork is on disk at once,
so a recording that was killed goes on where it was, with the same forks as an undisturbed one.
"""

from __future__ import annotations

import argparse
import datetime
import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import filelock
import pandas as pd
from tqdm import tqdm

from poolbook import jdks as runtimes
from poolbook.jbang import JavaProblem, output
from poolbook.machine import machine
from poolbook.paths import BUILD, DATASETS, ROOT, WORKBOOK
from poolbook.profiles import profile as read_profile
from poolbook.recorded import FORMAT_VERSION

PARENT_WATCH = "-Dworkbook.parent=stdin"  # the program ends when this process does


@dataclass(frozen=True)
class Experiment:
    """What to record under one name.

    ``alias`` is the program, ``arguments`` its options for every block, ``cells`` one more set of options
    each. ``forks_jvms`` programs start JVMs of the measured JDK by JMH and keep each fork on disk by themselves;
    the others run as a whole on the measured JDK, and a block is their one result. ``rounds`` replaces the
    number of forks of the profile.
    """

    alias: str
    main: str
    arguments: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    forks_jvms: bool
    contenders: int
    rounds: int | None = None


STRATEGIES = "NEW,LOCKED,POOL,CLONE,THREAD_LOCAL,FORMATTER"
EXPERIMENTS = {
    "dates": Experiment(
        alias="bench-dates",
        main="dates.BenchDates",
        arguments=("--strategies", STRATEGIES),
        cells=(("--threads", "5"), ("--threads", "15")),
        forks_jvms=True,
        contenders=6,
    ),
    "dates-objects": Experiment(
        alias="bench-dates",
        main="dates.BenchDates",
        arguments=("--strategies", "LOCKED,POOL", "--threads", "5"),
        cells=tuple(("--objects", str(objects)) for objects in (1, 2, 3, 4, 10)),
        forks_jvms=True,
        contenders=2,
        rounds=5,
    ),
    "dates-warmup": Experiment(
        alias="bench-dates",
        main="dates.BenchDates",
        arguments=("--strategies", STRATEGIES, "-wi", "0", "-i", "16", "-r", "250ms"),
        cells=(("--threads", "15"),),
        forks_jvms=True,
        contenders=6,
        rounds=2,
    ),
    "dates-passes": Experiment(
        alias="dates",
        main="dates.Dates",
        arguments=("--each-pass", "--passes", "12"),
        cells=tuple(
            ("--compiler", compiler, "--threads", threads)
            for compiler in ("client", "server")
            for threads in ("5", "15")
        ),
        forks_jvms=False,
        contenders=3,
        rounds=5,
    ),
}


class BadRequest(ValueError):
    """Something asked for on the command line cannot be done."""


def block(
    experiment: str, jdk: int, java: str, cell: int, round_number: int, seed: int, profile: str, folder: str
) -> list[dict]:
    """Run one block and return its rows; plain arguments, so that any engine can call it anywhere.

    ``folder`` holds the recording: its ``classpath.txt``, ``jdks/<jdk>`` and the finished forks. ``java``
    runs the host program. Forks that are on disk already are not run again. Raises `JavaProblem`.
    """
    return list(_block(experiment, jdk, java, cell, round_number, seed, profile, Path(folder)))


def _block(experiment, jdk, java, cell, round_number, seed, profile, folder, on_progress=lambda *step: None):
    plan = EXPERIMENTS[experiment]
    place = folder / "forks" / f"{experiment}-jdk{jdk}"
    measured = Path("jdks") / str(jdk) / "bin" / "java"  # relative: no path of this machine in the results
    class_path = (folder / f"{plan.alias}.classpath").read_text(encoding="utf-8")
    program = [PARENT_WATCH, "-cp", class_path, plan.main, *plan.arguments, *plan.cells[cell], "--json"]
    if plan.forks_jvms:
        options = ["--profile", profile, "--seed", str(seed), "--round", str(round_number)]
        options += ["--results", str(place.relative_to(folder)), "-jvm", str(measured)]
        # The runtime prints its JMH output to a log; the first word of the command is the host JVM.
        return json.loads(output([java, *program, *options], on_progress, cwd=folder))
    name = ",".join(word.lstrip("-") for word in plan.cells[cell])
    finished = place / f"{name},round={round_number:02d}.rows.json"
    if not finished.exists():
        rows = json.loads(output([str(folder / measured), *program], on_progress, cwd=folder))
        _write(finished, json.dumps([{**row, "round": round_number} for row in rows]))
    return json.loads(finished.read_text(encoding="utf-8"))


def record(
    names: Iterable[str],
    versions: Iterable[int],
    profile: str = "publish",
    seed: int = 1,
    datasets: Path = DATASETS,
    build: Path = BUILD,
) -> Path:
    """Record experiments on several JDKs and return the folder of the results.

    Goes on with an unfinished recording of the same request. Raises `BadRequest`, `JavaProblem`,
    `poolbook.jdks.NoJdk`.
    """
    names, versions = list(names), list(versions)
    for name in names:
        if name not in EXPERIMENTS:
            raise BadRequest(f"no experiment {name}; there are: {', '.join(EXPERIMENTS)}")
    WORKBOOK.mkdir(exist_ok=True)
    lock = filelock.FileLock(WORKBOOK / "measure.lock")
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise BadRequest("another measurement is going on; wait for it to end") from None
    with lock:
        javas = runtimes.find(versions)
        request = {"experiments": names, "jdks": versions, "profile": profile, "seed": seed}
        folder = _begin(request, javas, build / "recording")
        _measure(request, folder)
        return _publish(request, javas, folder, datasets / "recorded")


def _begin(request: dict, javas: dict[int, Path], recordings: Path) -> Path:
    """The folder of an unfinished recording of the same request, or a new one with all it needs."""
    for plan in sorted(recordings.glob("*/plan.json")):
        unfinished = json.loads(plan.read_text(encoding="utf-8"))
        if unfinished["request"] == request:
            print(f"going on with {plan.parent.name}", file=sys.stderr)
            return plan.parent
    here = machine(javas)
    folder = recordings / f"{_today()}-{_slug(here)}-{'-'.join(request['experiments'])}"
    if folder.exists():
        shutil.rmtree(folder)  # it has no plan: killed before its first block
    folder.mkdir(parents=True)
    (folder / "jdks").mkdir()
    for version, java in javas.items():
        _link(folder / "jdks" / str(version), java.resolve().parent.parent)
    for alias in {EXPERIMENTS[name].alias for name in request["experiments"]}:
        _snapshot(alias, folder)
    _write(
        folder / "plan.json",
        json.dumps({"request": request, "machine": here, "start": _now(), "load_before": _load()}, indent=2),
    )
    return folder


def _snapshot(alias: str, folder: Path) -> None:
    """Build an alias once and keep its jar: all forks run the same bytes, whatever is edited meanwhile."""
    launcher = [sys.executable, str(ROOT / "workbook"), "jbang"]
    script = json.loads((ROOT / "jbang-catalog.json").read_text(encoding="utf-8"))["aliases"][alias]["script-ref"]
    output([*launcher, "build", str(ROOT / script)])
    class_path = output([*launcher, "info", "classpath", str(ROOT / script)]).strip().split(os.pathsep)
    jar = folder / f"{alias}.jar"
    shutil.copy(class_path[0], jar)
    _write(folder / f"{alias}.classpath", os.pathsep.join([jar.name, *class_path[1:]]))


def _measure(request: dict, folder: Path) -> None:
    host = str(Path(os.environ["WORKBOOK_JAVA_HOME"]) / "bin" / "java")
    forks = read_profile(request["profile"])["forks"]
    blocks = [
        (name, jdk, cell, round_number)
        for round_number in range(1, 1 + max(EXPERIMENTS[n].rounds or forks for n in request["experiments"]))
        for name in request["experiments"]
        if round_number <= (EXPERIMENTS[name].rounds or forks)
        for jdk in request["jdks"]
        for cell in range(len(EXPERIMENTS[name].cells))
    ]
    with tqdm(total=len(blocks), unit="block", dynamic_ncols=True) as bar:
        for name, jdk, cell, round_number in blocks:
            bar.set_postfix_str(f"{name}, Java {jdk}, round {round_number}")
            _block(name, jdk, host, cell, round_number, request["seed"], request["profile"], folder)
            bar.update()


def _publish(request: dict, javas: dict[int, Path], folder: Path, recorded: Path) -> Path:
    """Write the tables, JMH's own JSON and the machine into the data set; the recording is then removed."""
    plan = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
    results = recorded / f"{plan['start'][:10]}-{_slug(plan['machine'])}"
    results.mkdir(parents=True, exist_ok=True)
    for name in request["experiments"]:
        forks = sorted(
            fork for jdk in request["jdks"] for fork in (folder / "forks" / f"{name}-jdk{jdk}").glob("*.json")
        )
        rows = [
            row
            for fork in forks
            if fork.name.endswith(".rows.json")
            for row in json.loads(fork.read_text(encoding="utf-8"))
        ]
        table = pd.DataFrame(rows)
        keys = [key for key in ("jdk", "compiler", "threads", "objects", "round", "strategy") if key in table]
        table = table.sort_values(keys, kind="stable")
        _write(results / f"{name}.csv", table.to_csv(index=False, lineterminator="\n"))
        raw = [fork for fork in forks if fork.name.endswith(".jmh.json")]
        if raw:
            _write(results / f"{name}-jmh.zip", _zip(raw, folder / "forks"))
    _write(results / "machine.json", json.dumps(_machine_json(plan, results / "machine.json"), indent=2) + "\n")
    shutil.rmtree(folder)
    return results


def _machine_json(plan: dict, existing: Path) -> dict:
    """The machine, and the runs that were made on it; a later run of the same day adds itself."""
    runs = json.loads(existing.read_text(encoding="utf-8"))["runs"] if existing.exists() else []
    request = plan["request"]
    run = {
        **request,
        "command": f"./workbook record {' '.join(request['experiments'])} "
        f"--jdks {','.join(map(str, request['jdks']))} --profile {request['profile']} --seed {request['seed']}",
        "profile_figures": read_profile(request["profile"]),
        "start": plan["start"],
        "end": _now(),
        "load_before": plan["load_before"],
        "load_after": _load(),
        "git_revision": plan["machine"].get("git_revision"),
        "jdk_versions": plan["machine"].get("jdks"),
    }
    kept = [other for other in runs if other["experiments"] != request["experiments"]]
    return {**plan["machine"], "format_version": FORMAT_VERSION, "runs": [*kept, run]}


def _zip(files: list[Path], base: Path) -> bytes:
    """One archive, the same bytes for the same files."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target:
        for file in files:
            entry = zipfile.ZipInfo(file.relative_to(base).as_posix(), (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(entry, file.read_bytes())
    return archive.getvalue()


def _write(file: Path, content: str | bytes) -> None:
    """All or nothing: under a temporary name, then moved."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(file.name + ".part")
    part.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    os.replace(part, file)


def _link(link: Path, home: Path) -> None:
    try:
        link.symlink_to(home, target_is_directory=True)
    except OSError:  # Windows without the right to make links
        subprocess.run(["cmd", "/c", "mklink", "/J", str(link), str(home)], check=True, capture_output=True)


def _slug(here: dict) -> str:
    model = re.sub(r"\(.*?\)|cpu|processor|@.*", " ", str(here.get("cpu_model") or "unknown").lower())
    words = re.findall(r"[a-z0-9]+", model)
    return "-".join([*words[:4], f"{here.get('logical_cores') or 0}-cores"])


def _today() -> str:
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


def _load() -> list[float] | None:
    return list(os.getloadavg()) if hasattr(os, "getloadavg") else None


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="workbook record", description=__doc__.splitlines()[0])
    parser.add_argument("experiments", nargs="+", metavar="EXPERIMENT", help=", ".join(EXPERIMENTS))
    parser.add_argument("--jdks", default="8,17,21,25", metavar="8,17,...", help="default: 8,17,21,25")
    parser.add_argument("--profile", choices=["smoke", "teach", "publish"], default="publish")
    parser.add_argument("--seed", type=int, default=1, help="of the order of contenders (default: 1)")
    options = parser.parse_args(arguments)
    try:
        versions = [int(version) for version in options.jdks.split(",")]
    except ValueError:
        parser.error(f"--jdks wants numbers like 8,17 and not {options.jdks}")
    try:
        results = record(options.experiments, versions, options.profile, options.seed)
    except (BadRequest, runtimes.NoJdk) as problem:
        print(problem, file=sys.stderr)
        return 2
    except JavaProblem as problem:
        print(f"stopped: {problem}\nwhat was finished is kept; the same command goes on", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted; what was finished is kept, the same command goes on", file=sys.stderr)
        return 130
    print(results.relative_to(ROOT) if results.is_relative_to(ROOT) else results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
