"""What a remote may be, what is shown of it, and that nothing goes to any other host."""

from __future__ import annotations

import base64
import re
import shutil
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
from dulwich.repo import Repo
from dulwich.server import BackendRepo, DictBackend
from dulwich.web import make_wsgi_chain

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import TransferDeclinedError, TransferError, UnsupportedRepositoryError
from patchpoint.checkpoints.maintenance.transfer import Transfer
from tests.git.git_judge import WorkingTree

SECRET = "hunter2"


@dataclass
class Asked:
    """The requests that a server got."""

    url: str
    """Of the server, without a slash at its end."""
    requests: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    """Method, path, and headers by their name in lower case."""

    @property
    def text(self) -> str:
        return repr(self.requests)


@contextmanager
def answering(
    answer: Callable[[str, str], tuple[int, dict[str, str], bytes]], tls: Path | None = None
) -> Iterator[Asked]:
    """A server that gives what `answer` returns for a method and path: status, headers and body."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            asked.requests.append(
                (self.command, self.path, {name.lower(): value for name, value in self.headers.items()})
            )
            status, headers, content = answer(self.command, self.path)
            self.send_response(status)
            for name, value in {"Content-Length": str(len(content)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        scheme = "http"
        if tls is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(tls)
            server.socket = context.wrap_socket(server.socket, server_side=True)
            scheme = "https"
        asked = Asked(f"{scheme}://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield asked
        server.shutdown()
        thread.join()


@contextmanager
def serving(bare: WorkingTree) -> Iterator[Asked]:
    """A git server that has the bare repository at /repo.git."""

    class Quiet(WSGIRequestHandler):
        def log_message(self, *arguments: object) -> None:
            pass

    with Repo(str(bare.root)) as repo:
        application = make_wsgi_chain(DictBackend({"/repo.git": cast(BackendRepo, repo)}))

        def recorded(environ: dict[str, Any], start: Any) -> Any:
            headers = {
                name[5:].lower().replace("_", "-"): value
                for name, value in environ.items()
                if name.startswith("HTTP_")
            }
            asked.requests.append((environ["REQUEST_METHOD"], environ["PATH_INFO"], headers))
            # A server may have the repository in two places, and send those who ask at one to the other.
            if environ["PATH_INFO"].startswith("/old.git"):
                place = environ["PATH_INFO"].replace("old.git", "repo.git") + "?" + environ["QUERY_STRING"]
                start("302 Found", [("Location", place), ("Content-Length", "0")])
                return [b""]
            return application(environ, start)

        with make_server("127.0.0.1", 0, recorded, handler_class=Quiet) as server:
            asked = Asked(f"http://127.0.0.1:{server.server_port}")
            thread = threading.Thread(target=server.serve_forever, args=(0.01,))
            thread.start()
            yield asked
            server.shutdown()
            thread.join()


@pytest.fixture
def bare(tmp_path: Path) -> WorkingTree:
    root = tmp_path / "remote.git"
    root.mkdir()
    remote = WorkingTree(root)
    remote.git("init", "-q", "--bare")
    remote.git("config", "http.receivepack", "true")
    return remote


@pytest.fixture
def store(tree: WorkingTree) -> CheckpointStore:
    """A store with one checkpoint."""
    found = CheckpointStore.open(tree.root)
    found.take()
    return found


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The key and certificate of 127.0.0.1, in one file."""
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl to make a certificate")
    place = tmp_path_factory.mktemp("tls") / "server.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
         "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", place, "-out", place.with_suffix(".crt")],
        check=True,
        capture_output=True,
    )  # fmt: skip
    place.write_text(place.read_text() + place.with_suffix(".crt").read_text())
    return place


def with_password(url: str) -> str:
    return url.replace("://", f"://me:{SECRET}@")


def moves(store: CheckpointStore) -> tuple[Callable[[str], object], ...]:
    return (store.push, store.fetch)


# where credentials go


def test_a_password_in_a_url_goes_to_that_server(
    tree: WorkingTree, store: CheckpointStore, bare: WorkingTree
) -> None:
    with serving(bare) as server:
        assert len(store.push(with_password(f"{server.url}/repo.git"))) == 1
    given = "Basic " + base64.b64encode(f"me:{SECRET}".encode()).decode()
    assert {headers.get("authorization") for _, _, headers in server.requests} == {given}


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_another_server_is_not_followed(
    tree: WorkingTree, store: CheckpointStore, status: int
) -> None:
    with answering(lambda method, path: (404, {}, b"")) as other:
        redirect = lambda method, path: (status, {"Location": other.url + path}, b"")  # noqa: E731
        with answering(redirect) as server:
            tree.git("config", f"http.{server.url}/.extraHeader", f"X-Token: {SECRET}")
            tree.git("config", "--add", f"http.{server.url}/.extraHeader", f"Authorization: Bearer {SECRET}")
            for move in moves(CheckpointStore.open(tree.root)):
                with pytest.raises(TransferError) as caught:
                    move(with_password(f"{server.url}/repo.git"))
                assert other.url in str(caught.value)
                assert SECRET not in str(caught.value)
    assert SECRET in server.text
    assert other.requests == []


