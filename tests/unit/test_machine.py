"""machine.json describes the machine, but neither its user nor its place."""

from __future__ import annotations

import getpass
import json
import os
import platform
import re
from pathlib import Path

import pytest

from poolbook.system import machine as module
from poolbook.system.machine import describe, identity, machine, name, own_name
from poolbook.system.paths import ROOT


def test_the_facts_are_there() -> None:
    java = Path(os.environ["WORKBOOK_JAVA_HOME"]) / "bin" / "java"
    facts = machine({17: java})
    assert facts["logical_cores"] >= 1
    assert facts["system"] == platform.system()
    assert facts["jdks"]["17"]["version"][0].isdigit()
    assert facts["jdks"]["17"]["default_collector"] in {"Serial", "Parallel", "G1", "Z", "Shenandoah"}
    if platform.system() == "Linux":
        assert facts["cpu_model"] and facts["memory_bytes"] > 1e8


def test_nothing_says_who_or_where() -> None:
    text = json.dumps(machine({17: Path(os.environ["WORKBOOK_JAVA_HOME"]) / "bin" / "java"}))
    assert str(Path.home()) not in text
    assert str(ROOT) not in text
    assert os.environ["WORKBOOK_JAVA_HOME"] not in text
    assert f'"{platform.node()}"' not in text
    assert f'"{getpass.getuser()}"' not in text


def test_what_is_unknown_is_none(monkeypatch) -> None:
    from poolbook.system import machine as module

    monkeypatch.setattr(module, "_read", lambda file: "")
    monkeypatch.setattr(module, "_run", lambda *command: None)
    monkeypatch.setattr(module.platform, "processor", lambda: "")
    facts = machine()
    for unknown in ("cpu_model", "physical_cores", "memory_bytes", "virtual", "git_revision", "code_changed"):
        assert facts[unknown] is None, unknown


KNOWN = {"cpu_model": "AMD EPYC", "architecture": "x86_64", "logical_cores": 2, "memory_bytes": 25276510208,
         "kernel": "6.18.44-a", "virtual": True, "system": "Linux"}  # fmt: skip


def test_a_machine_is_called_by_what_matters() -> None:
    assert name(KNOWN).startswith("amd-epyc-2-cores-")
    for same in ({"kernel": "6.18.44-b"}, {"memory_bytes": 25276502016}, {"python": "3.12"}):
        assert name(KNOWN | same) == name(KNOWN)
    for other in ({"kernel": "6.19.1"}, {"memory_bytes": 2**34}, {"virtual": False}, {"logical_cores": 4}):
        assert name(KNOWN | other) != name(KNOWN)


def test_a_machine_that_tells_nothing_has_a_name_too() -> None:
    assert re.fullmatch(r"unknown-0-cores-[0-9a-f]{6}", name({}))


def test_two_machines_of_one_kind_have_two_names_also_where_one_is_a_copy_of_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module.platform, "system", lambda: "Linux")
    monkeypatch.setattr(module, "ID", tmp_path / "here")
    system_id = {"/etc/machine-id": "the same\n"}
    read = module._read
    monkeypatch.setattr(module, "_read", lambda file: system_id.get(file, read(file)))
    for virtual, alike in ((True, False), (None, False), (False, True)):
        monkeypatch.setattr(module, "_virtual", lambda virtual=virtual: virtual)
        monkeypatch.setattr(module, "ID", tmp_path / f"here {virtual}")
        mine = identity()
        assert identity() == mine and re.fullmatch("[0-9a-f]{12}", mine)
        monkeypatch.setattr(module, "ID", tmp_path / f"there {virtual}")
        assert (identity() == mine) == alike
        assert own_name(KNOWN, mine) == f"{name(KNOWN)}-{mine[:6]}"
    system_id["/etc/machine-id"] = ""
    assert identity() != mine and (tmp_path / "there False").exists(), "a system without an id gets one"


def test_a_caption_names_processors_and_model() -> None:
    assert describe({"logical_cores": 8, "cpu_model": None}) == "8 processors, unknown model"


def test_a_busy_neighbour_is_there_and_then_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    popen = module.subprocess.Popen

    def watched(*arguments: object, **options: object) -> object:
        started.append(popen(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(module.subprocess, "Popen", watched)
    with module.busy_neighbour():
        assert len(started) == module.processors()
        assert all(process.poll() is None for process in started)
    assert all(process.poll() is not None for process in started)
