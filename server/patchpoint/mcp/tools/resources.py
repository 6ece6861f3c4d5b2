"""Checkpoints and their files as resources."""

from __future__ import annotations

import json
from urllib.parse import unquote

from patchpoint.checkpoints.errors import CheckpointError
from patchpoint.dataclass import dataclass
from patchpoint.mcp.call import Call, Link, ToolError
from patchpoint.mcp.tools.checkpoints import SCHEME, all_checkpoints, below, link_to, store_of
from patchpoint.schema.checkpoints import checkpoint_data
from patchpoint.schema.decode import encode
from patchpoint.text.encoding import EncodingError, decode

LISTED = 50
"""How many checkpoints are listed, the newest."""

TEMPLATE = f"{SCHEME}{{id}}/{{+path}}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What a resource holds: its text, or the bytes of a file that is none."""

    mime_type: str
    text: str = ""
    data: bytes | None = None


def resources(call: Call) -> list[Link]:
    """Return the newest checkpoints; none where no checkpoints can be kept."""
    try:
        return [link_to(one) for one in all_checkpoints(call, limit=LISTED)]
    except CheckpointError:
        return []


def content_of(call: Call, uri: str) -> Content:
    """Return the facts of a checkpoint, or one of its files. Raises `ToolError` if there is none."""
    checkpoint, _, path = unquote(uri.removeprefix(SCHEME), errors="surrogateescape").partition("/")
    if not uri.startswith(SCHEME) or not checkpoint:
        raise ToolError(f"There is no resource {uri}; resources begin with {SCHEME}.", "no-resource")
    try:
        store, id_ = store_of(call, checkpoint)
        if not path:
            facts = encode(checkpoint_data(store.show(id_)))
            return Content(mime_type="application/json", text=json.dumps(facts, ensure_ascii=False, indent=2))
        data = store.read(id_, below(store, str(store.root / path)))
    except (CheckpointError, FileNotFoundError) as error:
        raise ToolError(str(error), "no-resource") from error
    try:
        return Content(mime_type="text/plain", text=decode(data).text)
    except EncodingError:
        return Content(mime_type="application/octet-stream", data=data)
