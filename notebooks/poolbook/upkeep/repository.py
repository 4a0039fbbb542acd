"""The files that GitHub and Docker look for, as far as facts or the address make them.

CITATION.cff cites the pieces that README.md lists; Dockerfile does what .devcontainer/ does, and .dockerignore leaves
out what .gitignore does; whoever opens an issue is shown the book, where there is one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import yaml

from poolbook.system.address import Address
from poolbook.system.paths import ROOT
from poolbook.tables.recorded import published

KEYWORDS = [
    "object pooling",
    "connection pooling",
    "benchmarking",
    "Java",
    "JMH",
    "JBang",
    "Jupyter",
    "reproduction",
    "teaching",
]
MESSAGE = "If you use a lesson, a program or a figure, please cite the workbook and the piece that it repeats."
MADE = "# Made by ./workbook upkeep"
AS_YAML = {"sort_keys": False, "allow_unicode": True, "width": 1000}


def texts(here: Address) -> dict[Path, str]:
    """The correct content of each file, for an address."""
    return {
        ROOT / "CITATION.cff": citation(here, newest_release(_read("CHANGELOG.md"))),
        ROOT / "Dockerfile": dockerfile(json.loads(_read(".devcontainer/devcontainer.json"))),
        ROOT / ".dockerignore": dockerignore(_read(".gitignore")),
        ROOT / ".github" / "ISSUE_TEMPLATE" / "config.yml": choices(here),
    }


def _read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def newest_release(changelog: str) -> str | None:
    """The version in the first heading of a release; None before the first one.

    >>> newest_release("## 1.2.0, not released yet\\n\\n## 1.1.0, 3 May 2027\\n")
    '1.1.0'
    """
    found = re.search(r"^## (\d+\.\d+\.\d+)\b(?!.*not released)", changelog, re.MULTILINE)
    return found and found[1]


def citation(here: Address, version: str | None) -> str:
    """How to cite the workbook (citation-file-format.github.io), and the pieces whose experiments it repeats."""
    facts = {
        "cff-version": "1.2.0",
        "title": "The Object Pool Workbook",
        "message": MESSAGE,
        "type": "software",
        "authors": [{"name": "The Object Pool Workbook's authors"}],
        "version": version,
        "license": "Apache-2.0",
        "repository-code": here.web,
        "url": here.book or here.web,
        "keywords": KEYWORDS,
        "references": list(pieces(_read("README.md"))),
    }
    known = {name: value for name, value in facts.items() if value is not None}
    return f"{MADE}: the pieces are those of README.md.\n{yaml.safe_dump(known, **AS_YAML)}"


def pieces(readme: str) -> Iterator[dict[str, object]]:
    """The published pieces that README.md lists, with the titles and dates of datasets/published/claims.csv."""
    known = published("claims")[["title", "author", "date"]].drop_duplicates()
    for title, author, date in known.itertuples(index=False):
        if listed := re.search(rf"^- {re.escape(author)}, .*", readme, re.MULTILINE):
            link = re.search(r"\]\((https?://[^)\s]+)\)", listed[0])
            given, _, family = author.rpartition(" ")
            facts = {
                "type": "software" if link and "github.com" in link[1] else "blog",
                "title": title,
                "authors": [{"given-names": given, "family-names": family}],
            }
            dated = {"date-published": date} if re.fullmatch(r"\d{4}-\d\d-\d\d", date) else {}
            yield facts | dated | ({"url": link[1]} if link else {})


def choices(here: Address) -> str:
    """Where somebody who opens an issue may find the answer instead."""
    book = {"name": "Read the book", "url": here.book, "about": "Every lesson with its results, and each claim."}
    facts = {"blank_issues_enabled": True} | ({"contact_links": [book]} if here.book else {})
    return f"{MADE}.\n{yaml.safe_dump(facts, **AS_YAML)}"


def dockerfile(container: dict) -> str:
    """The steps of a dev container as an image that serves JupyterLab on the same port."""
    (port,) = container["forwardPorts"]
    (first,) = container["customizations"]["codespaces"]["openFiles"]
    serve = ["--ip=0.0.0.0", f"--port={port}", "--no-browser", f"--LabApp.default_url=/lab/tree/{first}"]
    return f"""\
{MADE} from .devcontainer/devcontainer.json. It serves JupyterLab, and prints the address to open:
#
#   docker build --tag object-pool-workbook .
#   docker run --rm --publish 127.0.0.1:{port}:{port} object-pool-workbook
#
# Your changes go when the container does. Timings in the cloud are for practice only.
FROM {container["image"]}
RUN useradd --create-home learner && install --directory --owner=learner /workbook
WORKDIR /workbook
COPY --chown=learner . .
USER learner
RUN {container["postCreateCommand"]}
EXPOSE {port}
CMD {json.dumps([".venv/bin/jupyter", "lab", *serve])}
"""


def dockerignore(gitignore: str) -> str:
    """The paths of .gitignore, and git's own, as Docker wants them: it takes a name to stand at the top only."""
    names = [line.rstrip("/") for line in gitignore.splitlines() if line and not line.startswith("#")]
    paths = [name[1:] if name.startswith("/") else f"**/{name}" for name in names]
    return "\n".join([f"{MADE} from .gitignore.", ".git", *paths, ""])
