"""How fast texts, differences and landings are: run `python tests/benchmarks/text.py`."""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "server"))

from patchpoint.filesystem.read import read_bytes
from patchpoint.paths.resolve import resolve_path
from patchpoint.paths.search import list_files
from patchpoint.text.encoding import Encoding, decode, encode
from patchpoint.text.file_operation import FileOperation
from patchpoint.text.lines import LineTable
from patchpoint.text.positions import Unit, offset_at, position_at
from patchpoint.text.splice import minimal_splices
from patchpoint.text.unified_diff import unified_diff
from patchpoint.workspace.transaction.apply import DiskChange, apply_changes

_RANDOM = random.Random(1)


def main() -> None:
    """Print one line a measurement: the best of three runs."""
    _measure_documents()
    _measure_differences()
    with tempfile.TemporaryDirectory() as folder:
        _measure_files(Path(folder).resolve())


def _measure_documents() -> None:
    for kind, first in (("ASCII", ""), ("with emoji", "😋")):
        text = first + "x" * 24 + ("\n" + "x" * 24) * 200_000
        table = LineTable.of(text)
        print(f"a document of {len(text):,} characters and {table.line_count:,} lines, {kind}")
        _say("  read its lines", partial(LineTable.of, text))
        _say("  100 incremental changes", partial(_type_into, table), divided_by=100)
        _say("  put the text together", partial(_put_together, table))
        _say("  1,000 positions there and back", partial(_convert, table), divided_by=1000)
        _say("  encode and decode", partial(_there_and_back, text))


def _type_into(table: LineTable) -> None:
    for line in range(0, 200_000, 2_000):
        start = offset_at(table, line, 3, Unit.UTF_16)
        table = table.replaced(start, start + 1, "y\nz")


def _put_together(table: LineTable) -> str:
    return table.replaced(0, 0, "y").text


def _there_and_back(text: str) -> None:
    decode(encode(text, Encoding.UTF_8))


def _convert(table: LineTable) -> None:
    for line in range(0, 200_000, 200):
        position_at(table, offset_at(table, line, 7, Unit.UTF_16), Unit.UTF_16)


def _measure_differences() -> None:
    words = ["alpha", "beta", "return x", "}", "{", "", "    pass"]
    lines = [
        f"line {number}\n" if _RANDOM.random() < 0.5 else _RANDOM.choice(words) + "\n"
        for number in range(200_000)
    ]
    before = "".join(lines)
    for number in range(0, len(lines), 100):
        lines[number] = f"changed {number}\n"
    after = "".join(lines)
    print(f"differences of {len(before):,} characters in 200,000 lines")
    one = before[:1_000_000] + "CHANGED" + before[1_000_000:]
    _say("  one change", lambda: unified_diff(before, one, "x"))
    _say("  2,000 changes", lambda: unified_diff(before, after, "x"))
    _say("  2,000 changes as splices", lambda: minimal_splices(before, after))
    _RANDOM.shuffle(lines)
    shuffled = "".join(lines)
    _say("  nothing where it was", lambda: unified_diff(before, shuffled, "x"))
    _say("  no line occurs once", lambda: unified_diff("a\nb\n" * 50_000, "b\na\na\n" * 33_000, "x"))


def _measure_files(folder: Path) -> None:
    root = folder / "workspace"
    for number in range(2_000):
        path = root / f"package{number % 50}" / f"module{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"old\n" * 500)
    print("a workspace of 2,000 files")
    _say("  resolve a path", lambda: resolve_path("package7/module7.py", [root]))
    _say("  list its files", lambda: list_files(root))
    _say("  resolve a misspelt one", lambda: resolve_path("modul1234.py", [root], may_be_misspelt=True))
    for count in (1, 20, 100):
        _say(f"  apply_changes {count} files", partial(_apply, root, folder / "log", count))


def _apply(root: Path, log: Path, count: int) -> None:
    paths = sorted(root.glob("*/*.py"))[:count]
    changes = [
        DiskChange(
            root=root,
            path=path,
            operation=FileOperation.UPDATE,
            expected=read_bytes(path).identity,
            data=_RANDOM.randbytes(10).hex().encode() * 100,
        )
        for path in paths
    ]
    apply_changes(changes, log)


def _say(what: str, work: Callable[[], object], divided_by: int = 1) -> None:
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    each = " each" if divided_by > 1 else ""
    print(f"{what:<36}{best * 1000 / divided_by:10.2f} ms{each}")


if __name__ == "__main__":
    main()
