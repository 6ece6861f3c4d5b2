"""Calls of Windows: whose a file is and who has it open, a file that takes its place, processes, long paths.

See docs/decisions/ctypes.md for why they go through ctypes. Handles and what the system allocates are given
back before each returns.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

_FILE_OBJECT = 1  # SE_FILE_OBJECT
_OWNER = 1  # OWNER_SECURITY_INFORMATION
_TOKEN_QUERY = 0x0008
_TOKEN_USER = 1
ADMINISTRATORS = "S-1-5-32-544"
"""The group to which Windows gives what an elevated process of its members creates."""

_SYNCHRONIZE = 0x100000
_WAIT_TIMEOUT = 0x102
_INVALID_PARAMETER = 87
"""What Windows answers for the id of a process that is not there."""

_TAKES_LONG_PATHS_FROM = 15063
"""The build of Windows 10 from which on a process may take long paths whatever the machine's setting says."""
_FLAGS_AT, _LONG_PATH_AWARE = 3, 0x80
"""IsLongPathAwareProcess: a bit of a byte of the process environment block, as Go's runtime sets it."""

_IGNORE_ERRORS = 0x2 | 0x4  # REPLACEFILE_IGNORE_MERGE_ERRORS, REPLACEFILE_IGNORE_ACL_ERRORS

_SESSION_KEY = 33  # CCH_RM_SESSION_KEY and the zero behind it
_MOST_USERS = 8
"""How many programs that have a file open are asked for: a person closes them one by one."""


class _User(ctypes.Structure):
    """RM_PROCESS_INFO: a program that uses a file, as the Restart Manager describes it."""

    _fields_ = (
        ("process_id", ctypes.c_uint32),
        ("started", ctypes.c_uint32 * 2),
        ("name", ctypes.c_uint16 * 256),
        ("service", ctypes.c_uint16 * 64),
        ("rest", ctypes.c_uint32 * 4),
    )

    def described(self) -> str:
        name = bytes(self.name).decode("utf-16-le", "replace").partition("\0")[0]
        return f"{name} (process {self.process_id})"


def is_own(path: str) -> bool:
    """Return whether a file belongs to this user, by the rule of Git for Windows; not where nobody can tell.

    What belongs to the administrators is theirs who act as one.
    """
    try:
        with _owner(path) as owner:
            name = _name_of(owner)
            return name == users_sid() or (name == ADMINISTRATORS and _acts_as(owner))
    except OSError:
        return False


def owner_name(path: str) -> str:
    """Return the security identifier of a file's owner, such as `S-1-5-21-…-1001`. Raises `OSError`."""
    with _owner(path) as owner:
        return _name_of(owner)


@lru_cache(maxsize=1)
def users_sid() -> str:
    """Return the security identifier of the user as whom this process runs. Raises `OSError`."""
    token = ctypes.c_void_p()
    kernel32, advapi32 = _library("kernel32"), _library("advapi32")
    process = ctypes.c_void_p(kernel32.GetCurrentProcess())
    _require(advapi32.OpenProcessToken(process, _TOKEN_QUERY, ctypes.byref(token)))
    try:
        length = ctypes.c_ulong()
        advapi32.GetTokenInformation(token, _TOKEN_USER, None, 0, ctypes.byref(length))
        said = ctypes.create_string_buffer(length.value)
        _require(advapi32.GetTokenInformation(token, _TOKEN_USER, said, length, ctypes.byref(length)))
        return _name_of(ctypes.c_void_p.from_buffer(said))
    finally:
        kernel32.CloseHandle(token)


def is_running(process_id: int) -> bool:
    """Return whether a process of that id is running."""
    kernel32 = _library("kernel32")
    handle = ctypes.c_void_p(kernel32.OpenProcess(_SYNCHRONIZE, False, process_id))
    if handle.value is None:
        # Any other error is about one that is there, and another user's.
        return _last_error() != _INVALID_PARAMETER
    try:
        return bool(kernel32.WaitForSingleObject(handle, 0) == _WAIT_TIMEOUT)
    finally:
        kernel32.CloseHandle(handle)


