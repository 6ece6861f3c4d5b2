"""What is sent between a hook and who answers it: one message each way, as bytes.

A message is its length, four bytes with the highest first, and as much content. That of a request is a line
of JSON about the hook, and then the bytes that the agent sent; that of an answer is JSON. A decoder raises
`ValueError` for anything else.
"""

from __future__ import annotations

import json

HEADER_BYTES = 4
LARGEST_REQUEST = 4 << 20
"""Bytes of a request. An agent that sends more is about to write a large file: its hook takes the checkpoint
itself."""
LARGEST_ANSWER = 64 << 10

_LONGEST_CHALLENGE = 256

_VERSION = 1
"""Of the messages: a hook and a server of different versions of Patchpoint may meet."""


def framed(content: bytes) -> bytes:
    """Return a whole message."""
    return len(content).to_bytes(HEADER_BYTES, "big") + content


def content_length(header: bytes, largest: int) -> int:
    """Return the length that the first bytes of a message state. Raises `ValueError` beyond `largest`."""
    length = int.from_bytes(header[:HEADER_BYTES], "big")
    if not 0 < length <= largest:
        raise ValueError(f"a message of {length} bytes")
    return length


def encode_challenge(nonce: str) -> bytes:
    """Return the content of a request that who listens proves by `proof` that it has the token."""
    return json.dumps({"version": _VERSION, "prove": nonce}).encode("ascii")


def challenge_nonce(content: bytes) -> str | None:
    """Return the nonce in a request of `encode_challenge`, or `None` for any other."""
    if len(content) > _LONGEST_CHALLENGE:
        return None
    nonce = _object(content).get("prove") if b'"prove"' in content else None
    return nonce if isinstance(nonce, str) else None


def proof(token: str, nonce: str) -> bytes:
    """Return what only who has the token can answer to a challenge."""
    from _blake2 import blake2b

    return blake2b(nonce.encode("utf-8", "replace"), key=token.encode("utf-8", "replace")[:64]).digest()


def encode_request(token: str, agent: str | None, folder: str, wait: float, sent: bytes) -> bytes:
    """Return the content of a request.

    `folder` is where the hook runs, `wait` the seconds for which a lock may be waited for, `sent` what the
    agent sent.
    """
    about = {"version": _VERSION, "token": token, "agent": agent, "folder": folder, "wait": wait}
    return json.dumps(about).encode("ascii") + b"\n" + sent


def encode_leaving(token: str) -> bytes:
    """Return the content of a request that who listens leaves its place to who asks."""
    return json.dumps({"version": _VERSION, "token": token, "leave": True}).encode("ascii")


def leaving_token(content: bytes) -> str | None:
    """Return the token in a request of `encode_leaving`, or `None` for any other."""
    fields = _object(content.partition(b"\n")[0])
    token = fields.get("token")
    return token if fields.get("leave") is True and isinstance(token, str) else None


def decode_request(content: bytes) -> tuple[str, str | None, str, float, bytes]:
    """Return the arguments of `encode_request`."""
    line, _, sent = content.partition(b"\n")
    fields = _object(line)
    token, agent, folder, wait = (fields.get(name) for name in ("token", "agent", "folder", "wait"))
    if not (
        isinstance(token, str)
        and (agent is None or isinstance(agent, str))
        and isinstance(folder, str)
        and isinstance(wait, (int, float))
    ):
        raise ValueError("a request with fields of other types")
    return token, agent, folder, float(wait), sent


def encode_answer(prints: str, report: str) -> bytes:
    """Return the content of an answer: what the hook prints, and what it reports to a person, or nothing."""
    content = json.dumps({"version": _VERSION, "prints": prints, "report": report[:4096]}).encode("ascii")
    return content if len(content) <= LARGEST_ANSWER else REFUSED


REFUSED = json.dumps({"version": _VERSION, "refused": True}).encode("ascii")
"""The content of an answer to a request that is not answered: the hook is to take the checkpoint itself."""


def decode_answer(content: bytes) -> tuple[str, str] | None:
    """Return what to print and what to report, or `None` where the request was refused."""
    fields = _object(content)
    if fields.get("refused"):
        return None
    prints, report = fields.get("prints"), fields.get("report")
    if not isinstance(prints, str) or not isinstance(report, str):
        raise ValueError("an answer with fields of other types")
    return prints, report


def _object(text: bytes) -> dict[str, object]:
    try:
        found = json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(found, dict) or found.get("version") != _VERSION:
        raise ValueError("a message of another version")
    return found
