"""The one setting behind every address: what it fills, what is there without it, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from poolbook.system.address import Address, WrongAddress, address

HERE = '[tool.workbook]\nrepository = "duke/pools"\nbook = "https://duke.example/pools"\n'


def settings(folder: Path, text: str) -> Path:
    file = folder / "pyproject.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_an_address_has_a_page_for_the_repository_and_one_for_the_book(tmp_path: Path) -> None:
    here = address(settings(tmp_path, HERE))
    assert here == Address("duke/pools", "https://duke.example/pools/")
    assert here.web == "https://github.com/duke/pools"
    assert here.missing == []


@pytest.mark.parametrize("text", ["", "[tool.ruff]\n", "[tool.workbook]\n"])
def test_without_a_setting_it_says_which_lines_are_missing(tmp_path: Path, text: str) -> None:
    here = address(settings(tmp_path, text))
    assert here == Address() and here.web is None
    assert [line.split(" = ")[0] for line in here.missing] == ["repository", "book"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('repository = "https://github.com/duke/pools"', "write repository ="),
        ('repository = "duke"', "write repository ="),
        ("repository = 1", "write repository ="),
        ('book = "http://duke.example"', "write book ="),
        ('book = "https://duke.example/a b"', "write book ="),
        ('repository = "duke/.."', "write repository ="),
        ('repository = "duke/pools.git"', "write repository ="),
        ('repository = "OWNER/REPO"', "write repository ="),
        ('book = "https:///"', "write book ="),
        ('book = "https://duke.example/?q"', "write book ="),
        ('book = "https://duke.example/)"', "write book ="),
        ('book = "https://duke.example/\\u001b"', "write book ="),
        ('site = "x"', "has no setting 'site'"),
        ('"a\\nb" = "x"', "has no setting 'a"),
        ("repository =", "cannot be read as TOML"),
    ],
)
def test_what_is_no_address_is_refused_in_one_line(tmp_path: Path, line: str, said: str) -> None:
    with pytest.raises(WrongAddress, match=said) as refused:
        address(settings(tmp_path, f"[tool.workbook]\n{line}\n"))
    assert "\n" not in str(refused.value)


def test_a_setting_in_place_of_the_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongAddress, match="must be a table"):
        address(settings(tmp_path, '[tool]\nworkbook = "x"\n'))


def test_a_file_that_is_no_text_or_missing_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes(b"\xff")
    with pytest.raises(WrongAddress, match="cannot be read as TOML"):
        address(tmp_path / "pyproject.toml")
    with pytest.raises(WrongAddress, match="cannot be read as TOML"):
        address(tmp_path / "none.toml")
