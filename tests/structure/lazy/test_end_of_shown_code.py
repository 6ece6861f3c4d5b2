"""Shown code that just stops is refused: no beginning of an answer writes what the whole answer does not."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from patchpoint import apply_edits, merge_lazy
from patchpoint.outcome import Status


@dataclass(frozen=True)
class Shown:
    """A file, and a function of it as it is to be."""

    path: str
    file: str
    code: str

    @property
    def answer(self) -> str:
        """An answer that shows the code."""
        return f"I would change `{self.path}` like this:\n\n```\n{self.code}```\n"


PYTHON = Shown(
    "shelf.py",
    """\
class Shelf:
    def __init__(self, boards):
        self.boards = boards

    def width(self):
        widest = 0
        for board in self.boards:
            widest = max(widest, board.width)
        log.debug("width %s", widest)
        return widest

    def clear(self):
        self.boards = []
""",
    """\
    def width(self):
        widest = 0
        for board in self.boards:
            if board.is_broken:
                continue
            widest = max(widest, board.width)
        log.debug("width %s", widest)
        return widest
""",
)
AS_ONE_EXPRESSION = Shown(
    "shelf_of_words.py",
    PYTHON.file,
    """\
    def width(self):
        return max(
            (board.width for board in self.boards if not board.is_broken),
            default=0,
        )
""",
)
GO = Shown(
    "shelf.go",
    """\
package shelf

// Width returns the width of the widest board.
func (s *Shelf) Width() int {
	widest := 0
	for _, board := range s.boards {
		widest = max(widest, board.width)
	}
	return widest
}

func (s *Shelf) Clear() {
	s.boards = nil
}
""",
    """\
// Width returns the width of the widest board.
func (s *Shelf) Width() int {
	widest := 0
	for _, board := range s.boards {
		if board.broken {
			continue
		}
		widest = max(widest, board.width)
	}
	return widest
}
""",
)
RUST = Shown(
    "shelf.rs",
    """\
impl Shelf {
    pub fn width(&self) -> u32 {
        let mut widest = 0;
        for board in &self.boards {
            widest = widest.max(board.width);
        }
        widest
    }

    pub fn clear(&mut self) {
        self.boards.clear();
    }
}
""",
    """\
impl Shelf {
    // ... existing code ...
    pub fn clear(&mut self) {
        self.broken = 0;
        self.boards.clear();
    }
}
""",
)
TYPESCRIPT = Shown(
    "shelf.ts",
    """\
export class Shelf {
  constructor(private boards: Board[]) {}

  width(): number {
    let widest = 0;
    for (const board of this.boards) {
      widest = Math.max(widest, board.width);
    }
    return widest;
  }

  clear(): void {
    this.boards = [];
  }
}
""",
    """\
  width(): number {
    let widest = 0;
    for (const board of this.boards) {
      if (board.isBroken) {
        continue;
      }
      widest = Math.max(widest, board.width);
    }
    return widest;
  }
""",
)
JAVASCRIPT = Shown(
    "shelf.js",
    """\
const least = 1;

function width(boards) {
  return boards.reduce((widest, board) => {
    return Math.max(widest, board.width);
  }, least);
}

module.exports = { width };
""",
    """\
function width(boards) {
  return boards.reduce((widest, board) => {
    return board.isBroken ? widest : Math.max(widest, board.width);
  }, least);
}
""",
)
JAVA = Shown(
    "Shelf.java",
    """\
class Shelf {
    private List<Board> boards;

    /** Returns the width of the widest board. */
    int width() {
        int widest = 0;
        for (Board board : boards) {
            widest = Math.max(widest, board.width());
        }
        return widest;
    }

    void clear() {
        boards.clear();
    }
}
""",
    """\
class Shelf {
    // ... existing code ...

    /** Returns the width of the widest board. */
    int width() {
        int widest = 0;
        for (Board board : boards) {
            if (!board.isBroken()) {
                widest = Math.max(widest, board.width());
            }
        }
        return widest;
    }

