"""The Java code is in google-java-format's style."""

from __future__ import annotations

from java_format import formatted, sources


def test_the_java_code_is_formatted() -> None:
    changed = [file.name for file, text in formatted(sources()).items() if file.read_text(encoding="utf-8") != text]
    assert not changed, f"run python tests/java_format.py: it would change {', '.join(changed)}"
