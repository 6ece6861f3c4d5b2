"""What an adapter does with cases: `python -m tests.applying.answer ADAPTER` reads one a line.

The first line that it writes says the version, or what is missing. Then each line that it reads is a JSON
object with `text`, `search`, `replace` and `path`, and each that it writes has `after` (the new text, or
`null`), `milliseconds`, and `error` if the adapter raised one.
"""

from __future__ import annotations

import json
import sys
import time
from importlib import import_module
from typing import Any

WARM_UP = ("one\ntwo\nthree\n", "two\n", "2\n", "file.py")


def main() -> None:
    """Answer until the input ends."""
    try:
        adapter = import_module(f"tests.applying.adapters.{sys.argv[1]}")
    except (ImportError, OSError) as error:
        _write({"missing": str(error)})
        return
    adapter.apply(*WARM_UP)
    _write({"version": adapter.VERSION})
    for line in sys.stdin.buffer:
        case = json.loads(line)
        started = time.perf_counter()
        answer: dict[str, Any] = {"after": None}
        try:
            answer["after"] = adapter.apply(case["text"], case["search"], case["replace"], case["path"])
        except Exception as error:
            answer["error"] = repr(error)[:200]
        answer["milliseconds"] = 1000 * (time.perf_counter() - started)
        _write(answer)


def _write(answer: dict[str, Any]) -> None:
    # ASCII, and so the same in every locale.
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
