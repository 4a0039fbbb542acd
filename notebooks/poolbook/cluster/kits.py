"""What a recording sends to each machine: the programs with all their jars, as one archive without any path."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import uuid
import zipfile
from pathlib import Path

from poolbook import files, record
from poolbook.machine import identity
from poolbook.paths import BUILD, DATASETS, JAVA, ROOT

NAME = "kit.json"


def same() -> str:
    """A hash of what must be the same on all machines besides the programs: what builds and runs the blocks."""
    code = [*JAVA.rglob("*.java"), *JAVA.rglob("*.properties"), *(ROOT / "notebooks" / "poolbook").rglob("*.py")]
    data = [DATASETS / "experiments.toml", DATASETS / "columns.json"]
    names = sorted(file.relative_to(ROOT).as_posix() for file in [*code, *data])  # as text: paths have their own orders
    digest = hashlib.sha256()
    for name in names:
        text = (ROOT / name).read_text(encoding="utf-8")  # a line ends in the same way on every system
        digest.update(f"{name}\0{text}\0".encode())
    return digest.hexdigest()


def pack(request: dict, folder: Path) -> bytes:
    """Build the programs of a request in a folder, which is made, and pack them."""
    folder.mkdir(parents=True, exist_ok=True)
    jars, class_paths, content = {}, {}, {}
    for alias in record.aliases_of(request):
        jars[alias] = record.snapshot(alias, folder)
        class_path = (folder / f"{alias}.classpath").read_text(encoding="utf-8").split(os.pathsep)
        class_paths[alias] = [f"jars/{Path(jar).name}" for jar in class_path]
        content |= {f"jars/{Path(jar).name}": (folder / jar).read_bytes() for jar in class_path}
    about = {"request": request, "jars": jars, "class_paths": class_paths, "same": same(), "id": uuid.uuid4().hex}
    return files.zipped({NAME: json.dumps(about).encode(), **dict(sorted(content.items()))})


def unpack(kit: bytes) -> tuple[Path, dict]:
    """A kit's folder on this machine, made on first use, and what it says; those of other recordings are deleted.

    One process at a time: `poolbook.record.alone`. Other machines may share the checkout.
    """
    mine = f"kit-{identity()}"
    home = BUILD / "recording" / f"{mine}-{hashlib.sha256(kit).hexdigest()[:12]}"
    if not home.exists():
        for other in home.parent.glob(f"{mine}-*"):
            shutil.rmtree(other, ignore_errors=True)
        part = home.with_name(f"{home.name}.part")
        with zipfile.ZipFile(io.BytesIO(kit)) as archive:
            archive.extractall(part)
        for alias, jars in json.loads((part / NAME).read_text(encoding="utf-8"))["class_paths"].items():
            files.write(part / f"{alias}.classpath", os.pathsep.join(jars))
        part.rename(home)
    return home, json.loads((home / NAME).read_text(encoding="utf-8"))
