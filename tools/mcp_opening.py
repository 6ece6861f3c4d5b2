"""What `patchpoint mcp` answers before its library is loaded; `make docs` writes it from the library."""

from __future__ import annotations

import json
from typing import Any

from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from patchpoint.mcp.opening import DATA
from patchpoint.mcp.server import Options, described, new_server
from patchpoint.mcp.tools.table import TOOLS, tools_allowed, tools_listed


def opening() -> dict[str, Any]:
    """Return the versions and the answer to `initialize`, and the tools by how the server is started."""
    options = new_server(Options()).create_initialization_options()
    capabilities = _dumped(options.capabilities)
    capabilities.pop("extensions", None)  # those with a handshake have none
    return {
        "versions": list(HANDSHAKE_PROTOCOL_VERSIONS),
        "initialize": {
            "capabilities": capabilities,
            "instructions": options.instructions,
            "serverInfo": {"name": options.server_name, "title": options.title},
        },
        "listed": {
            name: [tool.name for tool in tools_listed(tools_allowed(read_only=reads, allow_restore=restores))]
            for name, reads, restores in (
                ("default", False, False),
                ("read-only", True, False),
                ("allow-restore", False, True),
            )
        },
        "tools": {tool.name: _dumped(described(tool)) for tool in TOOLS},
    }


def _dumped(model: Any) -> dict[str, Any]:  # noqa: ANN401 - a type of the library
    dumped: dict[str, Any] = model.model_dump(mode="json", by_alias=True, exclude_none=True)
    return dumped


def main() -> None:
    """Write the file."""
    DATA.write_text(json.dumps(opening(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
