"""What becomes of edits drifted on purpose, by kind: run `python -m tests.benchmarks.drift [count] [seed]`.

The texts are the sources of this project and, where that folder is there, the files of `../shared/cases`. A
kind is a way in which a similar place becomes a wrong write (see `tests/locate/drifted_edits.py`). Of deleted
blocks with twins at most 4 in 100 may be written, with one twin left at most 20, of the others hardly one in
200.
"""

from __future__ import annotations

import json
import lzma
import sys
import time
from collections import Counter
from pathlib import Path

from patchpoint import apply_edit
from tests.locate.drifted_edits import KINDS, drifted_edits

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT.parent / "shared" / "cases"
PATTERNS = ("server/**/*.py", "tests/**/*.py", "tools/**/*.py", "editors/**/*.ts", "editors/**/*.lua")


def main() -> None:
    """Print a line for each kind, and how the places were found or refused."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    corpus = _texts()
    print(f"from {len(corpus)} texts      edits  right  refused  wrong  ms median     p95")
    for kind in KINDS:
        verdicts: Counter[str] = Counter()
        ways: Counter[str] = Counter()
        times = []
        for edit in drifted_edits(kind, corpus, count, seed):
            started = time.perf_counter()
            outcome = apply_edit(edit.text, edit.search, edit.replace)
            times.append(1000 * (time.perf_counter() - started))
            if outcome.text is None:
                verdict = "refused"
            else:
                verdict = "right" if outcome.text in edit.right else "wrong"
            verdicts[verdict] += 1
            how = outcome.rung.value if outcome.text is not None and outcome.rung else str(outcome.reason)
            ways[f"{verdict}, {how}"] += 1
        times.sort()
        made = len(times)
        print(
            f"  {kind:18} {made:7} {verdicts['right']:6} {verdicts['refused']:8} {verdicts['wrong']:6} "
            f"{times[made // 2]:10.2f} {times[int(made * 0.95)]:7.1f}"
        )
        for way, often in ways.most_common():
            print(f"      {often:5} {way}")


def project_texts() -> list[str]:
    """Return the sources of this project."""
    paths = [path for pattern in PATTERNS for path in sorted(ROOT.glob(pattern))]
    texts = [path.read_text(encoding="utf-8") for path in paths if "node_modules" not in path.parts]
    return [text for text in dict.fromkeys(texts) if "\r" not in text and "\f" not in text]


def _texts() -> list[str]:
    texts = project_texts()
    for name in ("made-dev", "real-dev"):
        file = CASES / f"{name}.jsonl.xz"
        if file.is_file():
            with lzma.open(file, "rt", encoding="utf-8") as lines:
                for line in lines:
                    case = json.loads(line)
                    texts.append(case.get("content") or case.get("content_before") or "")
    return [text for text in dict.fromkeys(texts) if "\r" not in text and "\f" not in text]


if __name__ == "__main__":
    main()
