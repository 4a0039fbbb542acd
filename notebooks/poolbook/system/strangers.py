"""Open files that somebody else made: a classmate's answer, a recording of another machine.

They may be anything: a pipe that never ends, a gigabyte, ten thousand brackets, text that moves a terminal's cursor.
What comes out of here is bounded, has the shape that was asked for, and can be shown.
"""

from __future__ import annotations

import functools
import json
import math
import stat
from collections.abc import Callable
from pathlib import Path

import fastjsonschema

from poolbook.system.streams import clean

LONGEST_NUMBER = 30  # characters
LONGEST_TEXT = 200  # characters that a message takes from a file


class Refused(ValueError):
    """A file is not what it should be; the message says why in one line, without the file's name."""


def read(file: Path, most: int) -> bytes:
    """The content of a regular file of at most ``most`` bytes. Raises `Refused`."""
    try:
        about = file.lstat()
        if not stat.S_ISREG(about.st_mode):
            raise Refused("it is not a regular file")
        with open(file, "rb") as opened:
            content = opened.read(most + 1)
    except OSError as problem:
        raise Refused(f"it cannot be read: {problem.strerror}") from None
    if len(content) > most:
        raise Refused(f"it has more than {most:,} bytes")
    return content


def parsed(content: bytes, schema: dict) -> object:
    """What a JSON text says, if it fits a JSON Schema; its texts are cleaned. Raises `Refused`.

    >>> parsed(b'{"unit": "a\\\\u001bb"}', {"type": "object"})
    {'unit': 'a\N{REPLACEMENT CHARACTER}b'}
    """
    try:
        found = json.loads(content, parse_int=_number(int), parse_float=_number(float), parse_constant=_number(float))
        found = _cleaned(found)
    except (ValueError, RecursionError):  # UnicodeDecodeError is a ValueError
        raise Refused("it cannot be read as JSON") from None
    check(found, schema)
    return found


def check(found: object, schema: dict) -> None:
    """Raises `Refused` if what a JSON text says does not fit a JSON Schema."""
    try:
        _checker(json.dumps(schema))(found)
    except fastjsonschema.JsonSchemaValueException as problem:
        raise Refused(short(problem.message.removeprefix("data").removeprefix(".").strip())) from None


@functools.cache
def _checker(schema: str) -> Callable[[object], object]:
    return fastjsonschema.compile(json.loads(schema), use_default=False)


def short(text: str) -> str:
    """The beginning of a text, for a message."""
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}..."


def _number(kind: Callable[[str], float]) -> Callable[[str], float]:
    def number(text: str) -> float:
        if len(text) > LONGEST_NUMBER or not math.isfinite(value := kind(text)):
            raise ValueError("a number out of range")
        return value

    return number


def _cleaned(found: object) -> object:
    if isinstance(found, str):
        return clean(found)
    if isinstance(found, list):
        return [_cleaned(one) for one in found]
    if isinstance(found, dict):
        return {clean(name): _cleaned(one) for name, one in found.items()}
    return found
