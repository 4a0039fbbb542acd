"""Lessons and recordings replay the same day, which is made only once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from launch import workbook
from poolbook.cells import market
from poolbook.system.paths import ROOT
from poolbook.tables.recorded import recorded


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(market, "BUILD", tmp_path)
    monkeypatch.setattr(market, "ROOT", tmp_path)
    return tmp_path


def test_the_day_is_made_once(build: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands = []

    def run(*command: str) -> None:
        commands.append(command)
        (build / command[-1]).write_bytes(b"a day")

    monkeypatch.setattr(market.jbang, "run", run)
    assert market.day() == market.day() == "market/day.bin"
    assert commands == [(*market.COMMAND, "--out", "market/day.bin")]


def test_the_sample_is_there() -> None:
    assert (ROOT / market.sample()).is_file()


def test_the_day_has_the_messages_that_were_recorded(tmp_path: Path) -> None:
    done = workbook("jbang", *market.COMMAND, "--out", tmp_path / "day.bin", "--json")
    assert done.returncode == 0, done.stderr
    assert "[100/100] 1,000,000 messages" in done.stderr
    made = {row["type"]: row["messages"] for row in json.loads(done.stdout)}
    day = recorded("feed-day").frame
    assert made == dict(zip(day["type"], day["messages"], strict=True))
    assert sum(count for type_, count in made.items() if type_ >= 100) == 1_000_000
