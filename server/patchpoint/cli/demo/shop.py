"""The project of the demo: a small shop in a repository of its own, below a folder that is deleted again."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from patchpoint.filesystem.state_home import OVERRIDE
from patchpoint.git.new_repository import make_repository

ANSWER = "answer.md"
CART = "shop/cart.py"
PRICES = "shop/prices.py"

# They end in .txt, so that no tool takes them for code of ours.
_SOURCES = {
    name: Path(__file__).with_name("shop") / f"{name.rpartition('/')[2]}.txt"
    for name in (ANSWER, CART, PRICES)
}


@contextmanager
def shop() -> Iterator[Path]:
    """Make the project, work in its folder with nothing of the user's, and delete it at the end.

    The state directory and git's configuration are the demo's own meanwhile, so that the user's are neither
    read nor changed. Raises `OSError` where no temporary folder can be made.
    """
    with tempfile.TemporaryDirectory(prefix="patchpoint-demo-", ignore_cleanup_errors=True) as made:
        above = Path(made).resolve()
        folder = above / "demo"
        for name, source in _SOURCES.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(source.read_bytes())
        make_repository(folder / ".git", bare=False)
        own = {
            OVERRIDE: str(above / "state"),
            "GIT_CONFIG_GLOBAL": str(above / "gitconfig"),
            "GIT_CONFIG_SYSTEM": str(above / "gitconfig"),
        }
        with _environment(own), _working_in(folder):
            yield folder


def contents(folder: Path) -> dict[str, bytes]:
    """Return the content of each file of the project, by its path relative to `folder`."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(folder).parts
    }


@contextmanager
def _environment(own: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in own}
    os.environ.update(own)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _working_in(folder: Path) -> Iterator[None]:
    before = folder.parent.parent
    with suppress(OSError):  # where it is deleted already, nothing is lost by another one
        before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
