"""How fast answers are read: run `python -m tests.benchmarks.formats`."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from patchpoint.formats import parse_edits
from tests.formats.cut_off_answers import COUNT, edits_of, samples_in, whole_answers

_BLOCK = """Now the handler in `src/module_{n}.py` takes the {n}th option:

src/module_{n}.py
```python
<<<<<<< SEARCH
def handle_{n}(request):
    options = request.options
    values = {{key: value for key, value in options.items() if value}}
    if not values:
        raise ValueError("no values")
    for key, value in values.items():
        request.store(key, value)
    return Response(values)
=======
def handle_{n}(request):
    options = request.options
    values = {{key: value for key, value in options.items() if value is not None}}
    if not values:
        return Response({{}})
    for key, value in sorted(values.items()):
        request.store(key, value)
    return Response(values)
>>>>>>> REPLACE
```

{filler}
"""
_FILLER = "The rest of the module stays as it is, since nothing else reads these options. " * 4
_ENVELOPE = """*** Update File: src/module_{n}.py
@@ def handle_{n}(request):
     options = request.options
-    values = dict(options)
+    values = dict(options, n={n})
     return Response(values)
"""
_PROSE = """## Section {n}

Plain words about *things* and `code`, a [link](https://example.org/{n}), and a list:

- one item that is long enough to be a usual line of text in a document
- another item, with an --- em dash --- and a | pipe | or two

| left | right |
| --- | --- |
| {{a}} | [b] |

```python
values = [item for item in range({n}) if item]
print(values, "path")
```

> A quoted paragraph, as they are found in documents of this kind.

"""


def _best(measured: Callable[[], object], runs: int = 3) -> float:
    times = []
    for _ in range(runs):
        started = time.process_time()
        measured()
        times.append(time.process_time() - started)
    return min(times) * 1000


def _filled(pattern: str, size: int) -> str:
    pieces: list[str] = []
    length = 0
    while length < size:
        pieces.append(pattern.format(n=len(pieces), filler=_FILLER))
        length += len(pieces[-1])
    return "".join(pieces)[:size]


def main() -> None:
    """Print for each kind of answer its size, what was found, and the best processor time of three runs."""
    blocks = "".join(_BLOCK.format(n=n, filler=_FILLER) for n in range(1000))
    sections = "".join(_ENVELOPE.format(n=n) for n in range(5000))
    calls = "".join(
        f'{{"file_path": "src/m{n}.py", "old_string": "a = {n}\\n", "new_string": "a = {n + 1}\\n"}}\n'
        for n in range(5000)
    )
    unclosed = "<<<<<<< SEARCH\n" * 7_000
    dividers = "x\n=======\n" * 30_000
    answers = {
        "1,000 search/replace blocks": blocks,
        "envelope of 5,000 updates": f"*** Begin Patch\n{sections}*** End Patch\n",
        "5,000 JSON lines": calls,
        "Markdown without edits": _filled(_PROSE, 5_000_000),
        "one line of 5 MB": "a" * 5_000_000,
        "only opening markers": unclosed,
        "only braces": "{\n" * 50_000,
        "only open strings": '{"path": "\n' * 10_000,
        "only unclosed tags": '<invoke name="Edit">\n' * 5_000,
        "only old texts": "<old_text>\n" * 5_000,
        "only patch beginnings": "apply_patch <<'E'\n*** Begin Patch\n" * 2_000,
        "only updates": "*** Update File: a\n" * 5_000,
        "only nested lists": "[[\n" * 20_000,
        "only keys": '{"path": "a", "old_string": ' * 5_000,
        "only fences": "```py a.py\n" * 10_000,
        "only hunk headings": "--- a/x\n+++ b/x\n@@ -1 +1 @@\n" * 3_000,
        "only headings and context": "@@ @@\n a\n" * 10_000,
        "only quotes": "> <<<<<<< SEARCH\n" * 6_000,
        "only dividers in a block": f"a.py\n<<<<<<< SEARCH\n{dividers}>>>>>>> REPLACE\n",
        "50 MB of blocks": blocks * (50_000_000 // len(blocks)),
    }
    print(f"{'answer':<30}{'MB':>7}{'items':>8}{'ms':>10}")
    for name, text in answers.items():
        runs = 1 if len(text) > 20_000_000 else 3
        items = len(parse_edits(text))
        milliseconds = _best(partial(parse_edits, text), runs)
        print(f"{name:<30}{len(text) / 1e6:>7.1f}{items:>8}{milliseconds:>10.1f}")
    _print_cut_off()


def _print_cut_off() -> None:
    """Print of how many beginnings of whole answers, cut off at every character, any asks for more."""
    beginnings = more = 0
    for text in whole_answers():
        whole = edits_of(text)
        allowed = whole | samples_in(whole, text)
        for end in range(len(text)):
            beginnings += 1
            more += not edits_of(text[:end]) <= allowed
    print(f"{beginnings} beginnings of {COUNT} answers, of which {more} ask for more than the whole")


if __name__ == "__main__":
    main()