    // ... existing code ...
}
""",
)
EVERY = (PYTHON, AS_ONE_EXPRESSION, GO, RUST, TYPESCRIPT, JAVASCRIPT, JAVA)


def ids(shown: Shown) -> str:
    """Return what a test is called by."""
    return shown.path


def written(shown: Shown, answer: str) -> str | None:
    """Return the file with an answer applied."""
    return apply_edits({shown.path: shown.file}, answer).files[shown.path]


def ends(text: str) -> Iterator[int]:
    """Yield offsets at which a text may be cut off: each end of a line, and one within each line."""
    at = 0
    for number, line in enumerate(text.splitlines(keepends=True)):
        yield at + 1 + number % max(1, len(line) - 1)
        at += len(line)
        yield at - 1
        yield at


@pytest.mark.parametrize("shown", EVERY, ids=ids)
def test_no_beginning_of_an_answer_writes_anything(shown: Shown) -> None:
    whole = written(shown, shown.answer)
    assert whole != shown.file
    for end in ends(shown.answer.removesuffix("```\n")):
        assert written(shown, shown.answer[:end]) == shown.file, shown.answer[:end]


@pytest.mark.parametrize("shown", EVERY, ids=ids)
def test_nothing_but_the_whole_is_written_where_a_page_closes_the_fence(shown: Shown) -> None:
    whole = written(shown, shown.answer)
    first = shown.answer.index("```\n") + len("```\n")
    for end in ends(shown.code):
        beginning = shown.answer[: first + end].rstrip("\n")
        assert written(shown, f"{beginning}\n```\n") in (shown.file, whole), beginning


@pytest.mark.parametrize("shown", EVERY, ids=ids)
def test_nothing_but_the_whole_is_written_where_code_is_copied_without_its_fence(shown: Shown) -> None:
    whole = merge_lazy(shown.file, shown.code, path=shown.path)
    assert whole.status is Status.APPLIED
    for end in ends(shown.code):
        outcome = merge_lazy(shown.file, shown.code[:end], path=shown.path)
        assert outcome.text in (None, shown.file, whole.text), shown.code[:end]


@pytest.mark.parametrize(
    "code",
    [
        "def clear(self):\n    self.boards",
        "def clear(self):\n    # The boards",
        "def width(self):\n    widest = 0\n    for board in self.boards:\n        widest = board.width\n",
        "def width(self):\n    for board in self.boards:\n        widest = max(widest, board)\n",
        "def clear(self):\n    self.boards = []\n\n# Return the count",
    ],
)
def test_the_refusal_of_code_that_stops_names_its_last_line(code: str) -> None:
    outcome = merge_lazy(PYTHON.file, code, path="shelf.py")
    assert outcome.text is None
    last = code.rstrip("\n").rpartition("\n")[2].strip()
    assert f"ends with `{last}`; send it to its end" in outcome.message


def test_code_that_more_words_follow_is_not_cut_off() -> None:
    file = "def price(item):\n    item.count()\n    return item.price * 2\n"
    answer = "In `shop.py`:\n\n```python\ndef price(item):\n    item.count()\n    return item.price\n```\n"
    assert apply_edits({"shop.py": file}, answer).files["shop.py"] == file
    after = apply_edits({"shop.py": file}, f"{answer}\nEach item counts once.\n").files["shop.py"]
    assert after == "def price(item):\n    item.count()\n    return item.price\n"


@pytest.mark.parametrize(
    "body",
    [
        "return max(board.width for board in self.boards)\n",
        "if not self.boards:\n    return 0\nreturn max(board.width for board in self.boards)\n",
        "return {\n    board.name: board.width\n    for board in self.boards\n}\n",
        'raise NotImplementedError("shelves have no width")\n',
        "with self.lock:\n    return max(board.width for board in self.boards)\n",
    ],
)
def test_a_body_that_is_left_at_its_end_may_be_shorter_than_before(body: str) -> None:
    code = "def width(self):\n" + textwrap.indent(body, "    ")
    before, found, rest = PYTHON.file.partition("    def width(self):\n")
    after = merge_lazy(PYTHON.file, code, path="shelf.py").text
    assert found
    assert after == f"{before}{textwrap.indent(code, '    ')}\n{rest[rest.index('    def clear') :]}"


@pytest.mark.parametrize("last", ["yield wrap(board)", "yield board", "board.use(1)"])
def test_what_does_not_end_a_function_may_be_cut_off(last: str) -> None:
    file = f"def board():\n    board = make()\n    {last}\n    board.close()\n"
    code = f"def board():\n    board = make(1)\n    {last}\n"
    assert merge_lazy(file, code, path="boards.py").text is None


@pytest.mark.parametrize(
    "head", ["if not path:", "try:\n        data = read(path, 1)\n    except OSError:", "for _ in path:"]
)
def test_what_ends_only_one_branch_of_a_function_may_be_cut_off(head: str) -> None:
    before = head.replace(", 1", "")
    file = f"def load(path):\n    {before}\n        return dict()\n    return parse(data)\n"
    code = f"def load(path):\n    {head}\n        return dict(path=path)\n"
    assert merge_lazy(file, code, path="loads.py").text is None


def test_the_last_line_of_a_function_may_be_another_one() -> None:
    code = "def clear(self):\n    self.boards.clear()\n"
    after = merge_lazy(PYTHON.file, code, path="shelf.py").text
    assert after == PYTHON.file.replace("self.boards = []", "self.boards.clear()")


def test_several_lines_at_the_end_may_become_one_of_the_same_words() -> None:
    head = "def check(out):\n    prepare()\n"
    file = f"{head}    assert 'one' in out\n    assert 'two' in out\n    assert 'three' in out\n"
    code = f"{head}    assert 'one two three' in out\n"
    assert merge_lazy(file, code, path="test_out.py").text == code


def test_a_line_that_comes_again_deeper_is_not_the_end_of_what_gives_way() -> None:
    loop = "    for each in items:\n        result += each.price\n    return result\n"
    file = f"def total(items):\n    result = 0\n{loop}"
    code = "    result = 0\n    if not items:\n        return result\n"
    assert merge_lazy(file, code, path="totals.py").text is None
    answer = f"In `totals.py`, change this:\n\n```python\n{code}```\n"
    assert loop in (apply_edits({"totals.py": file}, answer, accept="all").files["totals.py"] or "")
