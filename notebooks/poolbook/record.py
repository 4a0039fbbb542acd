"""Record experiments: ``python -m poolbook.record EXPERIMENT...``.

The experiments are in datasets/experiments.toml. A block is one round of one cell on one JDK: one fork of every
contender, in an order shuffled from the seed. Every finished fork is saved at once, so a recording that was killed
resumes where it stopped, with the same forks as an uninterrupted one.

A finished recording appears as one folder, ``<machine>/<date>/``, by one rename: in datasets/recorded/ with the profile
publish, in build/recorded/ with the others, which are for trials.
"""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import io
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import filelock
import pandas as pd
from tqdm import tqdm

from poolbook import columns, files
from poolbook import jdks as runtimes
from poolbook.commandline import Parser, show
from poolbook.datapackage import write as describe_datasets
from poolbook.experiments import EXPERIMENTS, aliases
from poolbook.jbang import JavaProblem, output
from poolbook.machine import machine
from poolbook.machine import name as machine_name
from poolbook.paths import BUILD, DATASETS, ROOT
from poolbook.plan import plan as plan_of
from poolbook.profiles import profile as read_profile
from poolbook.recorded import FORMAT_VERSION, NoData, digest, facts, recorded, recordings

LAUNCHER = [sys.executable, str(ROOT / "workbook"), "jbang"]
# One lock per machine, not per checkout: two recordings at once would disturb each other.
LOCK = Path(tempfile.gettempdir()) / "object-pool-workbook-recording.lock"


class BadRequest(ValueError):
    """A request on the command line that cannot be done."""


def block(
    folder: str, experiment: str, jdk: int, cell: int, round_number: int, profile: str, seed: int, java: str
) -> list[dict]:
    """Run one block and return its rows; the arguments are plain, so that another engine can call it.

    ``folder`` is the recording's, with the class paths, ``jdks/<jdk>`` and the finished forks, which are not run again.
    ``java`` starts the programs that measure with JMH. Raises `JavaProblem`.
    """
    home = Path(folder)
    plan = EXPERIMENTS[experiment]
    measured = Path("jdks") / str(jdk) / "bin" / "java"  # relative: no path of this machine in the results
    forks = Path("forks") / f"{experiment}-jdk{jdk}"
    class_path = (home / f"{plan.alias}.classpath").read_text(encoding="utf-8")
    ends_with_us = f"-Dworkbook.parent={os.getpid()}"
    program = [ends_with_us, "-cp", class_path, plan.main, *plan.arguments, *plan.cells[cell], "--json"]
    if plan.jmh:
        options = ["--profile", profile, "--seed", str(seed), "--round", str(round_number)]
        options += ["--results", str(forks), "-jvm", str(measured)]
        return json.loads(output([java, *program, *options], cwd=folder, env=_without_java_options()))
    if plan.shuffled:
        retries = read_profile(profile)["retries"]
        program += ["--seed", str(1000 * seed + round_number), "--retries", str(retries)]
    name = ",".join(word.lstrip("-") for word in plan.cells[cell]) or "all"
    finished = home / forks / f"{name},round={round_number:02d}.rows.json"
    if not finished.exists():
        if plan.histograms:
            histograms = finished.with_name(finished.name.replace(".rows.json", ".hlog"))
            histograms.parent.mkdir(parents=True, exist_ok=True)
            histograms.unlink(missing_ok=True)  # of a block that was killed
            program += ["--histograms", str(histograms)]
        rows = json.loads(output([str(home / measured), *program], cwd=folder, env=_without_java_options()))
        files.write(finished, json.dumps([{**row, "jdk": jdk, "round": round_number} for row in rows]))
    return json.loads(finished.read_text(encoding="utf-8"))


def _without_java_options() -> dict[str, str]:
    """The environment for what is measured: options that every JVM would take from it stand in no result."""
    unwanted = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")
    return {name: value for name, value in os.environ.items() if name not in unwanted}


