"""Imports that an answer shows or asks for, in the languages that group them or begin with a package."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

SERVER = """package srv

import (
	"encoding/json"
	"net/http"

	"github.com/go-chi/chi/v5"
)

type Server struct {
	router *chi.Mux
}

func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	json.NewEncoder(w).Encode("ok")
}

func (s *Server) Run(addr string) error {
	return http.ListenAndServe(addr, s.router)
}

func (s *Server) Close() {
}
"""
RUN = """func (s *Server) Run(addr string) error {
	srv := &http.Server{Addr: addr, Handler: s.router, ReadTimeout: 5 * time.Second}
	return srv.ListenAndServe()
}
"""
WANTED = SERVER.replace('http"\n\n', 'http"\n\t"time"\n\n').replace(
    SERVER[SERVER.index("func (s *Server) Run") : SERVER.index("\nfunc (s *Server) Close")], RUN
)


def after_yes(answer: str, path: str = "srv.go", file: str = SERVER) -> str | None:
    """Return the file after a yes to all that the answer proposes; nothing of it is written unasked."""
    first = apply_edits({path: file}, answer)
    assert first.files[path] == file
    shown = [one.proposal.id for one in first.outcomes if one.proposal]
    return apply_edits({path: file}, answer, accept=shown).files[path]


def fence(code: str, language: str = "go") -> str:
    return f"```{language}\n{code}```\n"


@pytest.mark.parametrize(
    "imports",
    [
        'import "time"\n',
        'package srv\n\nimport "time"\n',
        'package srv\n\nimport (\n\t"net/http"\n\t"time"\n)\n',
        'import (\n\t"time"\n)\n',
    ],
    ids=["one", "below the package", "a group with some of the file's", "a group of its own"],
)
def test_imports_of_go_above_a_function_go_to_the_group_that_they_belong_to(imports: str) -> None:
    answer = f"**srv.go**\n\n{fence(imports + chr(10) + RUN)}"
    assert apply_edits({"srv.go": SERVER}, answer).files == {"srv.go": WANTED}


@pytest.mark.parametrize(
    "words",
    [
        "Don't forget to import `time`.",
        'Remember to add `"time"` to the imports.',
        'At the top of the file, add `import "time"`.',
        "You'll also need to import `time`.",
        "Make sure `time` is imported.",
    ],
)
def test_an_import_of_go_that_is_asked_for_in_words_is_shown_or_waited_for(words: str) -> None:
    answer = f"In `srv.go`, change `Run` so that it times out:\n\n{fence(RUN)}\n{words}\n"
    assert after_yes(answer) in ((WANTED,) if 'import "' in words else (WANTED, SERVER))


@pytest.mark.parametrize(
    "words",
    ["You don't need to import `time`.", "This imports `time`.", "The `time` import is already there."],
)
def test_an_import_that_is_only_spoken_of_is_not_shown(words: str) -> None:
    after = after_yes(f"In `srv.go`, change `Run` so that it times out:\n\n{fence(RUN)}\n{words}\n")
    assert after == WANTED.replace('\t"time"\n', "")


def test_a_module_of_a_host_goes_next_to_those_of_hosts() -> None:
    imports = 'import (\n\t"time"\n\t"github.com/rs/zerolog"\n)\n'
    after = after_yes(f"Add these imports to `srv.go`:\n\n{fence(imports)}")
    assert after == SERVER.replace('http"\n\n', 'http"\n\t"time"\n\n').replace(
        'chi/v5"\n', 'chi/v5"\n\t"github.com/rs/zerolog"\n'
    )


def test_a_name_for_a_module_takes_the_place_of_the_module_without_one() -> None:
    code = fence('import enc "encoding/json"\n')
    after = after_yes(f"Add this import to `srv.go`:\n\n{code}")
    assert after == SERVER.replace('\t"encoding/json"', '\tenc "encoding/json"')


def test_an_import_next_to_one_without_a_group_has_none() -> None:
    file = 'package srv\n\nimport "net/http"\n\nvar Server http.Server\n'
    code = fence('import (\n\t"time"\n)\n')
    after = after_yes(f"Add this import to `srv.go`:\n\n{code}", file=file)
    assert after == file.replace('http"\n', 'http"\nimport "time"\n', 1)


def test_what_may_be_a_mark_is_said_of_marks_only() -> None:
    head = "func (s *Server) health(w http.ResponseWriter, r *http.Request)"
    shown = f"{head} {{\n}}\n\nfunc helper() {{\n}}\n\nfunc (s *Server) Close() {{\n}}\n"
    report = apply_edits({"srv.go": SERVER}, f"**srv.go**\n\n{fence(shown)}")
    assert not any("mark for omitted lines" in one.message for one in report.outcomes)


TYPED = "from typing import Any, List\n\n\ndef one(a: Any) -> List[Any]:\n    return [a]\n"


def test_an_import_alone_takes_the_place_of_the_one_of_its_module_that_has_fewer_names() -> None:
    wider = "from typing import Any, List, Optional\n"
    answer = f"In `a.py`, change the import to:\n\n{fence(wider)}"
    assert apply_edits({"a.py": TYPED}, answer).files == {"a.py": TYPED}
    assert apply_edits({"a.py": TYPED}, answer, accept="all").files["a.py"] == TYPED.replace(
        "from typing import Any, List\n", wider
    )


@pytest.mark.parametrize(
    "imports",
    [
        "from typing import Any, Optional\n",
        "from typing import Any, List, Optional\nimport sys\n",
        "from typing import Any, List as Rows, Optional\n",
    ],
)
def test_where_names_would_go_or_a_place_is_chosen_it_is_only_shown(imports: str) -> None:
    report = apply_edits({"a.py": TYPED}, f"In `a.py`, change the import to:\n\n{fence(imports)}")
    assert report.files == {"a.py": TYPED}


def test_an_import_from_the_future_is_above_all_others() -> None:
    file = "import os\n\n\ndef name():\n    return os.name\n"
    future = "from __future__ import annotations\n"
    report = apply_edits(
        {"a.py": file}, f"Add this line at the very top of `a.py`:\n\n{fence(future)}", accept="all"
    )
    assert report.files == {"a.py": future + file}


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("a.js", 'const x = require("x");', 'const { x, y } = require("x");'),
        ("a.ts", "import { A } from './a';", "import type { A, B } from './a';"),
        ("a.py", "from x import a as c", "from x import b as c, a"),
    ],
)
def test_an_import_that_is_written_in_another_way_is_only_shown(path: str, old: str, new: str) -> None:
    file = f"{old}\n\nuse(a);\n"
    report = apply_edits({path: file}, f"In `{path}`, change the import to:\n\n{fence(new)}")
    assert report.files == {path: file}


def test_of_several_imports_that_are_replaced_others_may_go() -> None:
    file = "import os\n" + TYPED
    wider = fence("from typing import Any, List, Optional\n")
    assert apply_edits({"a.py": file}, f"In `a.py`, replace the imports with:\n\n{wider}").files == {
        "a.py": file
    }


def test_an_import_that_is_shown_above_one_of_the_file_goes_above_it() -> None:
    file = "package shop\n\nimport org.slf4j.Logger\nimport java.time.Instant\n\nfun now() = Instant.now()\n"
    code = (
        "import java.time.Duration\nimport java.time.Instant\n\nfun now() = Instant.now() + Duration.ZERO\n"
    )
    answer = f"In `Shop.kt`:\n\n```kotlin\n{code}```\n"
    after = apply_edits({"Shop.kt": file}, answer, accept="all").files["Shop.kt"]
    imports = "import java.time.Duration\nimport java.time.Instant"
    assert after == file.replace("import java.time.Instant", imports).replace(
        "now()\n", "now() + Duration.ZERO\n"
    )


@pytest.mark.parametrize(
    ("path", "file", "shown", "old", "new"),
    [
        pytest.param(
            "tools/report.py",
            "import csv\nimport json\nfrom pathlib import Path\n\n\nclass Report:\n    def add(self, name):\n"
            "        self.names.append(name)\n\n    def best(self):\n        return min(self.names)\n",
            "import statistics\n\nclass Report:\n    # add stays the same\n\n    def best(self):\n"
            "        return statistics.mode(self.names)\n",
            ("import json\n", "return min("),
            ("import json\nimport statistics\n", "return statistics.mode("),
            id="Python",
        ),
        pytest.param(
            "Tasks.kt",
            "package a\n\nimport b.Flow\nimport b.withContext\n\nclass Tasks(\n    val dao: Dao,\n) {\n\n"
            "    fun all() = dao.all()\n}\n",
            "import b.map\n\nclass Tasks(\n    val dao: Dao,\n) {\n\n    // ... existing code ...\n\n"
            "    fun names() = all().map { it.name }\n}\n",
            ("import b.Flow\n", "dao.all()\n"),
            ("import b.Flow\nimport b.map\n", "dao.all()\n\n    fun names() = all().map { it.name }\n"),
            id="Kotlin",
        ),
    ],
)
def test_imports_above_parts_of_code_go_among_those_of_the_file(
    path: str, file: str, shown: str, old: tuple[str, str], new: tuple[str, str]
) -> None:
    wanted = file.replace(old[0], new[0]).replace(old[1], new[1])
    assert after_yes(f"In `{path}`, change this:\n\n{fence(shown, '')}", path, file) == wanted
