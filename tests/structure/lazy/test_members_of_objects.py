"""Functions that objects of JavaScript hold, and others that are the values of names."""

from __future__ import annotations

from contextlib import suppress

import pytest

from patchpoint.structure.lazy.definition import Unmerged, UnmergedError
from patchpoint.structure.lazy.merge import merge_shown

SHOP = """\
import api from "./api";

export default {
  name: "shop",
  data() {
    return { goods: [], isOpen: false };
  },
  methods: {
    load() {
      this.isOpen = true;
      return api.goods();
    },
    count: function (goods) {
      return goods.length;
    },
    sum: async (goods) => {
      return goods.reduce((sum, each) => sum + each.price, 0);
    }
  },
};
"""

STORE = """\
const limits = {
  most: 10,
  least: 1,
};

const store = createStore({
  state: limits,
  reset: () => {
    store.state = limits;
  },
});

function Page() {
  const onOpen = useCallback(() => {
    store.reset();
    track("open");
  }, []);

  const close = () => {
    track("close");
    store.reset();
  };

  return { onOpen, close };
}

Page.prototype.print = function () {
  console.log(this.title);
  return this;
};

exports.start = async () => {
  store.reset();
  await Page();
};
"""


def merged(shown: str, file: str = SHOP, path: str = "shop.js") -> str:
    result = merge_shown(file.splitlines(), shown.splitlines(), path)
    return "".join(f"{line}\n" for line in result.lines)


def refused(shown: str, file: str = SHOP, path: str = "shop.js") -> Unmerged:
    with pytest.raises(UnmergedError) as caught:
        merge_shown(file.splitlines(), shown.splitlines(), path)
    return caught.value.reason


@pytest.mark.parametrize("path", ["shop.js", "shop.ts"])
@pytest.mark.parametrize("end", ["}", "},"])
def test_a_member_that_is_shown_alone_keeps_the_comma_of_the_file(path: str, end: str) -> None:
    shown = f"load() {{\n  this.isOpen = true;\n  return api.goods(1);\n{end}\n"
    assert merged(shown, path=path) == SHOP.replace("api.goods()", "api.goods(1)")


def test_the_last_member_has_no_comma_where_the_file_has_none() -> None:
    shown = "sum: async (goods) => {\n  return goods.reduce((sum, each) => sum + each.cost, 0);\n}\n"
    assert merged(shown) == SHOP.replace("each.price", "each.cost")


def test_a_member_by_its_key_is_no_label() -> None:
    shown = "count: function (goods) {\n  return goods.size;\n}\n"
    assert merged(shown) == SHOP.replace("goods.length", "goods.size")


def test_marks_in_objects_within_objects_keep_their_members() -> None:
    shown = """\
export default {
  // ... existing code ...
  methods: {
    // ... existing code ...
    count: function (goods) {
      return goods.size;
    },
    // ... existing code ...
  },
};
"""
    assert merged(shown) == SHOP.replace("goods.length", "goods.size")


def test_an_object_alone_is_found_by_its_key() -> None:
    shown = """\
methods: {
  // ... existing code ...
  count: function (goods) {
    return goods.size;
  },
  // ... existing code ...
}
"""
    assert merged(shown) == SHOP.replace("goods.length", "goods.size")


def test_a_new_member_goes_below_the_one_that_is_shown_above_it() -> None:
    new = "    clear() {\n      this.goods = [];\n    },\n"
    shown = f"""\
  methods: {{
    // ... existing code ...
    count: function (goods) {{
      return goods.length;
    }},
{new}    // ... existing code ...
  }},
"""
    assert merged(shown) == SHOP.replace("    sum: async", f"{new}    sum: async")


def test_a_member_that_may_be_new_or_another_one_renamed_is_refused() -> None:
    shown = """\
  methods: {
    // ... existing code ...
    clear() {
      this.isOpen = false;
    },
    // ... existing code ...
  },
"""
    assert refused(shown) is Unmerged.PLACE


def test_an_object_without_its_members_and_without_a_mark_is_refused() -> None:
    shown = "  methods: {\n    count: function (goods) {\n      return goods.size;\n    },\n  },\n"
    assert refused(shown) is Unmerged.LOST


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ('track("open")', 'track("opened")', "const onOpen = useCallback(() => {\n  #\n}, []);\n"),
        ("state = limits", "state = { ...limits }", "reset: () => {\n  #\n},\n"),
        ("this.title", "this.name", "Page.prototype.print = function () {\n  #\n};\n"),
        ("await Page()", "await new Page()", "exports.start = async () => {\n  #\n};\n"),
        ('track("close")', 'track("closed")', "const close = () => {\n  #\n};\n"),
    ],
)
def test_a_function_is_known_by_what_names_it(old: str, new: str, shown: str) -> None:
    want = STORE.replace(old, new)
    head = shown.splitlines()[0]
    lines = want.splitlines()
    first = next(row for row, line in enumerate(lines) if line.strip() == head)
    depth = len(lines[first]) - len(lines[first].lstrip())
    last = next(row for row in range(first, len(lines)) if lines[row][: depth + 1].strip() == "}")
    code = "\n".join(line[depth:] for line in lines[first : last + 1])
    assert merged(code, STORE) == want


PIPE = """\
class Request {
  constructor() {
    this.pipe = open(new Pipe({
      read: () => {
        next();
      },
      write: (chunk) => {
        push(chunk);
        resume();
      },
      close: () => {
        end();
      },
    })).on("finish", () => {
      done();
    });
  }
}
"""


def test_a_head_with_another_name_next_to_a_mark_may_be_new() -> None:
    shown = """\
  constructor() {
    this.pipe = open(new Pipe({
      // ... existing code ...
      flush: (chunk) => {
        push(chunk);
        resume();
      },
      // ... existing code ...
    })).on("finish", () => {
      done();
    });
  }
"""
    assert refused(shown, PIPE) is Unmerged.UNCLEAR


def test_an_inner_function_whose_end_is_left_out_does_not_take_the_lines_below() -> None:
    file = """\
export default {
  label() {
    const end = (text) => {
      if (!text) {
        return "";
      }
      return text;
    };
    return end;
  },
};
"""
    shown = """\
  label() {
    ...
    const end = (words) => {
      if (!words) {
        return "";
    // ... rest unchanged
  }
"""
    with suppress(UnmergedError):
        assert "    return end;\n" in merged(shown, file)


def test_white_space_behind_the_last_line_stays_as_it_is_shown() -> None:
    file = SHOP.replace("    },\n    sum:", "    }, \n    sum:")
    shown = "count: function (goods) {\n  return goods.size;\n}, \n"
    assert merged(shown, file) == file.replace("goods.length", "goods.size")
