"""Record experiments on this machine; `poolbook.record.command` is the command.

The experiments are in datasets/experiments.toml. A block is one round of one cell on one JDK: one fork of every
contender, in an order shuffled from the seed. Every finished fork is saved at once, so a recording that was killed
resumes where it stopped, with the same forks as an uninterrupted one.

A finished recording appears as one folder, ``<machine>/<date>/``, by one rename: in datasets/recorded/ with the profile
publish, in build/recorded/ with the others, which are for trials.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import hashlib
import itertools
import json
import os
import re
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

from poolbook.cells.jbang import output
from poolbook.record.experiments import EXPERIMENTS, aliases
from poolbook.system import files, streams
from poolbook.system import jdks as runtimes
from poolbook.system.machine import identity, machine, own_name
from poolbook.system.machine import name as kind_of
from poolbook.system.paths import BUILD, DATASETS, ROOT, WORKBOOK
from poolbook.system.profiles import profile as read_profile
from poolbook.tables import columns
from poolbook.tables.recorded import FORMAT_VERSION, NoData, digest, facts, recorded, recordings

CONTROLS = tuple(name for name in EXPERIMENTS if name.startswith("control-"))
CALM = "calm_us"  # a file of a recording's folder
# The reading that a tenth of all reach, and how much more still counts as calm. The reference's readings have two
# modes, up to 160 and from 220 us: the bound lies between them, as one inside a mode makes half of the calm forks wait.
BEST, NEARLY = 0.1, 1.5
LAUNCHER = [sys.executable, str(ROOT / "workbook"), "jbang"]
# One lock per machine, not per checkout: two recordings at once would disturb each other.
LOCK = Path(tempfile.gettempdir()) / "object-pool-workbook-recording.lock"
OWN_LOCK = WORKBOOK / "recording.lock"  # of this checkout, whatever its temporary folder is


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
    told = [f"-Dworkbook.parent={os.getpid()}", *_calm(home)]
    program = [*told, "-cp", class_path, plan.main, *plan.arguments, *plan.cells[cell], "--json"]
    if plan.jmh:
        options = ["--profile", profile, "--seed", str(seed), "--round", str(round_number)]
        options += ["--results", str(forks), "-jvm", str(measured)]
        return json.loads(output([java, *program, *options], cwd=folder, env=_without_java_options()))
    if plan.shuffled:
        retries = read_profile(profile)["retries"]
        program += ["--seed", str(1000 * seed + round_number), "--retries", str(retries)]
    name = ",".join(word.lstrip("-") for word in plan.cells[cell]) or "all"
    finished = home / forks / f"{name},round={round_number:02d}.rows.json"
    rows = _kept(finished, {"jdk": jdk, "round": round_number})
    if rows is None:
        if plan.histograms:
            histograms = finished.with_name(finished.name.replace(".rows.json", ".hlog"))
            histograms.parent.mkdir(parents=True, exist_ok=True)
            histograms.unlink(missing_ok=True)  # of a block that was killed
            program += ["--histograms", str(histograms)]
        measured_now = json.loads(output([str(home / measured), *program], cwd=folder, env=_without_java_options()))
        rows = [{**row, "jdk": jdk, "round": round_number} for row in measured_now]
        files.write(finished, json.dumps(rows))
    return rows


def _calm(home: Path) -> list[str]:
    """Tells a program the reading of `measure.SpeedProbe` above which no fork starts, if the recording has one."""
    file = home / CALM
    return [f"-Dworkbook.calm_us={file.read_text(encoding='utf-8')}"] if file.exists() else []


def _learn_calm(folder: Path, results: Path) -> None:
    """What is calm on this machine: near the best of all its readings, or near the best of this evening's controls if
    the whole evening is slower, as then no waiting would help.

    It is kept in the recording's folder for all blocks from now on, in microseconds; not if nothing that was recorded
    here has readings.
    """
    if (folder / CALM).exists():
        return  # a recording that goes on keeps its own
    plan = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
    earlier = [
        pd.read_csv(file) for one in recordings(results / "recorded" / plan["name"]) for file in one.glob("*.csv")
    ]
    kept = (folder / "forks").rglob("*.rows.json")
    controls = [pd.DataFrame(json.loads(file.read_text(encoding="utf-8"))) for file in kept]
    bounds = []
    for frames in (controls, [*controls, *earlier]):
        readings = [frame["probe_before_us"].dropna() for frame in frames if "probe_before_us" in frame]
        if readings and not (all_ := pd.concat(readings)).empty:
            bounds.append(float(all_.quantile(BEST)) * NEARLY)
    if bounds:
        files.write(folder / CALM, str(round(max(bounds), 1)))


def _kept(finished: Path, of: dict[str, int]) -> list[dict] | None:
    """The rows of a finished block; None for a file that is not there, is damaged, or has rows of another block."""
    try:
        rows = json.loads(finished.read_text(encoding="utf-8"))
        return rows if rows and all(of.items() <= row.items() for row in rows) else None
    except (OSError, ValueError, TypeError, AttributeError):
        return None


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
    name: str | None = None,
    anew: bool = False,
) -> Path:
    """Record experiments and return the folder of the results; ``versions`` of Java, or each experiment's own.

    ``rounds`` replaces the number of forks of the profile and of each experiment. With ``from_round``, it goes on from
    an earlier recording of this machine, and only the rounds from there on are made. ``name`` is the machine's folder;
    by default, that of its kind and its identity.

    Waits for another recording on this machine, and resumes an unfinished one of the same request, or with ``anew``
    deletes it. Raises `BadRequest`, also where what is unfinished was begun with other code, arguments, jars or Javas;
    `JavaProblem`, `poolbook.system.jdks.NoJdk`, `poolbook.tables.columns.UnknownColumn`.
    """
    request = request_of(names, versions, profile, seed, rounds)
    results = datasets if profile == "publish" else build
    if name is not None:
        request["machine"] = name
        _check_name(name, results)
    if from_round != 1:
        request["from_round"] = from_round
        _check_earlier(request, results)
    if profile == "publish":
        request["controls"] = _controls(request)
    with alone(request["experiments"]):
        folder = _begin(request, javas_of(request), build / "recording", anew, results)
        _measure(request, folder, results)
        return publish(folder, results)


def request_of(
    names: Iterable[str], versions: Iterable[int] | None, profile: str, seed: int, rounds: int | None
) -> dict:
    """What is to be recorded, as it will stand in machine.json. Raises `BadRequest`."""
    names = list(dict.fromkeys(names))
    for name in names:
        if name not in EXPERIMENTS:
            raise BadRequest(f"no experiment {name}; there are: {', '.join(EXPERIMENTS)}")
    given = list(dict.fromkeys(versions or []))  # a Java that was named twice would have all its rows twice
    jdks = {name: given or list(EXPERIMENTS[name].jdks) for name in names}
    request = {"experiments": names, "jdks": jdks, "profile": profile, "seed": seed}
    request["planned"] = {name: rounds or EXPERIMENTS[name].rounds_of(profile) for name in names}
    if rounds is not None:
        if rounds < 1:
            raise BadRequest(f"--rounds must be at least 1, not {rounds}")
        request["rounds"] = rounds
    return request


def javas_of(request: dict) -> dict[int, Path]:
    """The ``java`` of each version that a request needs. Raises `poolbook.system.jdks.NoJdk`."""
    return runtimes.find(sorted({version for wanted in runs_of(request).values() for version in wanted}))


def _controls(request: dict) -> dict[str, list[int]]:
    """The Javas of the controls that a recording begins with; none, with a word, where their Java cannot be had."""
    controls = {name: list(EXPERIMENTS[name].jdks) for name in CONTROLS if name not in request["experiments"]}
    try:
        runtimes.find({version for wanted in controls.values() for version in wanted})
    except runtimes.NoJdk as problem:
        print(f"this recording begins without the controls: {problem}", file=sys.stderr)
        return {}
    return controls


def runs_of(request: dict) -> dict[str, list[int]]:
    """The Javas of each experiment that a request runs: the controls first, and what was asked for."""
    return {**request.get("controls", {}), **request["jdks"]}


def _check_name(name: str, results: Path) -> None:
    """Raises `BadRequest` for a name that cannot be a folder's, or that a machine of another kind has."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,79}", name):
        raise BadRequest(f"--machine takes lowercase letters, digits and hyphens, such as my-laptop, not {name!r}")
    here = kind_of(machine())
    for folder in recordings(results / "recorded" / name):
        with contextlib.suppress(NoData):
            if (there := kind_of(facts(folder))) != here:
                raise BadRequest(f"{name} has recordings of a machine of another kind, {there}: choose another name")


