"""Fill a folder beside its place, and put it there as a whole. What others have put into that place is kept."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import filelock

from poolbook.system import files
from poolbook.system.paths import WORKBOOK


class NotReplaced(Exception):
    """Why a folder was left as it is; the message is one line."""


@contextmanager
def beside(target: Path, what: str) -> Iterator[Path]:
    """A folder to fill and then to `replace` its target; whatever happens, it does not stay.

    Nobody can foresee its name. If this process is killed, the next one finds the name in a note. Raises `NotReplaced`
    while another process makes the same ``what``, such as a bundle.
    """
    target = target.absolute()
    note = WORKBOOK / f"{what}-being-made"
    try:
        with filelock.FileLock(WORKBOOK / f"{what}.lock", timeout=0):
            if note.is_file():
                _clean_up(Path(note.read_text(encoding="utf-8")), target)
            target.parent.mkdir(parents=True, exist_ok=True)
            part = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
            try:
                files.write(note, str(part))
                yield part
            finally:
                shutil.rmtree(part, ignore_errors=True)
                note.unlink(missing_ok=True)
    except filelock.Timeout:
        raise NotReplaced(f"another {what} is being made here: wait for it to end") from None


def _clean_up(part: Path, target: Path) -> None:
    """What a process left that was killed: half a folder, or the older one beside its place."""
    old = older(part)
    if old.exists() and not target.exists():
        old.rename(target)
    for folder in (part, old):
        shutil.rmtree(folder, ignore_errors=True)


def older(part: Path) -> Path:
    """Where the older folder is while the new one takes its place."""
    return part.with_name(f"{part.name}.old")


def replace(target: Path, part: Path, is_ours: Callable[[Path], bool]) -> None:
    """Put a folder into the place of an older one, which is deleted only then.

    Raises `NotReplaced` if somebody has put other things there meanwhile, and OSError. They stay.
    """
    old = older(part)
    part.chmod(0o755)  # for a server in the room
    if target.exists():
        target.rename(old)  # nobody writes into it by its name any more
    try:
        if old.exists() and not is_ours(old):
            raise NotReplaced(f"somebody has put other things into {target} meanwhile: it was left as it is")
        part.rename(target)
    except (OSError, NotReplaced):
        if old.exists():
            old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)
