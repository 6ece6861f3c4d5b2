"""The repository that a folder belongs to, and the places of its parts.

    repository = Repository.open(folder)
    repository.worktree, repository.gitdir, repository.commondir    # real paths, bytes
    repository.objects, repository.refs, repository.config          # dulwich's, opened on first use
    repository.head()                                               # commit and branch that are checked out

A folder that is in no repository gets a private bare store in the user's state directory (`private` is
true); its `gitdir` and `commondir` are the store. The environment variables of git that name a repository are
ignored.
See docs/decisions/small-parts.md.
"""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from dulwich.config import ConfigFile, StackedConfig
from dulwich.object_format import SHA1, SHA256, ObjectFormat

from patchpoint.dataclass import dataclass, field
from patchpoint.filesystem.exhausted import in_words, raise_if_exhausted
from patchpoint.filesystem.lock import WAIT
from patchpoint.filesystem.open_to_read import open_to_read, read_file_bytes
from patchpoint.git.config import config_file, users_config
from patchpoint.git.errors import BrokenRepositoryError, FolderRefusedError, UnsupportedRepositoryError
from patchpoint.git.odb.ids import RawObjectID, to_binary, to_hexadecimal
from patchpoint.git.odb.packs import Packs
from patchpoint.git.odb.unreadable import unreadable
from patchpoint.git.ownership import require_trusted
from patchpoint.git.refs import Refs, followed

if TYPE_CHECKING:
    from patchpoint.git.odb.disk_store import DiskStore

_KNOWN_EXTENSIONS = {
    b"noop",
    b"preciousobjects",
    b"partialclone",
    b"worktreeconfig",
    b"objectformat",
    b"relativeworktrees",
    b"refstorage",
}


_KERNEL = (b"/proc/", b"/sys/", b"/dev/")
"""Where Linux shows itself as files: reading them may never end, and writing them does something."""


@dataclass(frozen=True, slots=True)
class Head:
    """What is checked out."""

    commit: str | None
    """`None` on an unborn branch, and where there is no repository."""
    branch: str | None
    """Full name, such as `refs/heads/main`; `None` when HEAD is detached or there is no repository."""


