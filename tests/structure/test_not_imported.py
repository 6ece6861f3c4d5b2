"""A well-known module that new lines use has to be imported; where nothing does that, a person is asked."""

from __future__ import annotations

import pytest

from patchpoint.api import apply_edits
from patchpoint.structure.not_imported import not_imported

GO = 'package a\n\nimport "fmt"\n\nfunc F(s string) string {\n\treturn fmt.Sprint(s)\n}\n'
TSX = (
    'import { useState } from "react";\n\nexport function A() {\n  const [a] = useState(1);\n  return a;\n}\n'
)
JAVA = "import java.io.File;\n\nclass A {\n    int f() {\n        return 1;\n    }\n}\n"
RUST = "use std::fs;\n\nfn f() -> u8 {\n    1\n}\n"


@pytest.mark.parametrize(
    ("path", "text", "old", "new", "name"),
    [
        ("a.go", GO, "Sprint(s)", "Sprint(strings.TrimSpace(s))", "strings"),
        ("a.tsx", TSX, "  return a;", "  useEffect(() => {}, [a]);\n  return a;", "useEffect"),
        ("A.java", JAVA, "return 1;", "return new ArrayList<>().size();", "ArrayList"),
        ("a.rs", RUST, "    1\n", "    HashMap::<u8, u8>::new().len() as u8\n", "HashMap"),
    ],
)
def test_what_is_used_and_not_imported_is_shown_first(
    path: str, text: str, old: str, new: str, name: str
) -> None:
    after = text.replace(old, new)
    assert not_imported(text.splitlines(), after.splitlines(), path) == name
    answer = f"{path}\n<<<<<<< SEARCH\n{text}=======\n{after}>>>>>>> REPLACE\n"
    shown = apply_edits({path: text}, answer)
    assert shown.files == {path: text}
    assert f"It uses `{name}`" in shown.proposals[0].why
    assert apply_edits({path: text}, answer, accept="all").files == {path: after}


@pytest.mark.parametrize(
    ("path", "text", "old", "new"),
    [
        ("a.go", GO, "Sprint(s)", 'Sprint("strings.TrimSpace")'),
        ("a.go", GO, 'import "fmt"', 'import (\n\t"fmt"\n\t"strings"\n)\n\nvar a = strings.ToUpper("a")'),
        ("a.go", GO, "return fmt", "return a.strings.Of(fmt)\n\treturn fmt"),
        ("a.tsx", TSX, "  return a;", "  React.useEffect(() => {}, [a]);\n  return a;"),
        ("a.tsx", TSX.replace("react", "./hooks"), "  return a;", "  useEffect(() => {}, [a]);\n  return a;"),
        (
            "A.java",
            JAVA.replace("java.io.File", "java.util.*"),
            "return 1;",
            "return new ArrayList<>().size();",
        ),
        ("a.rs", RUST, "    1\n", "    std::collections::HashMap::<u8, u8>::new().len() as u8\n"),
        ("a.py", "a = 1\n", "1", "strings.Of(1)"),
    ],
)
def test_what_is_brought_or_named_otherwise_is_not(path: str, text: str, old: str, new: str) -> None:
    assert not not_imported(text.splitlines(), text.replace(old, new).splitlines(), path)
