"""Each path in the examples of every format, in hostile spellings: nothing changes where nothing may.

The examples are those that the table of formats names, so that a new format is swept as well.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from patchpoint.edit import Edit
from patchpoint.filesystem.errors import FileError
from patchpoint.formats import parse_edits
from patchpoint.outcome import Atomic, Status
from patchpoint.paths.rules import is_repository_name
from patchpoint.workspace.request import Workspace, plan_request, read_request
from patchpoint.workspace.write import write_changes
from tests.formats.examples import FOLDER, Example, read_example
from tests.sampling import share
from tools.format_sections import SECTIONS as OF_FORMATS
from tools.format_sections import Section

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a matter of POSIX file systems")

SECTIONS = [section for sections in OF_FORMATS.values() for section in sections]
PARTS = ("objects", "refs", "hooks")
INVISIBLE = ["\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\ufe0f", "\u034f", "\u180e", "\U000e0061"]


def hostile_spellings(world: World) -> list[str]:
    """Paths that lead out of the workspace, into a repository or to nowhere, as many systems spell them.

    `f` is a file that the edit fits.
    """
    out = [
        *("../out/f", "../out/new", "a/../../out/f", "./../out/f", "../ws/../out/f", "src/../../out/new"),
        *(str(world.out / "f"), str(world.out / "new"), f"//{world.out}/f", f"file://{world.out}/f"),
        *(
            "..\\out\\f",
            "a\\..\\..\\out\\f",
            "~/f",
            "~root/f",
            "$HOME/f",
            "${HOME}/f",
            "lnk/f",
            "lnk/new",
            "lf",
        ),
        *(
            "sub/rl",
            "%2e%2e/out/f",
            "..%2fout%2ff",
            "..\x00/out/f",
            "..\u2215out\u2215f",
            "..\uff0fout\uff0ff",
        ),
        *(
            " ../out/f",
            "../out/f ",
            "'../out/f'",
            "`../out/f`",
            '"../out/f"',
            "..\t/out/f",
            ".../f",
            "../out/f;x",
        ),
        *(
            "C:\\f",
            "c:/f",
            "\\\\srv\\f",
            "/dev/null",
            "/proc/self/mem",
            "con",
            "nul.txt",
            "a:b",
            "..",
            ".",
            "",
        ),
        *(
            "a/" * 3000 + "x",
            "\ud800/f",
            "\u202e/f",
            "*",
            "$(touch ran)",
            "`touch ran`",
            "a\nb",
            "| touch ran",
        ),
    ]
    inside = [
        *(".git", ".git/f", ".git/config", ".git/new", ".git/hooks/new", ".GIT/f", ".Git/new", "./.git/f"),
        *(".git./f", ".git /f", ".git::$INDEX_ALLOCATION/f", ".git:x/f", "git~1/f", "GIT~2/new", ".git\\f"),
        *("sub/.git", "sub/.git/new", "src/../.git/f", "gl/f", "gl/new", "gc", ".\uff47it/f", ".g\u0131t/f"),
        *(
            "\uff0egit/f",
            ".git%00/f",
            ".%67it/f",
            "bare.x/f",
            "bare.x/new",
            "bare.x/hooks/new",
            "bare.x/HEAD",
        ),
        *(".hg/hgrc", ".svn/f", ".jj/f", "//.git//f", ".git" + "/" * 3000 + "f", "../ws/.git/f", "ws/.git/f"),
        *(f".g{one}it/f" for one in INVISIBLE),
        *(f".git{one}/f" for one in INVISIBLE),
    ]
    return [*out, *inside]


@dataclass(frozen=True)
class World:
    """A workspace, with what nothing may change around and inside of it."""

    root: Path
    out: Path
    home: Path

    def put(self, content: str) -> None:
        """Lay everything out again, `content` being that of each file that is called `f`."""
        for folder in (self.root, self.out, self.home):
            for path in folder.iterdir() if folder.exists() else ():
                if path.is_symlink() or path.is_file():
                    path.unlink()
                else:
                    shutil.rmtree(path)
            folder.mkdir(exist_ok=True)
        for name in (
            "sub",
            "src",
            "made",
            *(f"{one}/{part}" for one in (".git", "bare.x") for part in PARTS),
        ):
            (self.root / name).mkdir(parents=True)
        (self.root / "sub/.git").write_text("gitdir: ../.git/modules/sub\n")
        for name in (".git", "bare.x"):
            (self.root / name / "HEAD").write_text("ref: refs/heads/main\n")
            (self.root / name / "config").write_text("[core]\n")
        for folder in (self.out, self.home, *(self.root / name for name in (".git", "bare.x", "made"))):
            (folder / "f").write_text(content)
        for name, target in {"lnk": "../out", "lf": "../out/f", "sub/rl": "../../out/f"}.items():
            (self.root / name).symlink_to(target)
        for name, target in {"gl": ".git", "gc": ".git/config"}.items():
            (self.root / name).symlink_to(target)

    def guarded(self) -> dict[str, bytes]:
        """Everything that no edit may change."""
        found = {}
        for top in (self.out, self.home, *(self.root / name for name in (".git", "sub", "bare.x"))):
            for entry in entries(top):
                if entry.is_symlink():
                    found[entry.path] = os.fsencode(os.readlink(entry.path))  # noqa: PTH115 - as above
                elif entry.is_file():
                    with open(entry.path, "rb") as file:  # noqa: PTH123 - as above
                        found[entry.path] = file.read()
        for name in ("lnk", "lf", "gl", "gc"):
            found[name] = os.fsencode((self.root / name).readlink())
        return found

    def made(self) -> set[str]:
        """The names of what is in the workspace."""
        start = len(f"{self.root}/")
        return {entry.path[start:] for entry in entries(self.root)}

    def clear(self, made: set[str]) -> None:
        """Delete what is in the workspace but not in `made`."""
        for name in sorted(self.made() - made, reverse=True):
            path = self.root / name
            if path.is_dir() and not path.is_symlink():
                path.rmdir()
            else:
                path.unlink()


def entries(folder: Path | str) -> Iterator[os.DirEntry[str]]:
    """Everything below a folder. It is looked at thousands of times, for which `pathlib` is too slow."""
    with os.scandir(folder) as found:
        for entry in found:
            yield entry
            if entry.is_dir(follow_symlinks=False):
                yield from entries(entry.path)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setattr(os, "fsync", lambda _: None)
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return World(tmp_path / "ws", tmp_path / "out", tmp_path / "home")


def paths_of(example: Example) -> list[str]:
    """The paths that the edits of an example name."""
    edits = [one for one in parse_edits(example.answer, example.format) if isinstance(one, Edit)]
    return list(dict.fromkeys(path for edit in edits for path in (edit.path, edit.new_path) if path))


def respelt(example: Example, path: str, spelling: str) -> Iterator[str]:
    """The answer of an example with another spelling of one of its paths: as it is, as JSON, and quoted."""
    names = path.split("/")
    written = next(tail for start in range(len(names)) if (tail := "/".join(names[start:])) in example.answer)
    folder = path.removesuffix(written).rstrip("/")
    answer = example.answer
    if folder:
        # The command changes to the folder, which is a path as well.
        head, _, tail = spelling.rpartition("/")
        yield answer.replace(f"cd {folder} ", f"cd {shlex.quote(head)} ").replace(written, tail)
        answer = answer.replace(f"cd {folder} ", "cd . ")
    yield answer.replace(written, spelling)
    if (escaped := json.dumps(spelling)[1:-1]) != spelling:
        yield answer.replace(written, escaped)
    quoted = "".join(
        f"\\{byte:03o}" if byte < 32 or byte > 126 or byte in b'"\\' else chr(byte)
        for byte in spelling.encode("utf-8", "surrogatepass")
    )
    lines = [
        f'{start}"{rest.replace(written, quoted)}"' if sign and written in rest else line
        for line in answer.split("\n")
        for start, sign, rest in [_header(line)]
    ]
    if (in_quotes := "\n".join(lines)) != answer:
        yield in_quotes


def _header(line: str) -> tuple[str, bool, str]:
    """A line of a diff that names one file, before and after its keyword."""
    starts = ("--- ", "+++ ", "rename from ", "rename to ", "*** Update File: ", "*** Add File: ")
    start = next((one for one in starts if line.startswith(one)), "")
    return start, bool(start), line[len(start) :]


def apply(world: World, text: str, format_name: str) -> tuple[list[Status], bool]:
    """Apply an answer; return what became of its edits, and whether it was tried to write anything."""
    request = read_request(parse_edits(text, format_name), Workspace(roots=(world.root,)), base=world.root)
    plan = plan_request(request, atomic=Atomic.EDIT)
    if plan.changes:
        with suppress(FileError):
            write_changes(request, plan.changes)
    return [outcome.status for outcome in plan.outcomes], bool(plan.changes)


def examples_of(section: Section) -> list[Example]:
    """The examples of a section that ask for an edit."""
    files = sorted(path for prefix in section.examples for path in FOLDER.glob(f"{prefix}*.txt"))
    return [example for example in map(read_example, files) if paths_of(example)]


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.title)
def test_no_spelling_of_a_path_leads_out_or_into_a_repository(section: Section, world: World) -> None:
    read = 0
    named = [(example, path) for example in examples_of(section) for path in paths_of(example)]
    for number, (example, path) in enumerate(named):
        world.put(example.before.get(path, ""))
        # What merges shown code knows the language by the end of the name.
        for harmless in ("made/f", f"made/f{Path(path).suffix}"):
            if path in example.before:
                (world.root / harmless).parent.mkdir(exist_ok=True)
                (world.root / harmless).write_text(example.before[path], "utf-8")
            for text in respelt(example, path, harmless):
                read += Status.MATCHED in apply(world, text, example.format)[0]
        world.put(example.before.get(path, ""))
        guarded, made = world.guarded(), world.made()
        # Every spelling is tried in every format, but not in all of its examples.
        for spelling in share(hostile_spellings(world), number, len(named)):
            for text in respelt(example, path, spelling):
                _, is_written = apply(world, text, example.format)
                if not is_written:
                    continue
                assert world.guarded() == guarded, (example.name, path, spelling, text)
                now = world.made()
                new = {name for one in now - made for name in one.split("/")}
                assert not any(map(is_repository_name, new)), (example.name, spelling, new)
                world.clear(made)
                if made - now:
                    world.put(example.before.get(path, ""))
        # What was refused has left nothing behind either.
        assert world.guarded() == guarded, (example.name, path)
        assert world.made() == made, (example.name, path)
    assert read, "the sweep proves nothing where no example is applied to a harmless path"
