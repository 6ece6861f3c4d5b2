"""Recorded cases: edits that real models wrote, and made ones, kept outside of the repository.

They are read from a folder such as `../shared/cases`; where that is not there, there are none.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.weighing.cases import Case, changed_lines

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases"


def recorded_cases(group: str, folder: Path = CASES) -> Iterator[Case]:
    """Yield the cases of a group, `real`, `made` or `keep`; none where they are not there."""
    if not (folder / "score.py").is_file():
        return
    scorer = _scorer(folder)
    readers = {"real": scorer.real_cases, "made": scorer.made_cases, "keep": scorer.keep_cases}
    for name, kind, text, search, replace, replace_all, how, drift, _, path in readers[group](
        folder / f"{group}-dev.jsonl.xz"
    ):
        truth = how.get("truth")
        region = how.get("region")
        if region is None and truth is not None and not how.get("exact"):
            region = changed_lines(text, truth)
        may_change = how.get("may_change", True)
        yield Case(
            group=group,
            kind=kind if group == "real" else f"{kind} {drift}",
            name=name,
            text=text,
            search=search,
            replace=replace,
            path=path,
            replace_all=replace_all,
            right=(truth,) if truth is not None and may_change else (),
            region=tuple(region) if region is not None and may_change else None,
            slack=how.get("slack", 1),
        )


def _scorer(folder: Path) -> Any:
    spec = importlib.util.spec_from_file_location("score", folder / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