def _named(request: dict, here: dict) -> str:
    """The name of this machine's folder: what was asked for, or what it is."""
    return request.get("machine") or own_name(here, identity())


def _check_earlier(request: dict, results: Path) -> None:
    """Raises `BadRequest` unless this machine has recorded exactly the rounds before those that are asked for."""
    first = request["from_round"]
    folder = results / "recorded" / _named(request, machine())
    for name, javas in request["jdks"].items():
        last = request.get("rounds") or EXPERIMENTS[name].rounds_of(request["profile"])
        if not 1 <= first <= last:
            raise BadRequest(f"--from-round must be from 1 to the last round of {name}, not {first}")
        try:
            frame = recorded(name, folder).frame
        except NoData:
            raise BadRequest(f"this machine has no recording of {name} to go on from: leave out --from-round") from None
        for jdk in javas:
            there = set(frame.loc[frame["jdk"] == jdk, "round"])
            if there != set(range(1, len(there) + 1)):
                raise BadRequest(
                    f"other machines have some of the rounds of {name} on Java {jdk}: record all of it here"
                )
            if len(there) != first - 1:
                raise BadRequest(
                    f"{name} has {len(there)} rounds on Java {jdk}: go on with --from-round {len(there) + 1}"
                )


@contextlib.contextmanager
def alone(names: list[str]) -> Iterator[None]:
    """Hold this machine's lock and the checkout's. If another recording has one of them, say which one, and wait.

    The machine's lock is in the temporary folder: recordings with two such folders meet only at the checkout's.
    """
    with _held(filelock.FileLock(OWN_LOCK)), _held(filelock.FileLock(LOCK, mode=0o666)):
        about = WORKBOOK / "recording.json"  # beside the lock, another user could put a link in its place
        with contextlib.suppress(OSError):  # only for the messages of others
            files.write(about, json.dumps({"experiments": names, "process": os.getpid(), "since": now()}))
        try:
            yield
        finally:
            about.unlink(missing_ok=True)


