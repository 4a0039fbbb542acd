"""Where things are in this checkout."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
NOTEBOOKS = ROOT / "notebooks"
SOLUTIONS = NOTEBOOKS / "solutions"
CHARTS = NOTEBOOKS / "poolbook" / "cells" / "charts"
DATASETS = ROOT / "datasets"
JAVA = ROOT / "java"
BUILD = ROOT / "build"  # outputs
MY = ROOT / "my"  # the learner's copies
WORKBOOK = ROOT / ".workbook"  # downloads and builds of the workbook
