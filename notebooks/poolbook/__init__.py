"""The workbook's Python side: what notebooks import. Java is run through JBang; nothing happens on import.

A name is loaded when a cell first uses it, because charts and notebooks take seconds to import, and most commands need
neither.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

NAMES = {
    "cells.ask": ["should_i_pool"],
    "tables.compare": ["MARGIN", "break_even", "compare", "percentile", "times", "with_ns_per_op"],
    "cells.java": ["load_ipython_extension", "my_file", "my_pool", "show_java", "summing"],
    "cells.lesson": ["start", "time_one_loop"],
    "cells.race": ["race"],
    "tables.recorded": ["published", "recorded", "tables"],
}
"""The functions for cells, by module. Some have the name of their module: here, the name is the function."""


class _Lazy(ModuleType):
    """Properties, as they come before the attributes that Python sets when it imports a module of the package."""

    def __getattr__(self, name: str) -> object:
        if name in ("charts", "checks", "drawings", "prices", "turns"):
            return importlib.import_module(f"{__name__}.cells.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _property(module: str, name: str) -> property:
    def load(package: ModuleType) -> object:
        return getattr(importlib.import_module(f"{__name__}.{module}"), name)

    return property(load, lambda package, value: None)  # what Python would set is the module


for _module, _names in NAMES.items():
    for _name in _names:
        setattr(_Lazy, _name, _property(_module, _name))
sys.modules[__name__].__class__ = _Lazy
