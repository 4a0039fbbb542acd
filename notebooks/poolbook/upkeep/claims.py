"""The words and verdicts of the ledger, where they are kept: a change of either is seen in a diff."""

from __future__ import annotations

from pathlib import Path

from poolbook.ledger.claims import ledger
from poolbook.ledger.claims.rules import RULES
from poolbook.system.paths import DATASETS, ROOT
from poolbook.tables.recorded import published


def texts() -> dict[Path, str]:
    """claims.csv, where the words of each rule are those of its function, and the verdicts that the tests compare."""
    claims = published("claims")
    claims["rule"] = [" ".join(RULES[number].__doc__.split()) for number in claims["id"]]
    verdicts = ledger()[["id", "jdk", "verdict", "ratio"]]
    return {
        DATASETS / "published" / "claims.csv": claims.to_csv(index=False, lineterminator="\n"),
        ROOT / "tests" / "unit" / "verdicts.csv": verdicts.to_csv(
            index=False, lineterminator="\n", float_format="%.10g"
        ),
    }
