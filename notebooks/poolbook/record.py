"""Record experiments into datasets/recorded: ``python -m poolbook.record EXPERIMENT...``.

What there is to record is in `poolbook.experiments`. A block is one round of one cell on one JDK: one fork of every
contender, in an order shuffled from the seed. Every finished fork is on disk at once, so a recording that was killed
goes on where it was, with the same forks as an undisturbed one.
"""

from __future__ import annotations

import argparse
import datetime
import io
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

import filelock
import pandas as pd
from tqdm import tqdm

from poolbook import jdks as runtimes
from poolbook.datapackage import write as describe_datasets
from poolbook.experiments import EXPERIMENTS
from poolbook.jbang import JavaProblem, output
from poolbook.machine import machine
from poolbook.paths import BUILD, DATASETS, ROOT, WORKBOOK
from poolbook.profiles import profile as read_profile
from poolbook.recorded import FORMAT_VERSION

LAUNCHER = [sys.executable, str(ROOT / "workbook"), "jbang"]
PARENT_WATCH = "-Dworkbook.parent=stdin"  # the program ends when this process does


# How the rows of a table are sorted, by those of these columns that it has.
SORTED_BY = (
    *("type", "jdk", "gc", "compiler", "threads", "borrowers", "objects", "hold", "borrows", "timeout_ms"),
    *("configuration", "versions", "partitions", "rate_per_s", "tokens", "heap_mb", "round"),
    *("strategy", "store", "layout", "fill", "pools", "choice", "pool", "leak"),
)


class BadRequest(ValueError):
    """Something asked for on the command line cannot be done."""


def block(
    folder: str, experiment: str, jdk: int, cell: int, round_number: int, profile: str, seed: int, java: str
) -> list[dict]:
    """Run one block and return its rows; plain arguments, so that another engine can call it elsewhere.

    ``folder`` is the recording's: the class paths, ``jdks/<jdk>`` and the finished forks, which are not run again.
    ``java`` starts the programs that measure with JMH. Raises `JavaProblem`.
    """
    home = Path(folder)
    plan = EXPERIMENTS[experiment]
    measured = Path("jdks") / str(jdk) / "bin" / "java"  # relative: no path of this machine in the results
    forks = Path("forks") / f"{experiment}-jdk{jdk}"
    class_path = (home / f"{plan.alias}.classpath").read_text(encoding="utf-8")
    program = [PARENT_WATCH, "-cp", class_path, plan.main, *plan.arguments, *plan.cells[cell], "--json"]
    if plan.jmh:
        options = ["--profile", profile, "--seed", str(seed), "--round", str(round_number)]
        options += ["--results", str(forks), "-jvm", str(measured)]
        return json.loads(output([java, *program, *options], cwd=folder))
    if plan.shuffled:
        retries = read_profile(profile)["retries"]
        program += ["--seed", str(1000 * seed + round_number), "--retries", str(retries)]
    name = ",".join(word.lstrip("-") for word in plan.cells[cell]) or "all"
    finished = home / forks / f"{name},round={round_number:02d}.rows.json"
    if not finished.exists():
        rows = json.loads(output([str(home / measured), *program], cwd=folder))
        _write(finished, json.dumps([{**row, "jdk": jdk, "round": round_number} for row in rows]))
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
        return _publish(request, folder, datasets)


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
    for command in {EXPERIMENTS[name].before for name in request["experiments"]} - {()}:
        output([*LAUNCHER, *command], cwd=str(folder))
    _write(
        folder / "plan.json",
        json.dumps({"request": request, "machine": here, "start": _now(), "load_before": _load()}, indent=2),
    )
    return folder


def _snapshot(alias: str, folder: Path) -> None:
    """Build an alias once and keep its jar: all forks run the same bytes, whatever is edited meanwhile."""
    script = json.loads((ROOT / "jbang-catalog.json").read_text(encoding="utf-8"))["aliases"][alias]["script-ref"]
    output([*LAUNCHER, "build", str(ROOT / script)])
    class_path = output([*LAUNCHER, "info", "classpath", str(ROOT / script)]).strip().split(os.pathsep)
    jar = folder / f"{alias}.jar"
    shutil.copy(class_path[0], jar)
    _write(folder / f"{alias}.classpath", os.pathsep.join([jar.name, *class_path[1:]]))