def record(
    names: Iterable[str],
    versions: Iterable[int] | None = None,
    profile: str = "publish",
    seed: int = 1,
    datasets: Path = DATASETS,
    build: Path = BUILD,
    rounds: int | None = None,
    from_round: int = 1,
) -> Path:
    """Record experiments and return the folder of the results; ``versions`` of Java, or each experiment's own.

    ``rounds`` replaces the number of forks of the profile and of each experiment. With ``from_round``, it goes on from
    an earlier recording of this machine, and only the rounds from there on are made.

    Waits for another recording on this machine, and resumes an unfinished one of the same request. Raises
    `BadRequest`, `JavaProblem`, `poolbook.jdks.NoJdk`, `poolbook.columns.UnknownColumn`.
    """
    names = list(dict.fromkeys(names))
    for name in names:
        if name not in EXPERIMENTS:
            raise BadRequest(f"no experiment {name}; there are: {', '.join(EXPERIMENTS)}")
    given = list(dict.fromkeys(versions or []))  # a Java that was named twice would have all its rows twice
    jdks = {name: given or list(EXPERIMENTS[name].jdks) for name in names}
    request = {"experiments": names, "jdks": jdks, "profile": profile, "seed": seed}
    if rounds is not None:
        if rounds < 1:
            raise BadRequest(f"--rounds must be at least 1, not {rounds}")
        request["rounds"] = rounds
    results = datasets if profile == "publish" else build
    if from_round != 1:
        request["from_round"] = from_round
        _check_earlier(request, results)
    with _alone(names):
        javas = runtimes.find(sorted({version for wanted in jdks.values() for version in wanted}))
        folder = _begin(request, javas, build / "recording")
        _measure(request, folder)
        return _publish(folder, results)


def _check_earlier(request: dict, results: Path) -> None:
    """Raises `BadRequest` unless this machine has recorded exactly the rounds before those that are asked for."""
    first = request["from_round"]
    folder = results / "recorded" / machine_name(machine({}))
    for name, javas in request["jdks"].items():
        last = request.get("rounds") or EXPERIMENTS[name].rounds_of(request["profile"])
        if not 1 <= first <= last:
            raise BadRequest(f"--from-round must be from 1 to the last round of {name}, not {first}")
        try:
            frame = recorded(name, folder).frame
        except NoData:
            raise BadRequest(f"this machine has no recording of {name} to go on from") from None
        for jdk in javas:
            there = int(frame.loc[frame["jdk"] == jdk, "round"].nunique())
            if there != first - 1:
                raise BadRequest(f"{name} has {there} rounds on Java {jdk}: go on with --from-round {there + 1}")


@contextlib.contextmanager
def _alone(names: list[str]) -> Iterator[None]:
    """Hold this machine's lock; if another recording has it, say which one and wait."""
    about = LOCK.with_suffix(".json")
    lock = filelock.FileLock(LOCK, mode=0o666)  # the next one to record may be another user
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        try:
            other = json.loads(about.read_text(encoding="utf-8"))
            which = f"{' '.join(other['experiments'])} (process {other['process']}, since {other['since']})"
        except (OSError, ValueError, KeyError, TypeError):
            which = "another recording"
        print(f"waiting until this machine has finished recording {which}", file=sys.stderr, flush=True)
        lock.acquire()
    except PermissionError:
        raise BadRequest(f"{LOCK} belongs to another user and cannot be locked: ask them to delete it") from None
    with lock:
        with contextlib.suppress(OSError):  # only for the messages of others
            files.write(about, json.dumps({"experiments": names, "process": os.getpid(), "since": _now()}))
        yield


def _begin(request: dict, javas: dict[int, Path], recordings: Path) -> Path:
    """The folder of an unfinished recording of the same request, or a new one with all it needs."""
    here = machine(javas)
    for plan in sorted(recordings.glob("*/plan.json")):
        try:
            unfinished = json.loads(plan.read_text(encoding="utf-8"))
            same = unfinished["request"] == request and machine_name(unfinished["machine"]) == machine_name(here)
        except (ValueError, LookupError, TypeError, AttributeError):
            print(f"{plan.parent.name} is left alone: its plan.json is damaged", file=sys.stderr)
            continue
        if same:
            print(f"resuming {plan.parent.name}", file=sys.stderr)
            return plan.parent
    folder = recordings / _free(f"{_today()}-{'-'.join(request['experiments'])[:80]}", recordings)
    folder.mkdir(parents=True)
    (folder / "jdks").mkdir()
    for version, java in javas.items():
        _link(folder / "jdks" / str(version), java.resolve().parent.parent)
    jars = {}
    for alias in sorted({EXPERIMENTS[name].alias for name in request["experiments"]}):
        jars[alias] = _snapshot(alias, folder)
    for command in {EXPERIMENTS[name].before for name in request["experiments"]} - {()}:
        output([*LAUNCHER, *command], cwd=str(folder))
    plan = {"request": request, "machine": here, "jars": jars, "start": _now(), "load_before": _load()}
    files.write(folder / "plan.json", json.dumps(plan, indent=2))
    return folder


