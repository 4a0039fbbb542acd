"""The words of lessons, documents and programs: spelling, and what a machine sees of the style in CONTRIBUTING.md."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from poolbook.lessons.notebook import read
from poolbook.system.paths import ROOT, SOLUTIONS

DOCUMENTS = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "TEACHING.md",
    "datasets/README.md",
    "java/README.md",
    "java/exercises/README.md",
    "CODE_OF_CONDUCT.md",
    ".binder/README.md",
]
LONGEST_SENTENCE = 40
# What sounds translated, and what to write instead.
INSTEAD = {
    r"\bmend(s|ed|ing)?\b": "fix",
    r"\bdearer\b|\bis dear\b": "expensive",
    r"\bthousand million\b": "billion",
    r"\bbelongs? into\b": "belongs in",
    r"\bin the first place\b": "nothing",
    r"\bas good as nothing\b": "almost nothing",
    r"\bper cent\b": "percent",
    r"\butili[sz]e[sd]?\b": "use",
    r"\bleverag(e|es|ing)\b": "use",
    r"\bin order to\b": "to",
    r"\bplease note\b": "nothing",
    r"\bit should be noted\b": "nothing",
    r"\bthe same like\b": "the same as",
    r"\bsince (two|three|four|five|ten) (days|hours|years)\b": "for",
    r"\bobjects? a thread\b|\bforks? a contender\b|\brows? a run\b|\bcolumns? a Java\b": "for each, or per",
}
NO_WORDS = "ot,atleast,infront,interfac,ownload,mor"  # names, and parts of names, which codespell takes for words


def prose() -> Iterator[tuple[str, str]]:
    """Each text for people: where it is, and what it says."""
    for name in DOCUMENTS:
        yield name, (ROOT / name).read_text(encoding="utf-8")
    for file in sorted(SOLUTIONS.glob("*.ipynb")):
        for cell in read(file).cells:
            if cell.cell_type == "markdown":
                yield f"{file.stem[:2]} {cell['id']}", cell.source


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text in Markdown, without tables, headings, code blocks and addresses of links."""
    text = re.sub(r"```.*?```|<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"<[^>]+>|\]\([^)]*\)", " ", text)
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*[-|#!]|\s*\d+\. )", text):
        if not paragraph.lstrip().startswith(("|", "#", "!")):
            flat = " ".join(paragraph.split())
            yield from re.split(r"(?<=[.?!:])[)*\"']*\s+(?=[A-Z(*\"`])", flat)


def test_a_sentence_is_short_enough_to_read_aloud() -> None:
    long = [
        f"{place}: {sentence}"
        for place, text in prose()
        for sentence in sentences(text)
        if len(re.findall(r"\w+(?:[-'\u2019]\w+)*", sentence)) > LONGEST_SENTENCE
    ]
    assert not long, "\n".join(long)


@pytest.mark.parametrize("word", INSTEAD)
def test_plain_words(word: str) -> None:
    found = [f"{place}: {match[0]}" for place, text in prose() for match in re.finditer(word, text, re.IGNORECASE)]
    assert not found, f"write {INSTEAD[word]!r}: {found}"


def test_nothing_is_misspelt() -> None:
    wanted = ["*.md", "*.py", "*.java", "*.toml", "workbook", ":!java/test"]
    files = subprocess.run(["git", "ls-files", *wanted], cwd=ROOT, text=True,
                           capture_output=True, check=True).stdout.split()  # fmt: skip
    texts = "\n".join(f"{place}\n{text}" for place, text in prose())
    command = [sys.executable, "-m", "codespell_lib", "--ignore-words-list", NO_WORDS]
    code = subprocess.run([*command, *files], cwd=ROOT, text=True, capture_output=True)
    lessons = subprocess.run([*command, "-"], input=texts, cwd=ROOT, text=True, capture_output=True)
    assert (code.stdout + lessons.stdout).strip() == ""


def test_the_sentences_of_a_text_are_found() -> None:
    text = "# Title\n\nOne is short. Two has a [link](https://example.org/a.b).\n\n| a | table. |\n\n- Three: an item\n"
    assert list(sentences(text)) == ["One is short.", "Two has a [link .", "- Three: an item"]