def _held(lock: filelock.BaseFileLock) -> contextlib.AbstractContextManager:
    """Acquires a lock, which is released at the end. Raises `BadRequest`."""
    try:
        return lock.acquire(timeout=0)
    except filelock.Timeout:
        try:
            other = json.loads((WORKBOOK / "recording.json").read_text(encoding="utf-8"))
            which = f"{' '.join(other['experiments'])} (process {other['process']}, since {other['since']})"
        except (OSError, ValueError, KeyError, TypeError):
            which = f"another recording, which holds {lock.lock_file}"
        print(f"waiting until this machine has finished recording {which}", file=sys.stderr, flush=True)
        return lock.acquire()
    except OSError as problem:  # such as a link, which is not followed
        if lock.lock_file == str(OWN_LOCK):
            raise BadRequest(streams.unwritable(problem) or str(problem)) from None
        raise BadRequest(
            f"{lock.lock_file} belongs to another user and cannot be locked: ask them to delete it, or set another"
            " TMPDIR"
        ) from None


def _begin(
    request: dict, javas: dict[int, Path], unfinished_ones: Path, anew: bool = False, results: Path = BUILD
) -> Path:
    """The folder of an unfinished recording of the same request, or a new one with all it needs.

    Raises `BadRequest` if the unfinished one would go on with something else than it was begun with.
    """
    here = machine(javas)
    name = _named(request, here)
    if unfinished := _unfinished(request, name, unfinished_ones):
        if not anew:
            _check_same(unfinished, request, here, javas)
            print(f"resuming {unfinished.name}", file=sys.stderr)
            return unfinished
        shutil.rmtree(unfinished)
    folder = unfinished_ones / free(f"{_today()}-{'-'.join(request['experiments'])[:80]}", unfinished_ones)
    folder.mkdir(parents=True)
    jars = {alias: snapshot(alias, folder) for alias in aliases_of(request)}
    make_ready(request, javas, folder)
    plan = {
        "request": request, "name": name, "identity": identity(), "machine": here, "jars": jars,
        "runs": _fingerprint(request, here, jars, folder), "start": now(), "load_before": load_average(),
        "looks": _looks(request["experiments"], results / "recorded" / name),
    }  # fmt: skip
    files.write(folder / "plan.json", json.dumps(plan, indent=2))
    return folder


