"""Keep datasets/datapackage.json in step with the tables that are there: ``python -m poolbook.datapackage``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from poolbook.experiments import EXPERIMENTS
from poolbook.paths import DATASETS

SOURCES = {
    "dates-2006": {
        "title": 'Dustin Sallings, "Cheap and Effective Object Pooling with BlockingQueue", 10 November 2006'
    },
    "claims": {"title": "the five pieces that this workbook re-creates, named in each row; in our words"},
    "two-borrows": {"title": "Daniel Wu (DanielYWoo), README of fast-object-pool, version 2.2.1"},
    "strings": {"title": 'Peter Lawrey, "Object Pools Revisited", Chronicle Software (undated)'},
}
# The schema of a published table, where it is not called as the table is.
PUBLISHED_SCHEMAS = {"strings": "strings-published", "two-borrows": "two-borrows-published"}


def describe(datasets: Path = DATASETS) -> dict:
    """The Data Package of a datasets folder. Raises KeyError for a recorded table of no experiment."""
    resources = [
        _resource(file, datasets, PUBLISHED_SCHEMAS.get(file.stem, file.stem), SOURCES[file.stem])
        for file in sorted((datasets / "published").glob("*.csv"))
    ]
    for file in sorted((datasets / "recorded").glob("*/*.csv")):
        source = {"title": "recorded with this workbook", "path": f"recorded/{file.parent.name}/machine.json"}
        resources.append(_resource(file, datasets, EXPERIMENTS[file.stem].schema, source))
    return {
        "name": "object-pool-workbook",
        "title": "What object pools cost: published and recorded figures",
        "description": "See README.md in this folder.",
        "resources": resources,
    }


def _resource(file: Path, datasets: Path, schema: str, source: dict) -> dict:
    path = file.relative_to(datasets).as_posix()
    return {
        "name": path.removesuffix(".csv").replace("/", "-").lower(),
        "path": path,
        "format": "csv",
        "encoding": "utf-8",
        "schema": f"schemas/{schema}.json",
        "sources": [source],
    }


def text(datasets: Path = DATASETS) -> str:
    """The file's content."""
    return json.dumps(describe(datasets), indent=2, ensure_ascii=False) + "\n"


def write(datasets: Path = DATASETS) -> Path:
    """Write datapackage.json and return its path."""
    file = datasets / "datapackage.json"
    file.write_text(text(datasets), encoding="utf-8")
    return file


if __name__ == "__main__":
    print(write().relative_to(DATASETS.parent))
    sys.exit()