def _snapshot(alias: str, folder: Path) -> dict[str, str]:
    """Build an alias once and keep its jar, so that all forks run the same bytes even if sources are edited.

    Returns the SHA-256 of each jar on the class path, by file name.
    """
    script = aliases()[alias]["script-ref"]
    output([*LAUNCHER, "build", str(ROOT / script)])
    class_path = output([*LAUNCHER, "info", "classpath", str(ROOT / script)]).strip().split(os.pathsep)
    jar = folder / f"{alias}.jar"
    shutil.copy(class_path[0], jar)
    files.write(folder / f"{alias}.classpath", os.pathsep.join([jar.name, *class_path[1:]]))
    jars = [jar, *map(Path, class_path[1:])]
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in jars}


def _measure(request: dict, folder: Path) -> None:
    """All blocks, round by round: a slow hour of the machine hits every JDK and cell alike."""
    host = str(Path(os.environ["WORKBOOK_JAVA_HOME"]) / "bin" / "java")
    profile, plans = request["profile"], {name: EXPERIMENTS[name] for name in request["experiments"]}
    rounds = {name: request.get("rounds") or plan.rounds_of(profile) for name, plan in plans.items()}
    blocks = [
        (name, jdk, cell, round_number)
        for round_number in range(request.get("from_round", 1), 1 + max(rounds.values()))
        for name, plan in plans.items()
        if round_number <= rounds[name]
        for jdk in request["jdks"][name]
        for cell in range(len(plan.cells))
    ]
    seldom = 0.1 if sys.stderr.isatty() else 60  # seconds between lines in a log
    with tqdm(blocks, unit="block", dynamic_ncols=True, mininterval=seldom, maxinterval=seldom) as bar:
        for name, jdk, cell, round_number in bar:
            bar.set_postfix_str(f"{name}, Java {jdk}, round {round_number}", refresh=False)
            rows = block(str(folder), name, jdk, cell, round_number, profile, request["seed"], host)
            columns.check(dict.fromkeys(key for row in rows for key in row))  # fails now, not after hours


def _publish(folder: Path, datasets: Path) -> Path:
    """Put tables, JMH's own JSON and machine.json into one folder and move it into place; remove the recording."""
    plan = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
    target = datasets / "recorded" / machine_name(plan["machine"])
    target.mkdir(parents=True, exist_ok=True)
    published = _already(plan, target)
    if published is None:
        part = target / ".part"  # what a killed recording left there is made again
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir()
        jdks = plan["request"]["jdks"]
        tables = {name: _write_table(name, jdks[name], folder, part) for name in jdks}
        files.write(part / "machine.json", json.dumps(_machine_json(plan, tables), indent=2) + "\n")
        published = target / _free(plan["start"][:10], target)
        part.rename(published)
    if datasets == DATASETS:
        describe_datasets(datasets)
    shutil.rmtree(folder)
    return published


def _already(plan: dict, target: Path) -> Path | None:
    """The folder of this very recording, where it was killed between its last two steps."""
    for folder in recordings(target):
        with contextlib.suppress(NoData):  # damaged: it is not this one, which was written as a whole
            if any(_same(run, plan) for run in facts(folder).get("runs", [])):
                return folder
    return None


def _same(run: dict, plan: dict) -> bool:
    return (run["start"], run["experiments"]) == (plan["start"], plan["request"]["experiments"])


def _write_table(name: str, jdks: list[int], folder: Path, results: Path) -> dict:
    """Write a table and its raw results; returns its entry for machine.json."""
    finished = sorted(file for jdk in jdks for file in _of(name, jdk, ".rows.json", folder))
    table = _table([row for fork in finished for row in json.loads(fork.read_text(encoding="utf-8"))])
    table = table.sort_values([key for key in columns.SORTED_BY if key in table], kind="stable")
    text = table.to_csv(index=False, lineterminator="\n")
    files.write(results / f"{name}.csv", text)
    for ending, kind in ((".jmh.json", "jmh"), (".hlog", "histograms")):
        if raw := sorted(file for jdk in jdks for file in _of(name, jdk, ending, folder)):
            files.write(results / f"{name}-{kind}.zip", _zip(raw, folder / "forks"))
    return {"rows": len(table), "sha256": digest(text.encode("utf-8"))}


def _of(name: str, jdk: int, ending: str, folder: Path) -> Iterator[Path]:
    """What the forks of a table left in the recording's folder, by the end of the files' names."""
    return (folder / "forks" / f"{name}-jdk{jdk}").glob(f"*{ending}")


def _table(rows: list[dict]) -> pd.DataFrame:
    """Rows as a frame; whole numbers stay whole beside empty fields. A fork that hung has a row of few fields."""
    fullest = max(rows, key=len)
    table = pd.DataFrame(rows, columns=list(dict.fromkeys([*fullest, *(name for row in rows for name in row)])))
    for column in table.columns[table.isna().any()]:
        if all(row.get(column) is None or type(row[column]) is int for row in rows):
            table[column] = table[column].astype("Int64")
    return table