def _looks(names: list[str], machine_folder: Path) -> dict[str, int]:
    """How often this machine will have recorded each table: each further time is a further look at its verdicts.

    A recording that took the place of an earlier one may stand alone, so it knows how many there were before it.
    """
    looks = dict.fromkeys(names, 1)
    for folder in recordings(machine_folder):
        with contextlib.suppress(NoData):
            for run in facts(folder).get("runs", []):
                for name in set(run["experiments"]) & set(names):
                    looks[name] = max(looks[name], run.get("looks", {}).get(name, looks[name])) + 1
    return looks


def _unfinished(request: dict, name: str, recordings: Path) -> Path | None:
    """The folder of an unfinished recording of the same request on this machine."""
    for plan in sorted(recordings.glob("*/plan.json")):
        try:
            begun = json.loads(plan.read_text(encoding="utf-8"))
            same = begun["request"] == request and begun["name"] == name
            is_whole = not same or (isinstance(begun["runs"], dict) and isinstance(begun["jars"], dict))
        except (OSError, ValueError, LookupError, TypeError):
            is_whole = False
        if not is_whole:
            print(f"{plan.parent.name} is left alone: its plan.json is damaged", file=sys.stderr)
            continue
        if same:
            return plan.parent
    return None


def _check_same(unfinished: Path, request: dict, here: dict, javas: dict[int, Path]) -> None:
    """Raises `BadRequest` unless what is kept and what would run now is what an unfinished recording was begun with."""
    plan = json.loads((unfinished / "plan.json").read_text(encoding="utf-8"))
    before = plan["runs"]
    with tempfile.TemporaryDirectory() as built:
        jars = {alias: snapshot(alias, Path(built)) for alias in aliases_of(request)}
        now_ = _fingerprint(request, here, jars, Path(built))
    try:
        kept = _fingerprint(request, here, plan["jars"], unfinished)["code"]
        is_whole = all((unfinished / f"{alias}.classpath").is_file() for alias in jars)
    except (OSError, zipfile.BadZipFile):
        is_whole = False
    if not is_whole or kept != before.get("code"):
        now_["code"] = ""
    linked = {version: unfinished / "jdks" / str(version) for version in javas}
    if any(linked[version].resolve() != java.resolve().parent.parent for version, java in javas.items()):
        now_["Java"] = ""
    if changed := [what for what in now_ if now_[what] != before.get(what)]:
        raise BadRequest(
            f"{unfinished.name} is unfinished, and has changed since: {', '.join(changed)}. Add --anew to delete it "
            "and begin again, or undo the change to go on"
        )


