"""How much evenings differ, from made-up controls."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from poolbook.ledger import evenings
from poolbook.tables.recorded import FORMAT_VERSION, digest


def record(root: Path, name: str, factor: float, noise: float = 0.01) -> None:
    """An evening on which the contender of each control is so many times as fast as its baseline."""
    folder = root / "here" / name
    folder.mkdir(parents=True)
    (root / "REFERENCE").write_text("here")
    random = np.random.default_rng(len(name) + int(1000 * factor))
    tables = {}
    for control in evenings.CONTROLS:
        better = 1 / factor if control.value == "ns_per_op" else factor
        rows = [
            {"jdk": 17, "round": number, "iteration": 1, control.axis: who,
             control.value: 100 * times * float(np.exp(random.normal(0, noise)))}
            for number in (1, 2, 3) for who, times in ((control.contender, better), (control.baseline, 1.0))
        ]  # fmt: skip
        text = pd.DataFrame(rows).to_csv(index=False)
        (folder / f"{control.table}.csv").write_text(text)
        tables[control.table] = {"rows": len(rows), "sha256": digest(text.encode())}
    about = {"format_version": FORMAT_VERSION, "machine": "here", "runs": [], "tables": tables}
    (folder / "machine.json").write_text(json.dumps(about))


def test_one_evening_says_nothing_of_another(tmp_path: Path) -> None:
    record(tmp_path, "2030-01-01", 2.0)
    assert evenings.spread(tmp_path)["spread"].isna().all()
    assert "one evening" in evenings.said(tmp_path)


@pytest.mark.parametrize("apart", [1.0, 1.5])
def test_what_evenings_differ_by_is_beyond_their_rounds(tmp_path: Path, apart: float) -> None:
    second = 2.0 * apart
    recorded = (("2030-01-01", 2.0), ("2030-01-02", second), ("2030-01-02-2", second), ("2030-01-03", 2.0))
    for name, factor in recorded:
        record(tmp_path, name, factor)
    rows = evenings.spread(tmp_path)
    assert list(rows["evenings"]) == [3] * 4
    expected = np.expm1(np.log([1, apart, 1]).std(ddof=1))
    assert rows["spread"].to_numpy() == pytest.approx([expected] * 4, abs=0.02)
    assert "of 3 evenings" in evenings.said(tmp_path)


def test_without_controls_it_is_not_known(tmp_path: Path) -> None:
    record(tmp_path, "2030-01-01", 2.0)
    for file in tmp_path.rglob("control-feed.csv"):
        file.unlink()
    assert "not known yet: no recording begins with control-feed" in evenings.said(tmp_path)
