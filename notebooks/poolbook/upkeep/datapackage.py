"""Write datasets/datapackage.json, the description of all tables (Frictionless Data)."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from poolbook.system import files
from poolbook.system.paths import DATASETS
from poolbook.tables import columns
from poolbook.tables.recorded import machines, recordings

SOURCES = {
    "dates-2006": {
        "title": 'Dustin Sallings, "Cheap and Effective Object Pooling with BlockingQueue", 10 November 2006'
    },
    "claims": {
        "title": "the five pieces that this workbook re-creates, and HikariCP's wiki, named in each row; in our words"
    },
    "two-borrows": {"title": "Daniel Wu (DanielYWoo), README of fast-object-pool, version 2.2.1"},
    "strings": {"title": 'Peter Lawrey, "Object Pools Revisited", Chronicle Software (undated)'},
}


def describe(datasets: Path = DATASETS) -> dict:
    """The Data Package of a datasets folder. Raises `poolbook.tables.columns.UnknownColumn`."""
    published = [
        _resource(file, datasets, SOURCES[file.stem]) for file in sorted((datasets / "published").glob("*.csv"))
    ]
    recorded = [
        _resource(file, datasets, {"title": "recorded with this workbook", "path": _path(file.parent, datasets)})
        for machine in machines(datasets / "recorded")
        for recording in recordings(datasets / "recorded" / machine)
        for file in sorted(recording.glob("*.csv"))
    ]
    return {
        "name": "object-pool-workbook",
        "title": "What object pools cost: published and recorded figures",
        "description": "See README.md in this folder.",
        "resources": [*published, *recorded],
    }


def _path(place: Path, datasets: Path) -> str:
    return place.relative_to(datasets).as_posix()


def _resource(file: Path, datasets: Path, source: dict) -> dict:
    path = _path(file, datasets)
    with file.open(encoding="utf-8", newline="") as table:
        header = next(csv.reader(table))
    return {
        "name": path.removesuffix(".csv").replace("/", "-").lower(),
        "path": path,
        "format": "csv",
        "encoding": "utf-8",
        "sources": [source],
        "schema": columns.schema(header),
    }


def text(datasets: Path = DATASETS) -> str:
    """The file's content, one line per field of a table."""
    package = describe(datasets)
    resources = []
    for resource in package.pop("resources"):
        fields = ",\n".join(f"    {_json(field)}" for field in resource.pop("schema")["fields"])
        resources.append(f'  {_json(resource)[:-1]}, "schema": {{"fields": [\n{fields}\n  ]}}}}')
    head = ",\n".join(f"{_json(key)}: {_json(value)}" for key, value in package.items())
    listed = ",\n".join(resources)
    return f'{{\n{head},\n"resources": [\n{listed}\n]\n}}\n'


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def write(datasets: Path = DATASETS) -> Path:
    """Write datapackage.json and return its path."""
    file = datasets / "datapackage.json"
    files.write(file, text(datasets))
    return file
