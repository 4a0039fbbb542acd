"""Record on many machines: ``./workbook record EXPERIMENT... --scheduler ADDRESS``.

The machines join with ``./workbook worker ADDRESS``; Dask hands each of them one round at a time: all blocks of the
round on all its Javas, so that a ratio never mixes two machines. A machine that dies loses its round, which another one
measures. The programs travel with the request, so that all machines run the same bytes.

The rounds are divided among the machines, and results belong to the machine that measured them: one folder for each,
``<machine>/<date>/``, as `poolbook.record` makes it.
"""

from __future__ import annotations

import importlib
import socket
import ssl
import sys
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from poolbook import extras
from poolbook.record import BadRequest

REQUIREMENTS = Path(__file__).with_name("requirements.txt")
RESOURCE = "machine"  # each worker has one: it takes one round at a time
PORT = 8786
PATIENCE = 10  # seconds until a scheduler answers
LOOPBACK = ("127.0.0.1", "localhost", "::1")
TLS = {"ca.pem": "tls-ca-file", "cert.pem": "tls-cert", "key.pem": "tls-key"}
SETTINGS = {
    "logging": {"distributed": "critical", "distributed.client": "critical"},  # what stops a task, the task says
    "distributed.worker.profile.enabled": False,  # it would take samples while something is measured
    # A death counts against all rounds that the worker was to do; one that no worker survives ends them all anyway.
    "distributed.scheduler.allowed-failures": 100,
}


def split(address: str) -> SplitResult:
    """The parts of a scheduler's address. Raises `poolbook.record.BadRequest`."""
    try:
        parts = urlsplit(address if "://" in address else f"tcp://{address}")
        complete = bool(parts.hostname and parts.port) and parts[2:] == ("", "", "") and "@" not in parts.netloc
    except ValueError:
        complete = False
    if not complete or parts.scheme not in ("tcp", "tls") or any(map(str.isspace, address)):
        raise BadRequest(f"a scheduler's address looks like tcp://127.0.0.1:{PORT}, not {address}")
    return parts


def checked(address: str, tls: Path | None) -> str:
    """The address of a scheduler, if it is safe to use: whoever reaches one may run any code on all its workers.

    ``tls`` is the folder of `security`. Raises `poolbook.record.BadRequest`.
    """
    parts = split(address)
    if parts.scheme == "tcp" and parts.hostname not in LOOPBACK:
        raise BadRequest(f"{address} can be reached by anyone on the network: use tls:// and --tls FOLDER")
    if parts.scheme == "tls" and tls is None:
        raise BadRequest(f"{address} needs --tls FOLDER, with {', '.join(TLS)}")
    if parts.scheme == "tcp" and tls is not None:
        raise BadRequest(f"{address} does not use --tls: begin the address with tls://")
    return parts.geturl()


def answers(address: str, tls: Path | None) -> None:
    """Raises `poolbook.record.BadRequest` unless a scheduler answers at a checked address, and both sides trust.

    A scheduler speaks first, so that nothing is sent to it in a language that it does not know.
    """
    parts = urlsplit(address)
    try:
        connection = socket.create_connection((parts.hostname, parts.port), PATIENCE)
    except OSError:
        raise BadRequest(f"no scheduler answers at {address}: start one with ./workbook scheduler") from None
    with connection:
        if tls is None:
            if not _speaks(connection, PATIENCE):
                raise BadRequest(
                    f"what answers at {address} is not a scheduler, or it was started with --tls and needs tls://"
                )
        elif _speaks(connection, 1):
            raise BadRequest(
                f"the scheduler at {address} uses no certificates: begin its address with tcp:// and leave out --tls"
            )
        else:
            connection.settimeout(PATIENCE)
            try:
                with _context(tls).wrap_socket(connection) as secured:
                    trusted = _speaks(secured, PATIENCE)
            except OSError:  # ssl.SSLError is one, too
                trusted = False
            if not trusted:
                raise BadRequest(
                    f"{address} and this machine do not trust each other: each cert.pem must be signed by a CA"
                    " in the other's ca.pem"
                )


def _speaks(connection: socket.socket, seconds: float) -> bool:
    connection.settimeout(seconds)
    try:
        return bool(connection.recv(1))
    except OSError:  # a timeout is one, too
        return False


def security(folder: Path | None) -> dict[str, str]:
    """The files that let machines trust each other, by Dask's name for each; none without a folder.

    Raises `poolbook.record.BadRequest` if one is missing or cannot be used.
    """
    if folder is None:
        return {}
    if missing := [name for name in TLS if not (folder / name).is_file()]:
        raise BadRequest(f"--tls {folder} has no {missing[0]}")
    _context(folder)
    return {what: str(folder / name) for name, what in TLS.items()}


def _context(folder: Path) -> ssl.SSLContext:
    """What this machine shows and what it trusts. Raises `poolbook.record.BadRequest` for files that say neither."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False  # as in Dask: a machine is trusted for its certificate, whatever its name
    try:
        context.load_verify_locations(folder / "ca.pem")
    except OSError:
        raise BadRequest(f"{folder / 'ca.pem'} has no certificate that can be read") from None
    try:
        context.load_cert_chain(folder / "cert.pem", folder / "key.pem", password="")  # it would be asked for
    except (OSError, ValueError):
        raise BadRequest(
            f"cert.pem and key.pem in {folder} must be a certificate and its key, without a passphrase"
        ) from None
    return context


def with_dask() -> None:
    """Make Dask importable; first fetches it if it is not here. Raises `poolbook.record.BadRequest`."""
    try:
        folder = str(extras.packages(REQUIREMENTS, "Dask, which hands out the rounds"))
    except extras.NotFetched as problem:
        raise BadRequest(str(problem)) from None
    if folder not in sys.path:
        sys.path.append(folder)
    importlib.import_module("dask").config.set(SETTINGS)


def run(program: str, arguments: list[str], tls: Path | None) -> int:
    """Run one of Dask's programs in this process until it ends; returns its exit status."""
    try:
        arguments += [word for what, file in security(tls).items() for word in (f"--{what}", file)]
        with_dask()
    except BadRequest as problem:
        print(problem, file=sys.stderr)
        return 2
    # Dask's own pages about the work are off, but what would serve them still listens: on loopback, at any free port.
    arguments += ["--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
    click = importlib.import_module("click")
    try:
        importlib.import_module(f"distributed.cli.{program}").main(arguments, standalone_mode=False)
    except click.Abort:  # Ctrl-C
        raise KeyboardInterrupt from None
    except (OSError, RuntimeError, OverflowError, click.ClickException) as problem:  # such as a port that is taken
        print(f"stopped: {' '.join(str(problem.__cause__ or problem).split())}", file=sys.stderr)
        return 1
    return 0
