"""What ``./workbook`` does once Python is new enough: sets up what is missing, then hands over to a task."""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import signal
import socket
import sys
import time

from poolbook.system import streams, tasks
from poolbook.system.address import WrongAddress, address
from poolbook.system.jdk import TEMURIN_URL, jdk_archives, jdk_version, tool
from poolbook.system.offline import supply
from poolbook.system.paths import ROOT
from poolbook.system.setup import ASK_KERNEL, Workbook, prepended
from poolbook.system.steps import WINDOWS, Problem, become, lock, one_line, save, say, strings


def start(book: Workbook, module: str, *arguments: object, programs: bool) -> int:
    """Sets up what is missing (the Java programs, too, if the task runs many), then becomes a module's `main`."""
    python, settings = book.everything()
    try:
        if programs:
            book.build_programs()
    except Problem as problem:  # each is then built at its first use
        say(f"not every Java program could be built: {one_line(problem)}")
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])  # it is delivered when the task can handle it
    # -P, here and elsewhere: nothing is imported from the current folder, which may be a stranger's.
    return become([python, "-P", "-m", "poolbook.system.begin", module, *strings(*arguments)], settings)


def bundle(book: Workbook, options: argparse.Namespace) -> int:
    archives = {name: [TEMURIN_URL + archive, sha256] for name, (archive, sha256) in jdk_archives().items()}
    os.environ["WORKBOOK_JDK_ARCHIVES"] = json.dumps(archives)
    return start(book, "poolbook.site.bundle", *options.arguments, programs=True)


def lab(book: Workbook, options: argparse.Namespace) -> int:
    with socket.socket() as probe:
        if not WINDOWS:  # there, this option would let two servers share a port
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", options.port))
        except OverflowError:
            raise Problem(f"--port takes a number up to 65535, not {options.port}") from None
        except OSError:
            raise Problem(f"port {options.port} is not free: try ./workbook lab --port {options.port + 1}") from None
    config = book.home / "jupyter" / "config"
    news = "@jupyterlab/apputils-extension:announcements"
    save(config / "labconfig" / "page_config.json", {"disabledExtensions": {news: True}})
    os.environ["JUPYTER_CONFIG_PATH"] = prepended(config, "JUPYTER_CONFIG_PATH")
    # JupyterLab asks yarn for its settings, which may lie in any folder above this one, and name a program to run.
    os.environ.update(YARN_IGNORE_PATH="1", YARN_RC_FILENAME=".yarnrc-of-the-workbook.yml")
    root = hasattr(os, "geteuid") and os.geteuid() == 0  # as in many containers; Jupyter needs a flag
    server = {"ip": "127.0.0.1", "port": options.port, "port_retries": 0, "allow_root": root}
    server["root_dir"] = book.root / "my"
    flags = [f"--ServerApp.{name}={value}" for name, value in server.items()]
    flags += ["--LanguageServerManager.autodetect=False"]  # it would look in the current folder
    return start(book, "poolbook.lessons.lab", *flags, *["--no-browser"] * options.no_browser, programs=True)


def jbang(book: Workbook, options: argparse.Namespace) -> int:
    command = book.command(options.arguments)
    if command and command[0] == str(tool(book.jdk(), "java")) and jdk_version(book.jdk()) >= (24,):
        command.insert(1, "--sun-misc-unsafe-memory-access=allow")  # JMH uses it, and the JVM would warn in four lines
    return become(command, {**os.environ, **book.java_environment()}) if command else 0


