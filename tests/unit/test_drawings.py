"""Drawings are well-formed, say in words what they show, and fit."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from IPython.core.formatters import DisplayFormatter

from poolbook.cells import drawings

ALL = [
    drawings.queue,
    drawings.first_come,
    drawings.slot,
    drawings.bag,
    drawings.partitions,
    drawings.hold_and_wait,
    drawings.carriers,
    drawings.queue_moves,
    drawings.remembered,
    drawings.turn,
    drawings.slice_of_time,
]
SVG = "{http://www.w3.org/2000/svg}"
A_CHARACTER = 0.6  # its width in em, roughly
STARTS = {"start": 0.0, "middle": 0.5, "end": 1.0}  # the part of a text left of its x


@pytest.fixture(params=ALL, ids=lambda function: function.__name__)
def shown(request: pytest.FixtureRequest) -> drawings.Drawing:
    return request.param()


def test_a_drawing_is_also_there_in_words(shown: drawings.Drawing) -> None:
    data, _ = DisplayFormatter().format(shown)
    root = ElementTree.fromstring(data["image/svg+xml"])
    title, description = root.findtext(f"{SVG}title"), root.findtext(f"{SVG}desc")
    assert title and description and root.get("role") == "img"
    assert data["text/plain"] == f"{title}. {description}"


def test_its_texts_can_be_read_and_are_inside(shown: drawings.Drawing) -> None:
    root = ElementTree.fromstring(shown.data)
    _, _, width, height = map(float, root.get("viewBox").split())
    assert width <= 640 and root.find(f"{SVG}rect").get("fill") == "#ffffff"
    texts = list(root.iter(f"{SVG}text"))
    assert texts
    for text in texts:
        size = float(text.get("font-size") or root.get("font-size"))
        long = A_CHARACTER * size * len(text.text)
        left = float(text.get("x")) - STARTS[text.get("text-anchor")] * long
        assert size >= 15
        assert left >= 0 and left + long <= width, text.text
        assert size <= float(text.get("y")) <= height - size / 4, text.text
