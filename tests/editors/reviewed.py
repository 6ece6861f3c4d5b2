"""What an agent changes in twelve places of five files, for a review."""

from __future__ import annotations

LINES = "".join(f"line {number}\n" for number in range(1, 31))

BEFORE = dict.fromkeys(("one.txt", "two.txt", "deep/three.txt", "four.txt"), LINES)

CHANGED = {
    "one.txt": LINES.replace("line 2\n", "LINE 2\n").replace("line 12\n", "").replace("line 25\n", "25\n"),
    "two.txt": LINES.replace("line 5\n", "line 5\nnew\n").replace("line 15\n", "15\n") + "end\n",
    "deep/three.txt": LINES.replace("line 1\n", "first\n").replace("line 10\n", "10\n"),
    "four.txt": LINES.replace("line 3\n", "3\n").replace("line 20\n", "20\n").replace("line 30\n", ""),
    "made.txt": "made\n",
}
