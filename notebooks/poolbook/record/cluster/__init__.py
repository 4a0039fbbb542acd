"""Record on many machines: ``./workbook record EXPERIMENT... --scheduler ADDRESS``.

The machines join with ``./workbook worker ADDRESS``; Dask hands each of them one round at a time: all blocks of the
round on all its Javas, so that a ratio never mixes two machines. A machine that dies loses its round, which another one
measures. Every machine has a checkout of the same commit.

The rounds are divided among the machines, and results belong to the machine that measured them: one folder for each,
``<machine>/<date>/``, as `poolbook.record.engine` makes it.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import socket
import ssl
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from poolbook.record.engine import BadRequest
from poolbook.system import extras
from poolbook.system.paths import WORKBOOK

REQUIREMENTS = Path(__file__).with_name("requirements.txt")
RESOURCE = "machine"  # each worker has one: it takes one round at a time
PORT = 8786
PATIENCE = 10  # seconds until a scheduler answers
LOOPBACK = ("127.0.0.1", "localhost", "::1")
CA, CERTIFICATE, KEY = TLS = ("ca.pem", "cert.pem", "key.pem")
SETTINGS = {
    "temporary-directory": str(WORKBOOK / "dask"),  # by default, a folder in /tmp that other users may prepare
    # What stops a task, the task says; what else comes in at a port is not worth a line.
    "logging": dict.fromkeys(("distributed", "distributed.client", "tornado", "asyncio"), "critical"),
    "distributed.worker.profile.enabled": False,  # it would take samples while something is measured
    # A death counts against all rounds that the worker was to do; one that no worker survives ends them all anyway.
    "distributed.scheduler.allowed-failures": 100,
    # Dask's own pages are off; a port that would serve them still opens, on loopback.
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}


def checked(address: str) -> str:
    """A scheduler's address, with its tls://. Raises `BadRequest`."""
    try:
        parts = urlsplit(address if "://" in address else f"tls://{address}")
        complete = bool(parts.hostname and parts.port) and parts[2:] == ("", "", "") and "@" not in parts.netloc
    except ValueError:
        complete = False
    if not complete or parts.scheme != "tls" or any(map(str.isspace, address)):
        raise BadRequest(f"a scheduler's address looks like tls://127.0.0.1:{PORT}, not {address}")
    return parts.geturl()


def answers(address: str, tls: Path) -> None:
    """Raises `BadRequest` unless a scheduler answers at a checked address, and both sides trust."""
    parts = urlsplit(address)
    context = check(tls)
    try:
        connection = socket.create_connection((parts.hostname, parts.port), PATIENCE)
    except OSError:
        raise BadRequest(f"no scheduler answers at {address}: start one with ./workbook scheduler") from None
    try:  # a scheduler speaks first, once it trusts
        with connection, context.wrap_socket(connection) as secured:
            trusted = bool(secured.recv(1))
    except OSError:  # ssl.SSLError and a timeout are some, too
        trusted = False
    if not trusted:
        raise BadRequest(f"{address} is not a scheduler that trusts {tls}: use the folder that the scheduler printed")


def check(folder: Path) -> ssl.SSLContext:
    """What this machine shows and whom it trusts. Raises `BadRequest` if a file cannot be used."""
    if missing := [name for name in TLS if not (folder / name).is_file()]:
        raise BadRequest(f"--tls {folder} has no {missing[0]}")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False  # as in Dask: a machine is trusted for its certificate, whatever its name
    try:
        context.load_verify_locations(folder / CA)
    except OSError:
        raise BadRequest(f"{folder / CA} has no certificate that can be read") from None
    try:
        context.load_cert_chain(folder / CERTIFICATE, folder / KEY, password="")  # it would be asked for
    except (OSError, ValueError):
        raise BadRequest(
            f"{CERTIFICATE} and {KEY} in {folder} must be a certificate and its key, without a passphrase"
        ) from None
    return context


def security(folder: Path) -> object:
    """Dask's settings for a checked folder, the same for a scheduler, a worker and a client."""
    from distributed import Security

    files = {"tls_ca_file": CA}
    for role in ("client", "scheduler", "worker"):
        files |= {f"tls_{role}_cert": CERTIFICATE, f"tls_{role}_key": KEY}
    return Security(require_encryption=True, **{name: str(folder / file) for name, file in files.items()})


@contextlib.contextmanager
def certificates() -> Iterator[Path]:
    """A new folder, of this user only, with a certificate that is its own authority; deleted at the end."""
    from distributed import Security

    made = Security.temporary()
    with tempfile.TemporaryDirectory(
        prefix="object-pool-workbook-tls-", ignore_cleanup_errors=True
    ) as folder:  # of mode 700
        for name, content in zip(TLS, (made.tls_ca_file, made.tls_scheduler_cert, made.tls_scheduler_key), strict=True):
            file = os.open(Path(folder, name), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with open(file, "w", encoding="ascii") as target:
                target.write(content)
        yield Path(folder)


def with_dask() -> None:
    """Make Dask importable; first fetches it if it is not here. Raises `BadRequest`."""
    try:
        folder = str(extras.packages(REQUIREMENTS, "Dask, which hands out the rounds"))
    except extras.NotFetched as problem:
        raise BadRequest(str(problem)) from None
    if folder not in sys.path:
        sys.path.append(folder)
    importlib.import_module("dask").config.set(SETTINGS)