def _fingerprint(request: dict, here: dict, jars: dict[str, dict], folder: Path) -> dict[str, str]:
    """A hash of each thing that a recording runs, by its name for people. ``folder`` has the programs' own jars."""
    programs = {}
    for jar in sorted(folder.glob("*.jar")):  # their classes: the same classes may be packed again at another time
        with zipfile.ZipFile(jar) as archive:
            programs[jar.name] = sorted((entry.filename, entry.CRC) for entry in archive.infolist())
    libraries = {alias: {jar: sha for jar, sha in of.items() if jar not in programs} for alias, of in jars.items()}
    experiments = {name: dataclasses.asdict(EXPERIMENTS[name]) for name in runs_of(request)}
    asked = ("alias", "arguments", "cells", "rounds", "shuffled", "histograms", "day")
    arguments = [{key: about[key] for key in asked} for about in experiments.values()]
    parts = {
        "code": programs,
        "arguments": [arguments, read_profile(request["profile"])],
        "jars": libraries,
        "Java": here["jdks"],
    }
    return {what: digest(json.dumps(part, sort_keys=True).encode()) for what, part in parts.items()}


def aliases_of(request: dict) -> list[str]:
    """The programs that a request runs."""
    return sorted({EXPERIMENTS[name].alias for name in runs_of(request)})


def make_ready(request: dict, javas: dict[int, Path], folder: Path) -> None:
    """Put into a recording's folder what its blocks find there besides the programs: the Javas, and a day of data."""
    (folder / "jdks").mkdir()
    for version, java in javas.items():
        _link(folder / "jdks" / str(version), java.resolve().parent.parent)
    for command in {EXPERIMENTS[name].before for name in runs_of(request)} - {()}:
        output([*LAUNCHER, *command], cwd=str(folder))


def snapshot(alias: str, folder: Path) -> dict[str, str]:
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


def rounds_of(request: dict) -> range:
    """The numbers of the rounds that were asked for."""
    return range(request.get("from_round", 1), 1 + max(_last_round(name, request) for name in request["experiments"]))


def _last_round(name: str, request: dict) -> int:
    return request.get("rounds") or EXPERIMENTS[name].rounds_of(request["profile"])


def blocks_of(request: dict, round_number: int) -> list[tuple[str, int, int]]:
    """The blocks of one round: experiment, Java, and number of the cell."""
    return [
        (name, jdk, cell)
        for name in request["experiments"]
        if round_number <= _last_round(name, request)
        for jdk in request["jdks"][name]
        for cell in range(len(EXPERIMENTS[name].cells))
    ]


def host_java() -> str:
    """The ``java`` that starts the programs that measure with JMH."""
    return str(Path(os.environ["WORKBOOK_JAVA_HOME"]) / "bin" / "java")


def progress(steps: list, unit: str) -> tqdm:
    """A progress bar; in a log, a line now and then."""
    seldom = 0.1 if sys.stderr.isatty() else 60  # seconds between lines
    return tqdm(steps, unit=unit, dynamic_ncols=True, mininterval=seldom, maxinterval=seldom)


def _measure(request: dict, folder: Path, results: Path) -> None:
    """First the controls, which tell this evening from others. Then all blocks, round by round: a slow hour of the
    machine hits every JDK and cell alike, and no fork of them starts in a slow moment."""
    controls = [
        (name, jdk, cell, number)
        for name, javas in request.get("controls", {}).items()
        for number in range(1, 1 + EXPERIMENTS[name].rounds_of(request["profile"]))
        for jdk in javas
        for cell in range(len(EXPERIMENTS[name].cells))
    ]
    blocks = [(*one, number) for number in rounds_of(request) for one in blocks_of(request, number)]
    with progress([*controls, *blocks], "block") as bar:
        for place, (name, jdk, cell, round_number) in enumerate(bar):
            bar.set_postfix_str(f"{name}, Java {jdk}, round {round_number}", refresh=False)
            if place == len(controls) and request["profile"] == "publish":
                _learn_calm(folder, results)
            rows = block(str(folder), name, jdk, cell, round_number, request["profile"], request["seed"], host_java())
            columns.check(dict.fromkeys(key for row in rows for key in row))  # fails now, not after hours