@dataclass(frozen=True)
class Repository:
    """A working tree and the repository that its checkpoints are kept in."""

    worktree: bytes
    """Real path of the working tree's root."""
    gitdir: bytes
    """What git calls `$GIT_DIR`: this working tree's own part of the repository."""
    commondir: bytes
    """What all working trees of the repository share: objects, most refs, config."""
    worktree_name: bytes | None
    """The name of a linked working tree; `None` for the main one."""
    private: bool
    """Whether there is no repository: checkpoints are kept in a private store, without HEAD and index."""
    prefix: bytes
    """The folder that was asked for, relative to the working tree; empty when it is its root."""
    config: StackedConfig = field(repr=False, compare=False)
    """The repository's configuration, the user's and the system's, the nearest first."""
    object_format: str = "sha1"
    """`sha1` or `sha256`."""
    patience: float = field(default=WAIT, compare=False)
    """Seconds for which a lock that another program has is waited for."""

    @classmethod
    def open(cls, folder: str | bytes | os.PathLike[str]) -> Repository:
        """Return the repository that `folder` belongs to, or a private store for it.

        Raises `FolderRefusedError` when no checkpoints are kept of the folder (it is not a directory, or a
        home directory, or git's own), and `UnsupportedRepositoryError` when the repository's format is not
        supported, when it is another user's and `safe.directory` does not list it, or
        (`BrokenRepositoryError`) when a `.git` is there and is no repository.
        """
        asked = os.path.realpath(os.fsencode(folder))
        if not os.path.isdir(asked):
            raise FolderRefusedError(f"'{os.fsdecode(asked)}' is not a folder; name an existing one.")
        try:
            found = _find(asked)
        except OSError as error:
            raise UnsupportedRepositoryError(
                f"'{os.fsdecode(asked)}' cannot be looked at: {in_words(error)}."
            ) from error
        if found is None:
            from patchpoint.git.new_repository import private_store

            _refuse_homes(asked, "Open a project folder inside it instead.")
            store = private_store(asked)
            return cls(
                worktree=asked,
                gitdir=store,
                commondir=store,
                worktree_name=None,
                private=True,
                prefix=b"",
                config=StackedConfig([config_file(os.path.join(store, b"config"))]),
            )
        root, gitdir = found
        return _opened(cls, asked, root, gitdir)

    @property
    def patchpoint_directory(self) -> Path:
        """The directory of what this working tree's checkpoints need besides objects and refs."""
        return Path(os.fsdecode(self.gitdir)) / "patchpoint"

    @property
    def id_length(self) -> int:
        """Length of a binary object id."""
        return 32 if self.object_format == "sha256" else 20

    @cached_property
    def dulwich_format(self) -> ObjectFormat:
        """The object format, as dulwich's type."""
        return SHA256 if self.object_format == "sha256" else SHA1

    @cached_property
    def objects(self) -> DiskStore:
        """The object store, for reading; new objects are written through `ObjectWriter`."""
        from patchpoint.git.odb.disk_store import DiskStore

        path = os.fsdecode(os.path.join(self.commondir, b"objects"))
        return DiskStore(path, object_format=self.dulwich_format)

    def close(self) -> None:
        """Close the packs that dulwich has opened, if it was asked to: else it complains in the end."""
        if "objects" in vars(self):
            self.objects.close()

    @cached_property
    def packs(self) -> Packs:
        """The packs of the object store, for finding and reading many objects."""
        return Packs(os.path.join(self.commondir, b"objects"), self.id_length)

    @cached_property
    def refs(self) -> Refs:
        """The refs; no reflog is written."""
        return Refs(self.commondir, self.gitdir, 2 * self.id_length, self.patience)

    def head(self) -> Head:
        """Return what is checked out now: neither commit nor branch when HEAD or its branch is damaged."""
        if self.private:
            return Head(None, None)
        name, commit = followed(self.refs, b"HEAD")
        return Head(commit, None if name in (None, b"HEAD") else os.fsdecode(name))

    def setting(self, section: bytes, name: bytes) -> bytes | None:
        """Return the value of a setting, or `None`."""
        try:
            return self.config.get((section,), name)
        except KeyError:
            return None

    def flag(self, section: bytes, name: bytes, default: bool) -> bool:
        """Return the value of a setting that is true or false; `default` if it is not set or neither."""
        try:
            return self.config.get_boolean((section,), name, default)
        except ValueError:
            return default

    def blob(self, oid: RawObjectID) -> bytes | None:
        """Return the content of the object `oid`, or `None` if it is missing or damaged."""
        try:
            return self.objects.get_raw(to_hexadecimal(oid))[1]
        except KeyError:
            return None
        except unreadable():
            return None


def configuration_of(folder: str | os.PathLike[str]) -> tuple[list[ConfigFile], list[ConfigFile]]:
    """Return the configuration files that git reads in `folder`: the repository's, the user's and system's.

    The nearest are first. There are none of a repository that is not trusted. Raises
    `UnsupportedRepositoryError` when one cannot be read.
    """
    try:
        found = _find(os.path.realpath(os.fsencode(folder)))
    except (FolderRefusedError, UnsupportedRepositoryError, OSError):
        found = None
    if found is None:
        return [], users_config(b"")
    _, gitdir = found
    return _local_config(gitdir), users_config(gitdir)


