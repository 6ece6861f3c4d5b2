"""Create a ref of Patchpoint's own without a lock, so that a crash leaves none.

The ref is written under another name, outside of `refs/`, and gets its own by a link, which fails when that
name is taken. A lock would keep others from changing the ref meanwhile; this one does not exist yet, and
nobody else uses its name.
"""

from __future__ import annotations

import os
from contextlib import suppress

from dulwich.errors import RefFormatError
from dulwich.refs import DiskRefsContainer, Ref, check_ref_format

from patchpoint.filesystem.open_directory import OpenDirectory

_DIRECTORY = b"patchpoint"
_PREFIX = b"refs.creating."


def create_ref(refs: DiskRefsContainer, name: bytes, commit: str) -> bool:
    """Create the ref `name` at `commit`; return false when there is one of this name.

    The content is synchronised, the name is not. Raises `OSError`; it is a `FileNotFoundError` when git has
    just removed the directory because it was empty, or another process the file: then it can be tried again.
    """
    if not check_ref_format(Ref(name)):
        raise RefFormatError(name)
    place = os.fsencode(refs.refpath(Ref(name)))
    if os.path.lexists(place) or Ref(name) in refs.get_packed_refs():
        return False
    aside, above = os.path.join(refs.path, _DIRECTORY), os.path.dirname(place)
    os.makedirs(aside, exist_ok=True)
    os.makedirs(above, exist_ok=True)
    with OpenDirectory(aside) as own, OpenDirectory(above) as directory:
        file = own.create_temporary(_PREFIX, permissions=0o666)
        try:
            file.write(commit.encode("ascii") + b"\n")
            file.sync()
            file.keep()
            own.rename_new(file.name, os.path.basename(place), directory)
        except FileExistsError:
            return False
        finally:
            file.discard()
            with suppress(OSError):
                own.remove(file.name)
    return True


def remove_half_created(commondir: bytes) -> None:
    """Remove the files of refs that were never created, because the process died.

    A process that is just creating one starts again. Raises nothing.
    """
    above = os.path.join(commondir, _DIRECTORY)
    with suppress(OSError):
        for name in os.listdir(above):
            if name.startswith(_PREFIX):
                os.unlink(os.path.join(above, name))
