"""A remote: what its name means, how it is shown, and a connection that talks to it and to nobody else.

Only folders and git servers over HTTP are reached. git starts a program for every other address: ssh, or
`git-remote-<transport>` (gitremote-helpers).
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from urllib.parse import ParseResult, unquote, urlparse

from dulwich.client import GitClient, HttpGitClient, LocalGitClient, default_urllib3_manager
from dulwich.config import Config, apply_instead_of
from urllib3 import BaseHTTPResponse, PoolManager, ProxyManager
from urllib3.connection import port_by_scheme
from urllib3.exceptions import HTTPError
from urllib3.util import parse_url

from patchpoint.checkpoints.errors import TransferError
from patchpoint.checkpoints.record.records import Records
from patchpoint.dataclass import dataclass
from patchpoint.git.ownership import require_trusted
from patchpoint.text.regex import regex
from patchpoint.wording import without_credentials

_HELPER = regex(r"([\w+.-]+)::")
_SCHEME = regex(r"([\w+.-]+)://")
_SSH = regex(r"[^/]+:")
"""An address of ssh without a scheme: a colon before the first slash (git-clone, "Git URLs")."""
_DRIVE = regex(r"[A-Za-z]:[\\/]")

_SILENCE_S = 120.0
"""Seconds for which a server may say nothing; while git packs objects it sends a sign every five."""


@dataclass(frozen=True, slots=True)
class Remote:
    """Where checkpoints are sent to, or fetched from. What is shown of it holds no user and no password."""

    name: str
    """What the user called it."""
    address: str
    """The URL or folder that this means."""
    cautions: tuple[str, ...] = ()
    """What a person should know before anything is sent, as sentences."""

    @property
    def shown(self) -> str:
        """Its name, and the address where that is another."""
        name, address = without_credentials(self.name), without_credentials(self.address)
        return f"'{name}'" if name == address else f"'{name}' ({address})"


def find_remote(records: Records, name: str, *, push: bool) -> Remote:
    """Return the remote that `name` means: a name in the configuration, a URL or a folder.

    Raises `TransferError` for one that cannot be used, and `UnsupportedRepositoryError` for a folder that
    belongs to another user.
    """
    config = records.repository.config
    address = apply_instead_of(config, _configured(config, name, push=push), push=push)
    if _DRIVE.match(address) or not (match := _SCHEME.match(address)):
        if not _DRIVE.match(address):
            _refuse_programs(name, address, push=push)
        return Remote(name, _folder(records, name, address))
    scheme = match[1].lower()
    try:
        parsed = urlparse(address)
        _ = parsed.port  # raises for a port that is no number
    except ValueError as error:
        raise _unusable(name, f"'{without_credentials(address)}' is not a URL") from error
    if scheme == "file":
        if parsed.netloc not in ("", "localhost"):
            raise _unusable(name, "a 'file' URL names a folder on this machine, without a host")
        return Remote(name, _folder(records, name, unquote(parsed.path)))
    if scheme not in ("http", "https"):
        raise _foreign(name, f"'{scheme}'", push=push)
    if not parsed.hostname:
        raise _unusable(name, f"'{without_credentials(address)}' has no host")
    return Remote(name, address, _cautions(config, parsed))


def connect(records: Records, remote: Remote) -> tuple[GitClient, str]:
    """Return a client for `remote`, and the path to ask it for. No connection is made yet."""
    if not _SCHEME.match(remote.address):
        return LocalGitClient(), remote.address
    parsed = urlparse(remote.address)
    config = records.repository.config
    pool = default_urllib3_manager(
        config,
        pool_manager_cls=_Direct,
        proxy_manager_cls=_Proxied,
        base_url=_bare(parsed),
        timeout=_SILENCE_S,
    )
    assert isinstance(pool, _Direct | _Proxied)
    pool.origin = _origin(remote.address)
    return HttpGitClient.from_parsedurl(parsed, config=config, pool_manager=pool), parsed.path


class _Direct(PoolManager):
    """A pool of connections to one origin.

    A server that redirects, or that names another place for its packs, cannot move what is sent (checkpoints,
    a password, the headers of `http.extraHeader`) to another host, to another port, or from https to http.
    """

    origin: tuple[str | None, str | None, int | None] | None = None

    def urlopen(self, method: str, url: str, redirect: bool = True, **kw: object) -> BaseHTTPResponse:  # type: ignore[override]
        """Send a request unless it is for another origin; follow a redirect only when nothing is posted."""
        _require_origin(url, self.origin)
        return super().urlopen(method, url, redirect=redirect and method == "GET", **kw)


class _Proxied(ProxyManager):
    """As `_Direct`, through a proxy."""

    origin: tuple[str | None, str | None, int | None] | None = None

    def urlopen(self, method: str, url: str, redirect: bool = True, **kw: object) -> BaseHTTPResponse:  # type: ignore[override]
        """As `_Direct.urlopen`."""
        _require_origin(url, self.origin)
        return super().urlopen(method, url, redirect=redirect and method == "GET", **kw)


def _require_origin(url: str, origin: tuple[str | None, str | None, int | None] | None) -> None:
    if _origin(url) != origin:
        raise HTTPError(
            f"it redirects to {without_credentials(url)}, which is another host, port or scheme; use that "
            "address if you trust it"
        )


def _origin(url: str) -> tuple[str | None, str | None, int | None]:
    parsed = parse_url(url)
    return parsed.scheme, parsed.host, parsed.port or port_by_scheme.get(parsed.scheme or "")


def _configured(config: Config, name: str, *, push: bool) -> str:
    for key in (b"pushurl", b"url") if push else (b"url",):
        try:
            return config.get((b"remote", os.fsencode(name)), key).decode("utf-8", "surrogateescape")
        except KeyError:
            continue
    return name


def _refuse_programs(name: str, address: str, *, push: bool) -> None:
    if helper := _HELPER.match(address):
        raise _unusable(
            name, f"'{helper[1]}::' starts the program 'git-remote-{helper[1]}', and Patchpoint starts none"
        )
    if _SSH.match(address) and not Path(address).is_dir():
        raise _foreign(name, "ssh", push=push)


def _folder(records: Records, name: str, address: str) -> str:
    folder = Path(os.fsdecode(records.repository.worktree)) / Path(address).expanduser()
    if not folder.is_dir():
        raise TransferError(
            f"No remote or folder '{without_credentials(name)}'; name a remote, a folder or a URL."
        )
    place = os.fsencode(folder.resolve())
    dot_git = os.path.join(place, b".git")
    gitdir = dot_git if os.path.lexists(dot_git) else place
    require_trusted(place, place, gitdir, gitdir)
    return str(folder)


def _cautions(config: Config, parsed: ParseResult) -> tuple[str, ...]:
    found = []
    if parsed.scheme == "http":
        found.append(
            "The connection is not encrypted: anyone on the network path can read and change the data."
        )
    elif not _verifies(config, parsed):
        found.append("`http.sslVerify` is off: the server's identity is not verified.")
    return tuple(found)


def _verifies(config: Config, parsed: ParseResult) -> bool:
    pool = default_urllib3_manager(config, base_url=_bare(parsed))
    return bool(pool.connection_pool_kw.get("cert_reqs") != "CERT_NONE")


def _bare(parsed: ParseResult) -> str:
    """Return the URL without user and password, as the sections of the configuration name it."""
    return parsed._replace(netloc=parsed.netloc.rpartition("@")[2]).geturl()


def _foreign(name: str, transport: str, *, push: bool) -> TransferError:
    command = f"git {'push' if push else 'fetch'} {shlex.quote(without_credentials(name))} "
    return _unusable(
        name,
        f"{transport} needs another program, and Patchpoint starts none; use plain git: "
        f"{command}'refs/patchpoint/checkpoints/*:refs/patchpoint/checkpoints/*'",
    )


def _unusable(name: str, problem: str) -> TransferError:
    return TransferError(f"'{without_credentials(name)}' cannot be used: {problem}.")