def git_directory_of(path: bytes) -> bytes | None:
    """Return the git directory (`$GIT_DIR`) of the repository whose root is `path`, or `None`.

    Follows a `.git` file (submodules, linked working trees). A `.git` that is not a repository is ignored.
    """
    dot_git = os.path.join(path, b".git")
    try:
        if os.path.isdir(dot_git):
            return dot_git if _is_git_directory(dot_git) else None
        with open_to_read(dot_git) as file:
            first = file.read(8192)
    except OSError as error:
        raise_if_exhausted(error)
        return None
    if not first.startswith(b"gitdir:"):
        return None
    target = os.path.normpath(os.path.join(path, first[7:].strip(b" \t\r\n")))
    return target if _is_git_directory(target) else None


def checked_out_commit(path: bytes) -> RawObjectID | None:
    """Return the commit that is checked out in the repository at `path`, or `None`."""
    gitdir = git_directory_of(path)
    if gitdir is None:
        return None
    commit = followed(Refs(_common(gitdir), gitdir), b"HEAD")[1]
    return None if commit is None else to_binary(commit)


def _opened(cls: type[Repository], asked: bytes, root: bytes, gitdir: bytes) -> Repository:
    commondir = _common(gitdir)
    linked = commondir != gitdir
    local = _local_config(gitdir)
    object_format = _checked_format(local[-1], root)
    config = StackedConfig([*local, *users_config(gitdir)])
    if not linked:
        root = _worktree_of(config, root, gitdir)
    _refuse_homes(root, "Checkpoints would record everything in it; open a repository inside it instead.")
    if asked != root and not asked.startswith(os.path.join(root, b"")):
        raise FolderRefusedError(
            f"'{os.fsdecode(asked)}' is not in the working tree of its repository, which is at "
            f"'{os.fsdecode(root)}' (core.worktree); open that folder instead."
        )
    return cls(
        worktree=root,
        gitdir=gitdir,
        commondir=commondir,
        worktree_name=os.path.basename(gitdir) if linked else None,
        private=False,
        prefix=b"" if asked == root else os.path.relpath(asked, root).replace(os.fsencode(os.sep), b"/"),
        config=config,
        object_format=object_format,
    )


def _local_config(gitdir: bytes) -> list[ConfigFile]:
    """Return a repository's own configuration files, that of a linked working tree before the shared one."""
    shared = config_file(os.path.join(_common(gitdir), b"config"), gitdir)
    if not shared.get_boolean((b"extensions",), b"worktreeconfig", False):
        return [shared]
    return [config_file(os.path.join(gitdir, b"config.worktree"), gitdir), shared]


def _find(folder: bytes) -> tuple[bytes, bytes] | None:
    """Return root and git directory of the repository at or above `folder`, on the same file system.

    Of a repository that is not trusted no file is read but those that make it a repository: raises
    `UnsupportedRepositoryError` for it.
    """
    device = os.stat(folder).st_dev
    at = folder
    while True:
        gitdir = git_directory_of(at)
        if gitdir is not None:
            dot_git = os.path.join(at, b".git")
            require_trusted(folder, at, dot_git, gitdir if gitdir == dot_git else os.path.realpath(gitdir))
            return at, os.path.realpath(gitdir)
        if _is_git_directory(at):
            raise FolderRefusedError(
                f"'{os.fsdecode(folder)}' is git's own folder or a bare repository: there is no working tree "
                "to take a checkpoint of. Open a working tree instead."
            )
        _refuse_broken(at)
        above = os.path.dirname(at)
        if above == at or os.stat(above).st_dev != device:
            return None
        at = above


def _refuse_broken(folder: bytes) -> None:
    """Raise `BrokenRepositoryError` for a `.git` that was one: a private store in its stead would go on as if
    there had never been a repository. What lies in a home folder, or above, is not asked."""
    dot_git = os.path.join(folder, b".git")
    home = os.path.realpath(os.path.expanduser(b"~"))
    if os.path.lexists(dot_git) and not os.path.join(home, b"").startswith(os.path.join(folder, b"")):
        from patchpoint.git import dot_git as judged

        if judged.is_broken(dot_git):
            place = os.fsdecode(dot_git)
            raise BrokenRepositoryError(place, judged.fault_of(Path(place)))


