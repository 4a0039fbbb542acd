"""machine.json tells the machine, and neither who nor where."""

from __future__ import annotations

import getpass
import json
import os
import platform
from pathlib import Path

import pytest

from poolbook import machine as module
from poolbook.machine import describe, machine
from poolbook.paths import ROOT


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
    from poolbook import machine as module

    monkeypatch.setattr(module, "_read", lambda file: "")
    monkeypatch.setattr(module, "_run", lambda *command: None)
    monkeypatch.setattr(module.platform, "processor", lambda: "")
    facts = machine()
    for unknown in ("cpu_model", "physical_cores", "memory_bytes", "virtual", "git_revision", "git_changed"):
        assert facts[unknown] is None, unknown


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