def test_a_redirect_from_https_to_http_is_not_followed(
    tree: WorkingTree, store: CheckpointStore, certificate: Path
) -> None:
    tree.git("config", "http.sslCAInfo", str(certificate.with_suffix(".crt")))
    with answering(lambda method, path: (404, {}, b"")) as plain:
        redirect = lambda method, path: (302, {"Location": plain.url + path}, b"")  # noqa: E731
        with answering(redirect, tls=certificate) as server:
            for move in moves(CheckpointStore.open(tree.root)):
                with pytest.raises(TransferError) as caught:
                    move(with_password(f"{server.url}/repo.git"))
                assert plain.url in str(caught.value)
    assert len(server.requests) == 2
    assert plain.requests == []


def test_a_redirect_on_the_same_server_is_followed(
    tree: WorkingTree, store: CheckpointStore, bare: WorkingTree
) -> None:
    with serving(bare) as server:
        assert len(store.push(with_password(f"{server.url}/old.git"))) == 1
    assert {path for method, path, _ in server.requests if method == "POST"} == {"/repo.git/git-receive-pack"}


def test_what_is_posted_is_never_redirected(tree: WorkingTree, store: CheckpointStore) -> None:
    def answer(method: str, path: str) -> tuple[int, dict[str, str], bytes]:
        if method == "POST":
            return 307, {"Location": "/elsewhere"}, b""
        refs = b"0" * 40 + b" capabilities^{}\0report-status\n"
        lines = b"001f# service=git-receive-pack\n0000" + b"%04x" % (len(refs) + 4) + refs + b"0000"
        return 200, {"Content-Type": "application/x-git-receive-pack-advertisement"}, lines

    with answering(answer) as server, pytest.raises(TransferError):
        store.push(f"{server.url}/repo.git")
    assert [(method, path) for method, path, _ in server.requests] == [
        ("GET", "/repo.git/info/refs?service=git-receive-pack"),
        ("POST", "/repo.git/git-receive-pack"),
    ]


def test_nothing_of_the_environment_is_sent(
    tree: WorkingTree,
    store: CheckpointStore,
    bare: WorkingTree,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / ".netrc").write_text(f"machine 127.0.0.1 login me password {SECRET}\n")
    (home / ".git-credentials").write_text(f"http://me:{SECRET}@127.0.0.1\n")
    monkeypatch.setenv("HOME", str(home))
    for name in (
        "GIT_TOKEN",
        "GIT_ASKPASS",
        "GIT_HTTP_USER_AGENT",
        "GIT_COMMITTER_EMAIL",
        "USER",
        "LANGUAGE",
    ):
        monkeypatch.setenv(name, SECRET)
    with serving(bare) as server:
        store.push(f"{server.url}/repo.git")
        store.delete(store.list()[0].id)
        assert len(store.fetch(f"{server.url}/repo.git")) == 1
    assert len(server.requests) >= 4
    assert SECRET not in server.text
    names = {name for _, _, headers in server.requests for name in headers}
    assert names <= {
        "host",
        "accept",
        "accept-encoding",
        "user-agent",
        "pragma",
        "git-protocol",
        "transfer-encoding",
    }


# which remotes there are


@pytest.mark.parametrize(
    ("address", "named"),
    [
        ("ext::sh -c 'touch ran'", "git-remote-ext"),
        ("fd::17", "git-remote-fd"),
        ("my-helper::anything", "git-remote-my-helper"),
        ("ssh://host/repo.git", "'ssh'"),
        ("git+ssh://host/repo.git", "'git+ssh'"),
        ("git://host/repo.git", "'git'"),
        ("ftp://host/repo.git", "'ftp'"),
        ("EXT://host/repo.git", "'ext'"),
        ("me@host:repo.git", "ssh"),
        ("host:repo.git", "ssh"),
        ("-oProxyCommand=touch ran:x", "ssh"),
    ],
)
@pytest.mark.parametrize("by_name", ["given", "configured", "rewritten"])
def test_an_address_that_needs_a_program_is_refused_by_name(
    tree: WorkingTree, store: CheckpointStore, address: str, named: str, by_name: str
) -> None:
    remote = {"given": address, "configured": "backup", "rewritten": "short:"}[by_name]
    if by_name == "configured":
        tree.git("config", "remote.backup.url", address)
    elif by_name == "rewritten":
        tree.git("config", f"url.{address}.insteadOf", "short:")
    store = CheckpointStore.open(tree.root)
    for move in moves(store):
        with pytest.raises(TransferError) as caught:
            move(remote)
        assert named in str(caught.value)
        assert "Patchpoint starts none" in str(caught.value)
    assert not (tree.root / "ran").exists()


