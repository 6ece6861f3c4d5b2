"""Write the tables of docs/benchmark.md from the newest results: `python -m tools.benchmark_page`."""

from __future__ import annotations

import json
from pathlib import Path

from tests.applying.cases import SOURCES
from tests.applying.misquotes import MISQUOTES
from tests.applying.results import RESULTS, Table, errata, read_head, read_results, tables
from tests.locate.drifted_edits import KINDS

PAGE = Path(__file__).parent.parent / "docs" / "benchmark.md"
_BEGIN = "<!-- begin: written by `make docs` from tests/data/applying -->"
_END = "<!-- end -->"


def main() -> None:
    """Write the page again."""
    PAGE.write_text(with_results(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def with_results(page: str) -> str:
    """Return the page with the newest results, the errata and the sources between its marks."""
    head, _, rest = page.partition(_BEGIN)
    newest = max(RESULTS.glob("*.json"))
    measured = read_head(newest)
    parts = [
        f"Measured on {measured['date']}: {measured['count']} cases, {measured['runs']} runs each, "
        f"{measured['machine']}, Python {measured['python']}, with other work on the machine: the ratios of "
        f"times matter, not the milliseconds. The file is `tests/data/applying/results/{newest.name}`.",
    ]
    for title, table in tables(read_results(newest)):
        parts += [f"### {title}", _markdown(table)]
    parts += ["### What each kind is", _markdown(_kinds())]
    parts += ["### Errata", _errata(), "### Sources and licences", _markdown(_sources())]
    return "\n\n".join([head + _BEGIN, *parts, _END + rest.partition(_END)[2]])


def _errata() -> str:
    wrong = errata()
    if not wrong:
        return "None so far."
    return "\n".join(f"- `{case}`: {why}" for case, why in wrong.items())


def _kinds() -> Table:
    """Return each kind with the first line of what is said of its function."""
    functions = {**MISQUOTES, **KINDS}
    said = ((kind, (functions[kind].__doc__ or "").partition("\n")[0].rstrip(".")) for kind in MISQUOTES)
    return [["kind", "what is done"], *([kind, f"{text[:1].lower()}{text[1:]}"] for kind, text in said)]


def _sources() -> Table:
    rows = json.loads((SOURCES / "sources.json").read_text(encoding="utf-8"))
    listed = [
        [f"`{row['source']}`", f"{row['package']} {row['version']}", row["from"], row["licence"]]
        for row in rows
    ]
    return [["file", "package", "from", "licence"], *listed]


def _markdown(table: Table) -> str:
    rule = ["---", *["--:" if cell[:1].isdigit() else "---" for cell in table[-1][1:]]]
    return "\n".join(f"| {' | '.join(row)} |" for row in (table[0], rule, *table[1:]))


if __name__ == "__main__":
    main()