def _measure(request: dict, folder: Path) -> None:
    """All blocks, round by round: a slow hour of the machine hits every JDK and cell alike."""
    host = str(Path(os.environ["WORKBOOK_JAVA_HOME"]) / "bin" / "java")
    profile, plans = request["profile"], {name: EXPERIMENTS[name] for name in request["experiments"]}
    blocks = [
        (name, jdk, cell, round_number)
        for round_number in range(1, 1 + max(plan.rounds_of(profile) for plan in plans.values()))
        for name, plan in plans.items()
        if round_number <= plan.rounds_of(profile)
        for jdk in request["jdks"]
        for cell in range(len(plan.cells))
    ]
    seldom = 0.1 if sys.stderr.isatty() else 60  # seconds between lines in a log
    with tqdm(blocks, unit="block", dynamic_ncols=True, mininterval=seldom, maxinterval=seldom) as bar:
        for name, jdk, cell, round_number in bar:
            bar.set_postfix_str(f"{name}, Java {jdk}, round {round_number}", refresh=False)
            block(str(folder), name, jdk, cell, round_number, profile, request["seed"], host)


def _publish(request: dict, folder: Path, datasets: Path) -> Path:
    """Write the tables, JMH's own JSON and the machine into the data set; the recording is then removed."""
    plan = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
    results = _free_folder(datasets / "recorded", f"{plan['start'][:10]}-{_slug(plan['machine'])}", request)
    for name in request["experiments"]:
        forks = sorted(
            fork for jdk in request["jdks"] for fork in (folder / "forks" / f"{name}-jdk{jdk}").glob("*.json")
        )
        finished = [fork for fork in forks if fork.name.endswith(".rows.json")]
        table = _table([row for fork in finished for row in json.loads(fork.read_text(encoding="utf-8"))])
        keys = [key for key in SORTED_BY if key in table]
        table = table.sort_values(keys, kind="stable")
        _write(results / f"{name}.csv", table.to_csv(index=False, lineterminator="\n"))
        if raw := [fork for fork in forks if fork.name.endswith(".jmh.json")]:
            _write(results / f"{name}-jmh.zip", _zip(raw, folder / "forks"))
    _write(results / "machine.json", json.dumps(_machine_json(plan, results / "machine.json"), indent=2) + "\n")
    describe_datasets(datasets)
    shutil.rmtree(folder)
    return results


def _table(rows: list[dict]) -> pd.DataFrame:
    """Rows as a frame; whole numbers stay whole beside empty fields. A fork that hung has a row of few fields."""
    fullest = max(rows, key=len)
    table = pd.DataFrame(rows, columns=list(dict.fromkeys([*fullest, *(name for row in rows for name in row)])))
    for column in table.columns[table.isna().any()]:
        if all(row.get(column) is None or type(row[column]) is int for row in rows):
            table[column] = table[column].astype("Int64")
    return table


def _free_folder(recorded: Path, name: str, request: dict) -> Path:
    """The day's folder for this machine, or one with a number behind it: no table is ever overwritten."""
    for number in itertools.count(1):
        results = recorded / (name if number == 1 else f"{name}-{number}")
        if not any((results / f"{experiment}.csv").exists() for experiment in request["experiments"]):
            return results


def _machine_json(plan: dict, existing: Path) -> dict:
    """The machine, and the runs that were made on it; a later run of the same day adds itself."""
    runs = json.loads(existing.read_text(encoding="utf-8"))["runs"] if existing.exists() else []
    request, facts = plan["request"], dict(plan["machine"])
    run = {
        **request,
        "command": f"./workbook record {' '.join(request['experiments'])} "
        f"--jdks {','.join(map(str, request['jdks']))} --profile {request['profile']} --seed {request['seed']}",
        "profile_figures": read_profile(request["profile"]),
        "start": plan["start"],
        "end": _now(),
        "load_before": plan["load_before"],
        "load_after": _load(),
        **{fact: facts.pop(fact) for fact in ("jdks", "git_revision", "git_changed")},
    }
    return {"format_version": FORMAT_VERSION, **facts, "runs": [*runs, run]}


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


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, where argparse also prints its usage."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{message} (see ./{self.prog} --help)\n")


def main(arguments: list[str] | None = None) -> int:
    parser = Parser(prog="workbook record", description=__doc__.splitlines()[0])
    parser.add_argument("experiments", nargs="+", metavar="EXPERIMENT", help=", ".join(EXPERIMENTS))
    parser.add_argument("--jdks", default="8,17,21,25", metavar="8,17,...", help="default: 8,17,21,25")
    parser.add_argument("--profile", choices=["smoke", "teach", "publish"], default="publish")
    parser.add_argument("--seed", type=int, default=1, help="of the order of contenders (default: 1)")
    options = parser.parse_args(arguments)
    try:
        versions = [int(version) for version in options.jdks.split(",")]
    except ValueError:
        print(f"--jdks wants numbers like 8,17 and not {options.jdks}", file=sys.stderr)
        return 2
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