def publish(folder: Path, datasets: Path) -> Path:
    """Put tables, JMH's own JSON and machine.json into one folder and move it into place; remove the recording."""
    plan = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
    target = datasets / "recorded" / plan["name"]
    target.mkdir(parents=True, exist_ok=True)
    published = already(plan, target)
    if published is None:
        part = target / ".part"  # what a killed recording left there is made again
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir()
        jdks = runs_of(plan["request"])
        tables = {name: _write_table(name, jdks[name], folder, part) for name in jdks}
        files.write(part / "machine.json", json.dumps(_machine_json(plan, tables), indent=2) + "\n")
        published = target / free(plan["start"][:10], target)
        part.rename(published)
    shutil.rmtree(folder)
    return published


def already(plan: dict, target: Path) -> Path | None:
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
    for ending, kind in ((".jmh.json", "jmh"), (".hlog", "histograms"), (".stuck.txt", "dumps")):
        if raw := sorted(file for jdk in jdks for file in _of(name, jdk, ending, folder)):
            files.write(
                results / f"{name}-{kind}.tar.xz",
                files.packed({file.relative_to(folder / "forks").as_posix(): file.read_bytes() for file in raw}),
            )
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


def free(name: str, folder: Path) -> str:
    """The name, or the first free one with a number after it: nothing is ever overwritten."""
    names = itertools.chain([name], (f"{name}-{number}" for number in itertools.count(2)))
    return next(free for free in names if not (folder / free).exists())


def _machine_json(plan: dict, tables: dict[str, dict]) -> dict:
    """The machine, the run that was made on it, and what its tables must be."""
    request, here = plan["request"], dict(plan["machine"])
    lengths = {name: EXPERIMENTS[name].lengths(request["profile"]) for name in runs_of(request)}
    versions = sorted({version for wanted in request["jdks"].values() for version in wanted})
    run = {
        **request,
        "command": f"./workbook record {' '.join(request['experiments'])} "
        f"--jdks {','.join(map(str, versions))} --profile {request['profile']} --seed {request['seed']}"
        + (f" --rounds {request['rounds']}" if "rounds" in request else "")
        + (f" --from-round {request['from_round']}" if "from_round" in request else "")
        + (f" --machine {request['machine']}" if "machine" in request else "")
        + (" --scheduler ADDRESS" if "these_rounds" in request else ""),
        "lengths": {name: each for name, each in lengths.items() if each},
        "looks": plan.get("looks", {}),
        "start": plan["start"],
        "end": plan.get("end") or now(),
        "load_before": plan["load_before"],
        "load_after": plan["load_after"] if "end" in plan else load_average(),
        "jars": plan["jars"],
        **{fact: here.pop(fact) for fact in ("git_revision", "code_changed")},
        "javas": here.pop("jdks"),
    }
    about = {"format_version": FORMAT_VERSION, "machine": plan["name"], "identity": plan["identity"], **here}
    return {**about, "runs": [run], "tables": tables}


def _link(place: Path, home: Path) -> None:
    """Make a link to a folder."""
    try:
        place.symlink_to(home, target_is_directory=True)
    except OSError:  # Windows without permission to make links
        subprocess.run(["cmd", "/c", "mklink", "/J", str(place), str(home)], check=True, capture_output=True)


def _today() -> str:
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def now() -> str:
    """This moment in UTC, to the second."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


def load_average() -> list[float] | None:
    """The system's load over 1, 5 and 15 minutes; None where it does not say."""
    return list(os.getloadavg()) if hasattr(os, "getloadavg") else None