def users_of(path: str) -> tuple[str, ...]:
    """Return the programs that have a file open, such as `Excel (process 4711)`; none where nobody can tell.

    They come from the Restart Manager, which installers ask as well.
    """
    try:
        manager = _library("rstrtmgr")
        session, key = ctypes.c_ulong(), ctypes.create_unicode_buffer(_SESSION_KEY)
        if manager.RmStartSession(ctypes.byref(session), 0, key):
            return ()
    except (OSError, AttributeError):
        return ()
    try:
        files = (ctypes.c_wchar_p * 1)(path)
        if manager.RmRegisterResources(session, 1, files, 0, None, 0, None):
            return ()
        users, reasons = (_User * _MOST_USERS)(), ctypes.c_ulong()
        needed, count = ctypes.c_uint(), ctypes.c_uint(_MOST_USERS)
        if manager.RmGetList(
            session, ctypes.byref(needed), ctypes.byref(count), users, ctypes.byref(reasons)
        ):
            return ()
        return tuple(each.described() for each in users[: count.value])
    finally:
        manager.RmEndSession(session)


def replace_file(source: str, target: str) -> bool:
    """Return whether `source` took the place of the file `target`, which keeps what else it has.

    That is its access-control list, its other streams, its attributes and when it was created. If not, both
    are as they were, or `source` is still there to be renamed.
    """
    return bool(_library("kernel32").ReplaceFileW(target, source, None, _IGNORE_ERRORS, None, None))


@lru_cache(maxsize=1)
def takes_long_paths() -> bool:
    """Return whether this process takes paths of more than 259 characters, having it do so where it can.

    A program declares that it does, and the machine's `LongPathsEnabled` has to agree; the flag in which
    Windows keeps the outcome is one of the process.
    """
    if getattr(sys, "getwindowsversion")().build < _TAKES_LONG_PATHS_FROM:  # noqa: B009 - no other system has it
        return False
    block = _library("ntdll").RtlGetCurrentPeb()
    ctypes.c_ubyte.from_address(block + _FLAGS_AT).value |= _LONG_PATH_AWARE
    return True


@contextmanager
def _owner(path: str) -> Iterator[ctypes.c_void_p]:
    """Ask whose a file is; the answer holds while the block runs. Raises `OSError`."""
    owner, descriptor = ctypes.c_void_p(), ctypes.c_void_p()
    error = _library("advapi32").GetNamedSecurityInfoW(
        ctypes.c_wchar_p(path), _FILE_OBJECT, _OWNER, ctypes.byref(owner), None, None, None,
        ctypes.byref(descriptor),
    )  # fmt: skip
    if error or owner.value is None:
        raise OSError(error, "its owner is not known")
    try:
        yield owner
    finally:
        _library("kernel32").LocalFree(descriptor)


def _name_of(sid: ctypes.c_void_p) -> str:
    name = ctypes.c_wchar_p()
    _require(_library("advapi32").ConvertSidToStringSidW(sid, ctypes.byref(name)))
    try:
        return name.value or ""
    finally:
        _library("kernel32").LocalFree(name)


def _acts_as(sid: ctypes.c_void_p) -> bool:
    is_member = ctypes.c_int()
    _require(_library("advapi32").CheckTokenMembership(None, sid, ctypes.byref(is_member)))
    return bool(is_member.value)


@lru_cache(maxsize=4)
def _library(name: str) -> ctypes.CDLL:
    library: ctypes.CDLL = getattr(ctypes, "WinDLL")(name, use_last_error=True)  # noqa: B009 - no other system has it
    if name == "kernel32":
        library.OpenProcess.restype = library.GetCurrentProcess.restype = ctypes.c_void_p
        library.LocalFree.argtypes = (ctypes.c_void_p,)
        library.CloseHandle.argtypes = (ctypes.c_void_p,)
        text, nothing = ctypes.c_wchar_p, ctypes.c_void_p
        library.ReplaceFileW.argtypes = (text, text, text, ctypes.c_ulong, nothing, nothing)
    elif name == "ntdll":
        library.RtlGetCurrentPeb.restype = ctypes.c_void_p
    return library


def _last_error() -> int:
    return int(getattr(ctypes, "get_last_error")())  # noqa: B009 - no other system has it


def _require(done: int) -> None:
    if not done:
        raise OSError(_last_error(), "Windows refused")
