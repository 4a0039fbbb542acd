"""The code is in the style of google-java-format and ruff."""

from __future__ import annotations

import pytest

from poolbook.upkeep.style import formatted, ruff, sources


def test_the_java_code_is_formatted() -> None:
    changed = [file.name for file, text in formatted(sources()).items() if file.read_text(encoding="utf-8") != text]
    assert not changed, f"run ./workbook upkeep: it would change {', '.join(changed)}"


@pytest.mark.parametrize("what", [["format", "--check", "--quiet"], ["check", "--quiet"]], ids=["format", "check"])
def test_the_python_code_is_clean(what: list[str]) -> None:
    done = ruff(*what)
    assert done.returncode == 0, f"{done.stdout}run ./workbook upkeep"
