"""Which repository a folder belongs to, and where its parts lie.

    repository = Repository.open(folder)
    repository.worktree, repository.gitdir, repository.commondir    # real paths, bytes
    repository.objects, repository.refs, repository.config          # dulwich's, opened on first use
    repository.head()                                               # commit and branch that are checked out

A folder that is in no repository gets a private bare store in the user's state folder (`private` is true);
its `gitdir` and `commondir` are the store. No environment variable of git's that names a repository is
listened to.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from dulwich.config import ConfigFile, StackedConfig
from dulwich.object_format import SHA1, SHA256, ObjectFormat
from dulwich.object_store import DiskObjectStore
from dulwich.objects import ObjectID
from dulwich.refs import SYMREF, DiskRefsContainer, Ref

from patchpoint.checkpoints.errors import FolderRefusedError, UnsupportedRepositoryError
from patchpoint.checkpoints.git_config import config_file, users_config
from patchpoint.checkpoints.packs import Packs
from patchpoint.checkpoints.private_store import private_store

_KNOWN_EXTENSIONS = {
    b"noop",
    b"preciousobjects",
    b"partialclone",
    b"worktreeconfig",
    b"objectformat",
    b"relativeworktrees",
    b"refstorage",
}
_LONGEST_REF_CHAIN = 5


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
    """Whether there is no repository: checkpoints go to a private store, and there is no HEAD and no index.
    """
    prefix: bytes
    """The folder that was asked for, relative to the working tree; empty when it is its root."""
    config: StackedConfig = field(repr=False, compare=False)
    """The repository's configuration, the user's and the system's, the nearest first."""
    object_format: str = "sha1"
    """`sha1` or `sha256`."""

    @classmethod
    def open(cls, folder: str | bytes | os.PathLike[str]) -> Repository:
        """The repository that `folder` belongs to, or a private store for it.

        Raises `FolderRefusedError` when no checkpoints are kept of the folder (it is none, or a home
        folder, or git's own), and `UnsupportedRepositoryError` when the repository cannot be trusted to be
        understood.
        """
        asked = os.path.realpath(os.fsencode(folder))
        if not os.path.isdir(asked):
            raise FolderRefusedError(f"'{os.fsdecode(asked)}' is not a folder; name one that is there.")
        found = _find(asked)
        if found is None:
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
    def patchpoint_folder(self) -> Path:
        """Where what belongs to this working tree's checkpoints beside objects and refs is kept."""
        return Path(os.fsdecode(self.gitdir)) / "patchpoint"

    @property
    def id_length(self) -> int:
        """Bytes of an object's raw name."""
        return 32 if self.object_format == "sha256" else 20

    @cached_property
    def dulwich_format(self) -> ObjectFormat:
        """The object format as dulwich names it."""
        return SHA256 if self.object_format == "sha256" else SHA1

    @cached_property
    def objects(self) -> DiskObjectStore:
        """The object store, for reading; new objects are written through `ObjectWriter`."""
        path = os.fsdecode(os.path.join(self.commondir, b"objects"))
        return DiskObjectStore(path, object_format=self.dulwich_format)

    @cached_property
    def packs(self) -> Packs:
        """The packs of the object store, to find and read many objects in."""
        return Packs(os.path.join(self.commondir, b"objects"), self.id_length)

    @cached_property
    def refs(self) -> DiskRefsContainer:
        """The refs; no reflog is written."""
        return DiskRefsContainer(os.fsdecode(self.commondir), os.fsdecode(self.gitdir))

    def head(self) -> Head:
        """What is checked out now."""
        if self.private:
            return Head(None, None)
        name, value = b"HEAD", self.refs.read_ref(Ref(b"HEAD"))
        for _ in range(_LONGEST_REF_CHAIN):
            if value is None or not value.startswith(SYMREF):
                break
            name = value[len(SYMREF) :].strip()
            value = self.refs.read_ref(Ref(name))
        commit = None if value is None else value.decode("ascii")
        return Head(commit, None if name == b"HEAD" else os.fsdecode(name))

    def setting(self, section: bytes, name: bytes) -> bytes | None:
        """The value of a setting, or `None`."""
        try:
            return self.config.get((section,), name)
        except KeyError:
            return None

    def flag(self, section: bytes, name: bytes, default: bool) -> bool:
        """The value of a setting that is true or false."""
        try:
            return self.config.get_boolean((section,), name, default)
        except ValueError:
            return default

    def blob(self, oid: bytes) -> bytes | None:
        """The content of the object with the raw name `oid`, or `None` when it is not there."""
        try:
            return self.objects.get_raw(ObjectID(oid.hex().encode()))[1]
        except KeyError:
            return None