def check(book: Workbook, options: argparse.Namespace) -> int:
    """Sets up everything and prints a line for each part, OK or what to fix; returns 1 if a part fails."""
    if options.place is not None:
        with lock(book.home / "bundle.lock"):
            supply(book, options.place)

    def disk() -> str:
        free = shutil.disk_usage(book.root).free / 1e9
        if free < 1:
            raise Problem(f"only {free:.1f} GB are free: free about 2 GB")
        return f"{free:.0f} GB free"

    def jar() -> str:
        book.build_jar()
        return f"{book.jar.stat().st_size // 1000} kB, in {book.jar}"

    def programs() -> str:
        book.build_programs()
        return f"all {len(book.aliases())} of jbang-catalog.json are built"

    def libraries() -> str:
        if damaged := book.damaged_libraries():
            raise Problem(f"{damaged[0]} is damaged: the next ./workbook jbang fetches it again")
        here, every = len(book.libraries()), len(book.pins())
        return f"{here} of {every} files are here, each with the SHA-256 in java/dependencies.sha256"

    def kernel() -> str:
        python, settings = book.everything()
        start = time.monotonic()
        answer = book.call([python, "-c", ASK_KERNEL], "it does not start", settings).strip()
        if answer != "2 pools.ObjectPool":
            raise Problem(f"1 + 1 and pools.ObjectPool gave {answer!r}: delete {book.jar} and check again")
        return f"started, computed 1 + 1 and saw pools.ObjectPool in {time.monotonic() - start:.1f} s"

    def processors() -> str:
        count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        return str(count) if count != 1 else "1: threads take turns here, so races rarely show"

    def collector() -> str:
        java = strings(tool(book.jdk(), "java"), "-XX:+PrintFlagsFinal", "-version")
        used = re.findall(
            r"bool Use(Serial|Parallel|G1|Z|Shenandoah)GC\s+= true", book.call(java, "java does not start")
        )
        return " ".join(used) + (" (a JVM's choice on a small machine)" if used == ["Serial"] else "")

    def published() -> str:
        try:
            here = address(book.root / "pyproject.toml")
        except WrongAddress as problem:
            raise Problem(str(problem)) from None
        known = ", ".join(filter(None, (here.web, here.book))) or "not set"
        lines = ", ".join(here.missing)
        return f"{known}; for links and badges, add to [tool.workbook] in pyproject.toml: {lines}" if lines else known

    parts = {
        "python": lambda: f"{platform.python_version()} in {sys.executable}",
        "disk": disk,
        "packages": lambda: book.environment().prefix,
        "jdk": lambda: f"{'.'.join(map(str, jdk_version(book.jdk())))} in {book.jdk()}",
        "jbang": lambda: book.jbang(["version"])[0].strip(),
        "jar": jar,
        "programs": programs,
        "libraries": libraries,
        "java kernel": kernel,
        "processors": processors,
        "collector": collector,
        "address": published,
    }
    needs = {
        "jbang": {"jdk"},
        "jar": {"jbang"},
        "programs": {"jbang"},
        "libraries": {"jdk"},
        "java kernel": {"packages", "jar"},
        "collector": {"jdk"},
    }
    broken = set()
    for name, part in parts.items():
        try:
            if needs.get(name, set()) & broken:
                raise Problem(f"needs {' and '.join(sorted(needs[name] & broken))}")
            print(f"OK   {name:12} {part()}", flush=True)
        except (Problem, OSError) as problem:
            broken.add(name)
            print(f"FIX  {name:12} {one_line(problem)}", flush=True)
    return 1 if broken else 0


OWN = {"lab": lab, "check": check, "jbang": jbang, "bundle": bundle}  # done here; a module does each of the others


def do(book: Workbook, arguments: list[str]) -> int:
    """Runs the task that the first argument names, once its other arguments are right."""
    streams.watch()
    name, *rest = arguments or ["--help"]
    try:
        if name.startswith("-"):
            tasks.overview().parse_args([name])
        if name not in tasks.TASKS:
            raise Problem(f"unknown task {name!r}: choose from {', '.join(tasks.TASKS)}")
        task, asked = tasks.TASKS[name], rest[:1] in (["-h"], ["--help"])
        options = tasks.parser(name).parse_args([] if task.passes and not asked else rest)
    except SystemExit as end:  # after the help, or one line on what is wrong
        return streams.ended(end.code)
    options.arguments = rest
    if name in OWN:
        return streams.ended(OWN[name](book, options))
    return start(book, task.module, *filter(None, [task.word]), *rest, programs=task.programs)


def main(arguments: list[str]) -> int:
    """Runs a task; returns an exit status. What goes wrong is one line."""
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        return do(Workbook(ROOT), arguments)
    except (Problem, OSError) as problem:
        say(one_line(problem))
        return 2
    except KeyboardInterrupt:
        say("interrupted; run it again and it goes on from here")
        return 130