def _is_git_directory(path: bytes) -> bool:
    if not os.path.lexists(os.path.join(path, b"HEAD")):
        return False
    common = _common(path)
    return os.path.isdir(os.path.join(common, b"objects")) and os.path.isdir(os.path.join(common, b"refs"))


def _common(gitdir: bytes) -> bytes:
    try:
        common = read_file_bytes(os.path.join(gitdir, b"commondir"))
        return os.path.realpath(os.path.join(gitdir, common.rstrip(b"\r\n")))
    except OSError as error:
        raise_if_exhausted(error)
        return gitdir


def _checked_format(local: ConfigFile, root: bytes) -> str:
    where = os.fsdecode(root)

    def value(section: bytes, name: bytes) -> bytes | None:
        try:
            return local.get((section,), name)
        except KeyError:
            return None

    version = value(b"core", b"repositoryformatversion") or b"0"
    if version not in (b"0", b"1"):
        raise UnsupportedRepositoryError(
            f"The repository at '{where}' has format version {version.decode('ascii', 'replace')}, which is "
            "not supported; no checkpoints are kept of it."
        )
    if version == b"0":
        return "sha1"
    try:
        extensions = [name.lower() for name, _ in local.items((b"extensions",))]
    except KeyError:
        extensions = []
    unknown = sorted(set(extensions) - _KNOWN_EXTENSIONS)
    if unknown:
        raise UnsupportedRepositoryError(
            f"The repository at '{where}' uses the extension '{unknown[0].decode('ascii', 'replace')}', "
            "which is not supported; no checkpoints are kept of it."
        )
    if (value(b"extensions", b"refstorage") or b"files").lower() != b"files":
        raise UnsupportedRepositoryError(
            f"The repository at '{where}' keeps its refs in a reftable, which is not supported; "
            "'git refs migrate --ref-format=files' changes that."
        )
    object_format = (value(b"extensions", b"objectformat") or b"sha1").lower()
    if object_format not in (b"sha1", b"sha256"):
        raise UnsupportedRepositoryError(
            f"The repository at '{where}' has the object format "
            f"'{object_format.decode('ascii', 'replace')}', which is not supported; no checkpoints are kept "
            "of it."
        )
    return object_format.decode("ascii")


def _worktree_of(config: StackedConfig, root: bytes, gitdir: bytes) -> bytes:
    try:
        return os.path.realpath(os.path.join(gitdir, config.get((b"core",), b"worktree")))
    except KeyError:
        pass
    if config.get_boolean((b"core",), b"bare", False):
        raise FolderRefusedError(
            f"The repository at '{os.fsdecode(root)}' is bare (core.bare): there is no working tree to "
            "take a checkpoint of. Open a linked working tree instead."
        )
    return root


def _refuse_homes(folder: bytes, advice: str) -> None:
    home = os.path.realpath(os.path.expanduser(b"~"))
    name = os.fsdecode(folder)
    if os.path.dirname(folder) == folder:
        raise FolderRefusedError(f"No checkpoints are kept of '{name}', a file system's root. {advice}")
    if folder == home or home.startswith(os.path.join(folder, b"")):
        raise FolderRefusedError(f"No checkpoints are kept of '{name}': your home is there. {advice}")
    of_kernel = next((each for each in _KERNEL if os.path.join(folder, b"").startswith(each)), None)
    if of_kernel is not None and not folder.startswith(b"/dev/shm"):
        raise FolderRefusedError(
            f"No checkpoints are kept of '{name}': '{os.fsdecode(of_kernel)}' holds no files of yours."
        )
    if folder in {os.path.join(home, each) for each in (b"Desktop", b"Documents", b"Downloads")}:
        raise FolderRefusedError(
            f"No checkpoints are kept of '{name}', where files of all kinds gather. {advice}"
        )
