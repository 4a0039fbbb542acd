"""A recording from another machine is checked before anything of it is kept, whatever is in it."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from poolbook.record import received
from poolbook.system import files
from poolbook.system.machine import own_name
from poolbook.system.strangers import Refused
from poolbook.tables.recorded import FORMAT_VERSION, recorded

IDENTITY = "0123456789ab"
TABLE = "dates-race.csv"
RAW = "raw/dates-race-jdk17/threads,1,round=01.jmh.json"
CSV = b"threads,parses,right,wrong,thrown,jdk,round\n1,50,50,0,0,17,1\n2,100,99,1,0,17,1\n"


def about(**changes: object) -> dict:
    facts = {"format_version": FORMAT_VERSION, "identity": IDENTITY, "cpu_model": "Made Up", "logical_cores": 2,
             "memory_bytes": 2**34, "kernel": "6.1", "virtual": False, "system": "Linux"}  # fmt: skip
    run = {"experiments": ["dates-race"], "jdks": {"dates-race": [17]}, "profile": "publish", "seed": 1,
           "start": "2030-01-02T03:04:05+00:00", "end": "2030-01-02T03:05:05+00:00", "javas": {"17": {}}}  # fmt: skip
    tables = {"dates-race": {"rows": 2, "sha256": hashlib.sha256(CSV).hexdigest()}}
    return {**facts, "machine": own_name(facts, IDENTITY), "runs": [run], "tables": tables, **changes}


def content(**changes: object) -> dict[str, bytes]:
    return {"machine.json": json.dumps(about(**changes)).encode(), TABLE: CSV, RAW: b"[]"}


def summed(of: dict[str, bytes]) -> dict[str, bytes]:
    sums = "".join(f"{hashlib.sha256(what).hexdigest()}  {name}\n" for name, what in of.items())
    return {**of, "SHA256SUMS": sums.encode()}


def packed(file: Path, of: dict[str, bytes]) -> Path:
    file.write_bytes(files.zipped(of))
    return file


def take(place: Path, folder: Path) -> Path:
    return received.take_in(place, folder / "datasets", folder / "build")


def test_a_recording_is_added_to_those_of_its_machine(tmp_path: Path) -> None:
    file = packed(tmp_path / "r.zip", summed(content()))
    added = take(file, tmp_path)
    assert added == tmp_path / "datasets" / "recorded" / about()["machine"] / "2030-01-02"
    assert recorded("dates-race", added).frame["right"].tolist() == [50, 99]
    assert files.unpacked(added / "dates-race-jmh.tar.xz") == {RAW.removeprefix("raw/"): b"[]"}
    with pytest.raises(Refused, match=r"there already: .*2030-01-02"):
        take(file, tmp_path)
    other = content(runs=[{**about()["runs"][0], "start": "2030-01-02T09:00:00+00:00"}])
    assert take(packed(tmp_path / "s.zip", summed(other)), tmp_path).name == "2030-01-02-2"


def test_a_trial_goes_to_build_and_a_folder_is_as_good_as_a_file(tmp_path: Path) -> None:
    run = {**about()["runs"][0], "profile": "smoke"}
    for name, what in summed(content(runs=[run])).items():
        files.write(tmp_path / "in" / name, what)
    assert take(tmp_path / "in", tmp_path).is_relative_to(tmp_path / "build")


def without(name: str) -> dict[str, bytes]:
    return summed({other: what for other, what in content().items() if other != name})


def with_run(**changes: object) -> dict[str, bytes]:
    return summed(content(runs=[{**about()["runs"][0], **changes}]))


def with_table(text: bytes, named: bytes | None = None) -> dict[str, bytes]:
    tables = {"dates-race": {"rows": 2, "sha256": hashlib.sha256(named or text).hexdigest()}}
    return summed({**content(tables=tables), TABLE: text})


HOSTILE: dict[str, tuple[dict[str, bytes], str]] = {
    "nothing": ({}, "no SHA256SUMS"),
    "no sums": (content(), "no SHA256SUMS"),
    "no facts": (without("machine.json"), "no machine.json"),
    "no table": (without(TABLE), "other tables"),
    "a path up": (summed({**content(), "../x.csv": b""}), "does not belong there: ../x.csv"),
    "an absolute path": (summed({**content(), "/etc/x.csv": b""}), "does not belong"),
    "a path of Windows": (summed({**content(), "raw\\x.csv": b""}), "does not belong"),
    "a path up in raw": (summed({**content(), "raw/a-jdk17/../../x.hlog": b""}), "does not belong"),
    "a program": (summed({**content(), "run.sh": b"rm"}), "does not belong there: run.sh"),
    "a table of Python": (summed({**content(), "raw/a-jdk17/x.pickle": b""}), "does not belong"),
    "a name that moves the cursor": (summed({**content(), "\x1b[2J.csv": b""}), "does not belong"),
    "a table in a folder": (summed({**content(), "a/b.csv": b""}), "does not belong"),
    "a long name": (summed({**content(), "a" * 999 + ".csv": b""}), "does not belong"),
    "a second table, unnamed": (summed({**content(), "leaks.csv": CSV}), "other tables"),
    "sums that lack one": ({**summed(content()), "leaks.csv": b""}, "names other files"),
    "sums of another": ({**summed(content()), RAW: b"[1]"}, "is damaged: its SHA-256"),
    "sums that are no text": ({**content(), "SHA256SUMS": b"\xff"}, "SHA256SUMS is damaged"),
    "facts that are no JSON": (summed({**content(), "machine.json": b"{"}), "cannot be read as JSON"),
    "facts with deep brackets": (summed({**content(), "machine.json": b"[" * 99999}), "cannot be read as JSON"),
    "an older format": (summed(content(format_version=1)), "has format 1"),
    "a newer format": (summed(content(format_version=99)), "has format 99"),
    "no run": (summed(content(runs=[])), "other tables"),
    "two runs": (summed(content(runs=about()["runs"] * 2)), "other tables"),
    "a table with another hash": (with_table(CSV, named=b"x"), "is not the recorded table"),
    "a table that is none": (with_table(b"\0\1"), "is not a table"),
    "an unknown column": (with_table(CSV.replace(b"wrong", b"speed_of_light")), "does not describe speed_of_light"),
    "text in place of numbers": (with_table(CSV.replace(b"50,50", b"50,many")), "something else than integer"),
    "a value that cannot be": (with_table(CSV.replace(b"\n1,", b"\n-1,")), "not allowed"),
    "an unknown profile": (with_run(profile="best"), "another profile"),
    "an experiment without a table": (with_run(experiments=["leaks"]), "other experiments"),
    "a date that leaves the folder": (with_run(start="../../x"), "no run starts at"),
    "a moment that is a path": (with_run(start="2030-01-01T00:00:00+00:00/.."), "no run starts at"),
    "another machine's name": (summed(content(machine="amd-epyc-2-cores-f7e179")), "does not fit its facts"),
    "a machine's name that is a path": (summed(content(machine="../x")), "does not fit its facts"),
    "no identity": (summed(content(identity=None)), "no identity"),
}  # fmt: skip


@pytest.mark.parametrize(("of", "said"), HOSTILE.values(), ids=HOSTILE)
def test_what_is_strange_is_refused_and_nothing_is_written(of: dict[str, bytes], said: str, tmp_path: Path) -> None:
    file = packed(tmp_path / "r.zip", of)
    with pytest.raises(Refused) as refused:
        take(file, tmp_path)
    assert said in str(refused.value) and "\n" not in str(refused.value)
    assert sorted(tmp_path.iterdir()) == [file]


def bomb() -> bytes:
    """Zeros, which take next to no room in a zip file."""
    return files.zipped({**summed({"machine.json": b"{}"}), TABLE: bytes(received.LARGEST + 1)})


def twice() -> bytes:
    target = io.BytesIO()
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(target, "w") as archive:
        for name in ("machine.json", "machine.json", "SHA256SUMS"):
            archive.writestr(name, b"{}")
    return target.getvalue()


def encrypted() -> bytes:
    made = bytearray(files.zipped(summed(content())))
    for at in (made.find(b"PK\1\2") + 8, made.find(b"PK\3\4") + 6):
        made[at] |= 1
    return bytes(made)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (bomb, "more than"),
        (twice, "two files of one name"),
        (encrypted, "is not a zip file"),
        (lambda: files.zipped(summed(content()))[:-40], "is not a zip file"),
        (lambda: b"", "is not a zip file"),
        (lambda: b"\x1f\x8b" + bytes(100), "is not a zip file"),
        (lambda: files.zipped({f"a{n}.csv": b"" for n in range(received.MOST_FILES + 1)}), "more than 20,000 files"),
    ],
)
def test_a_file_that_is_no_plain_zip_is_refused(make: Callable[[], bytes], said: str, tmp_path: Path) -> None:
    file = tmp_path / "r.zip"
    file.write_bytes(make())
    with pytest.raises(Refused, match=said):
        take(file, tmp_path)


def test_a_link_in_a_folder_is_not_followed(tmp_path: Path) -> None:
    for name, what in summed(content()).items():
        files.write(tmp_path / "in" / name, what)
    (tmp_path / "in" / TABLE).unlink()
    (tmp_path / "in" / TABLE).symlink_to("/etc/passwd")
    with pytest.raises(Refused, match="not a regular file"):
        take(tmp_path / "in", tmp_path)


def test_the_command_says_it_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert received.main([str(tmp_path / "gone.zip")]) == 2
    assert capsys.readouterr().err == "gone.zip: No such file or directory\n"