def git_folder_of(path: bytes) -> bytes | None:
    """What git calls `$GIT_DIR` of the folder `path` when it is the root of a repository, else `None`.

    Follows a `.git` file (submodules, linked working trees). A `.git` that is no repository counts as none.
    """
    dot_git = os.path.join(path, b".git")
    try:
        if os.path.isdir(dot_git):
            return dot_git if _is_git_folder(dot_git) else None
        with open(dot_git, "rb") as file:
            first = file.read(8192)
    except OSError:
        return None
    if not first.startswith(b"gitdir:"):
        return None
    target = os.path.normpath(os.path.join(path, first[7:].strip(b" \t\r\n")))
    return target if _is_git_folder(target) else None


def checked_out_commit(path: bytes) -> bytes | None:
    """The raw name of the commit that is checked out in the repository at `path`, or `None`."""
    gitdir = git_folder_of(path)
    if gitdir is None:
        return None
    refs = DiskRefsContainer(os.fsdecode(_common(gitdir)), os.fsdecode(gitdir))
    name = b"HEAD"
    for _ in range(_LONGEST_REF_CHAIN):
        value = refs.read_ref(Ref(name))
        if value is None:
            return None
        if not value.startswith(SYMREF):
            try:
                return bytes.fromhex(value.decode("ascii"))
            except ValueError:
                return None
        name = value[len(SYMREF) :].strip()
    return None


def _opened(cls: type[Repository], asked: bytes, root: bytes, gitdir: bytes) -> Repository:
    commondir = _common(gitdir)
    linked = commondir != gitdir
    local = config_file(os.path.join(commondir, b"config"), gitdir)
    object_format = _checked_format(local, root)
    backends = [local]
    if local.get_boolean((b"extensions",), b"worktreeconfig", False):
        backends.insert(0, config_file(os.path.join(gitdir, b"config.worktree"), gitdir))
    config = StackedConfig([*backends, *users_config(gitdir)])
    if not linked:
        root = _worktree_of(config, root, gitdir)
    _refuse_homes(
        root, "Checkpoints of all that is in it would be taken; open a repository inside it instead."
    )
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


def _find(folder: bytes) -> tuple[bytes, bytes] | None:
    """Root and git folder of the repository at or above `folder`, on the same file system."""
    device = os.stat(folder).st_dev
    at = folder
    while True:
        gitdir = git_folder_of(at)
        if gitdir is not None:
            return at, os.path.realpath(gitdir)
        if _is_git_folder(at):
            raise FolderRefusedError(
                f"'{os.fsdecode(folder)}' is git's own folder or a bare repository: there is no working tree "
                "to take a checkpoint of. Open a working tree instead."
            )
        above = os.path.dirname(at)
        if above == at or os.stat(above).st_dev != device:
            return None
        at = above


def _is_git_folder(path: bytes) -> bool:
    if not os.path.lexists(os.path.join(path, b"HEAD")):
        return False
    common = _common(path)
    return os.path.isdir(os.path.join(common, b"objects")) and os.path.isdir(os.path.join(common, b"refs"))


def _common(gitdir: bytes) -> bytes:
    try:
        with open(os.path.join(gitdir, b"commondir"), "rb") as file:
            return os.path.realpath(os.path.join(gitdir, file.read().rstrip(b"\r\n")))
    except OSError:
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
            "not known; no checkpoints are kept of it."
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
            "which is not known; no checkpoints are kept of it."
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
            f"'{object_format.decode('ascii', 'replace')}', which is not known; no checkpoints are kept of "
            "it."
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
    if folder in {os.path.join(home, each) for each in (b"Desktop", b"Documents", b"Downloads")}:
        raise FolderRefusedError(
            f"No checkpoints are kept of '{name}', where files of all kinds gather. {advice}"
        )