def _free(name: str, folder: Path) -> str:
    """The name, or the first free one with a number after it: nothing is ever overwritten."""
    names = itertools.chain([name], (f"{name}-{number}" for number in itertools.count(2)))
    return next(free for free in names if not (folder / free).exists())


def _machine_json(plan: dict, tables: dict[str, dict]) -> dict:
    """The machine, the run that was made on it, and what its tables must be."""
    request, here = plan["request"], dict(plan["machine"])
    versions = sorted({version for wanted in request["jdks"].values() for version in wanted})
    run = {
        **request,
        "command": f"./workbook record {' '.join(request['experiments'])} "
        f"--jdks {','.join(map(str, versions))} --profile {request['profile']} --seed {request['seed']}"
        + (f" --rounds {request['rounds']}" if "rounds" in request else "")
        + (f" --from-round {request['from_round']}" if "from_round" in request else ""),
        "profile_figures": read_profile(request["profile"]),
        "start": plan["start"],
        "end": _now(),
        "load_before": plan["load_before"],
        "load_after": _load(),
        "jars": plan["jars"],
        **{fact: here.pop(fact) for fact in ("git_revision", "code_changed")},
        "javas": here.pop("jdks"),
    }
    name = machine_name(plan["machine"])
    return {"format_version": FORMAT_VERSION, "machine": name, **here, "runs": [run], "tables": tables}


def _zip(files: list[Path], base: Path) -> bytes:
    """One archive, the same bytes for the same files."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target:
        for file in files:
            entry = zipfile.ZipInfo(file.relative_to(base).as_posix(), (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(entry, file.read_bytes())
    return archive.getvalue()


def _link(link: Path, home: Path) -> None:
    try:
        link.symlink_to(home, target_is_directory=True)
    except OSError:  # Windows without permission to make links
        subprocess.run(["cmd", "/c", "mklink", "/J", str(link), str(home)], check=True, capture_output=True)


def _today() -> str:
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


def _load() -> list[float] | None:
    return list(os.getloadavg()) if hasattr(os, "getloadavg") else None


def _say_plans(numbers: list[int]) -> int:
    try:
        show("\n\n".join(plan_of(number, max(60, shutil.get_terminal_size().columns)) for number in numbers))
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 2
    return 0


def main(arguments: list[str] | None = None) -> int:
    parser = Parser(prog="workbook record", description=__doc__.splitlines()[0])
    parser.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help=", ".join(EXPERIMENTS))
    parser.add_argument("--plan", type=int, nargs="+", metavar="CLAIM",
                        help="record nothing; say what it would take to decide these claims of the ledger")  # fmt: skip
    parser.add_argument("--jdks", metavar="8,17,...", help="default: each experiment's own versions")
    parser.add_argument("--profile", choices=["smoke", "teach", "publish"], default="publish",
                        help="default: publish; the others write into build/recorded/")  # fmt: skip
    parser.add_argument("--seed", type=int, default=1, help="shuffles the order of contenders (default: 1)")
    parser.add_argument("--rounds", type=int, metavar="N", help="JVMs for each contender (default: the profile's)")
    parser.add_argument("--from-round", type=int, default=1, metavar="N",
                        help="go on from this machine's last recording: make only round N and later ones")  # fmt: skip
    options = parser.parse_args(arguments)
    if bool(options.experiments) == bool(options.plan):
        print("name each EXPERIMENT to record, or use --plan with the numbers of claims", file=sys.stderr)
        return 2
    if options.plan:
        return _say_plans(options.plan)
    try:
        versions = [int(version) for version in options.jdks.split(",")] if options.jdks else None
    except ValueError:
        print(f"--jdks takes numbers such as 8,17, not {options.jdks}", file=sys.stderr)
        return 2
    try:
        results = record(options.experiments, versions, options.profile, options.seed, rounds=options.rounds,
                         from_round=options.from_round)  # fmt: skip
    except (BadRequest, runtimes.NoJdk, columns.UnknownColumn) as problem:
        print(problem, file=sys.stderr)
        return 2
    except JavaProblem as problem:
        print(f"stopped: {problem}\nfinished forks are kept; the same command resumes", file=sys.stderr)
        return 1
    except OSError as problem:  # such as a full disk
        where = f": {Path(problem.filename).name}" if problem.filename else ""
        print(f"stopped: {problem.strerror}{where}; finished forks are kept, and the same command resumes",
              file=sys.stderr)  # fmt: skip
        return 1
    except KeyboardInterrupt:
        print("interrupted; finished forks are kept, and the same command resumes", file=sys.stderr)
        return 130
    print(results.relative_to(ROOT) if results.is_relative_to(ROOT) else results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