def test_a_folder_of_another_user_is_refused(
    tree: WorkingTree, store: CheckpointStore, bare: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    import patchpoint.git.ownership as ownership

    monkeypatch.setattr(ownership, "_is_own", lambda path: path != bytes(bare.root.resolve()))
    for move in moves(store):
        with pytest.raises(UnsupportedRepositoryError, match=re.escape("safe.directory")):
            move(str(bare.root))
    assert bare.git("for-each-ref") == ""


def test_a_push_url_is_used_for_pushing_alone(
    tree: WorkingTree, store: CheckpointStore, bare: WorkingTree
) -> None:
    tree.git("config", "remote.backup.url", "nowhere")
    tree.git("config", "remote.backup.pushurl", bare.root.as_uri())
    store = CheckpointStore.open(tree.root)
    assert len(store.push("backup")) == 1
    with pytest.raises(TransferError):
        store.fetch("backup")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"0000",
        b"001f# service=git-receive-pack\n0000",
        b"\xff" * 2000,
        b"zzzz",
        b"0001",
        b"fff0" + b"a" * 100,
    ],
)
@pytest.mark.parametrize("kind", ["application/x-git-{}-advertisement", "text/plain", "application/x-git-x"])
def test_whatever_a_server_answers_is_a_failed_transfer(
    store: CheckpointStore, body: bytes, kind: str
) -> None:
    def answer(method: str, path: str) -> tuple[int, dict[str, str], bytes]:
        service = path.rpartition("=git-")[2]
        return 200, {"Content-Type": kind.format(service)}, body

    with answering(answer) as server:
        for move in moves(store):
            try:
                assert move(f"{server.url}/repo.git") == ()
            except TransferError as error:
                assert server.url in str(error)  # noqa: PT017


# what is asked and shown


def test_what_would_be_sent_is_shown_before_it_is(tree: WorkingTree, bare: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    tree.write({"new/one.txt": "x" * 5000, "new/two.txt": "two\n"})
    first = store.take(label="first", buffers={"a.txt": "unsaved"})
    second = store.take(label="second", buffers={"a.txt": "more", "new/one.txt": "y"})
    seen: list[Transfer] = []

    def refuse(transfer: Transfer) -> bool:
        seen.append(transfer)
        return False

    with serving(bare) as server:
        address = with_password(f"{server.url}/repo.git")
        with pytest.raises(TransferDeclinedError):
            store.push(address, confirm=refuse)
        assert not any(method == "POST" for method, _, _ in server.requests)
        assert bare.git("for-each-ref") == ""
        assert store.push(address, confirm=lambda transfer: True) == (second.id, first.id)
        assert store.push(address, confirm=refuse) == ()
    (asked,) = seen
    assert asked.checkpoints == (second.id, first.id)
    assert asked.labels == ("second", "first")
    assert asked.objects == int(bare.git("rev-list", "--objects", "--all", "--count"))
    assert 5000 < asked.size < 20_000
    assert (asked.untracked, asked.unsaved) == (2, 2)
    assert SECRET not in asked.remote.shown
    assert f"{server.url.replace('://', '://***@')}/repo.git" in asked.remote.shown
    assert "not encrypted" in asked.remote.cautions[0]


def test_what_would_be_fetched_is_shown_before_it_is(
    tree: WorkingTree, store: CheckpointStore, bare: WorkingTree
) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(serving(bare))
        (id_,) = store.push(f"{server.url}/repo.git")
        store.delete(id_)
        seen: list[Transfer] = []

        def refuse(transfer: Transfer) -> bool:
            seen.append(transfer)
            return False

        with pytest.raises(TransferDeclinedError):
            store.fetch(f"{server.url}/repo.git", confirm=refuse)
        assert store.list() == ()
        assert [transfer.checkpoints for transfer in seen] == [(id_,)]
        assert store.fetch(f"{server.url}/repo.git", confirm=lambda transfer: True) == (id_,)


def test_a_certificate_that_nobody_checks_is_mentioned(
    tree: WorkingTree, store: CheckpointStore, certificate: Path
) -> None:
    refs = f"{store.list()[0].commit}\trefs/patchpoint/checkpoints/{'0' * 14}\n".encode()
    seen: list[Transfer] = []

    def refuse(transfer: Transfer) -> bool:
        seen.append(transfer)
        return False

    for setting, said in (("false", ["sslVerify"]), ("true", [])):
        tree.git("config", "http.sslVerify", setting)
        tree.git("config", "http.sslCAInfo", str(certificate.with_suffix(".crt")))
        store = CheckpointStore.open(tree.root)
        refs_of = lambda method, path: (200, {"Content-Type": "text/plain"}, refs)  # noqa: E731
        with answering(refs_of, tls=certificate) as server, pytest.raises(TransferDeclinedError):
            store.fetch(f"{server.url}/repo.git", confirm=refuse)
        assert [
            word for word in ("sslVerify", "encrypted") if word in "".join(seen[-1].remote.cautions)
        ] == said
