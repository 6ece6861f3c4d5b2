"""The server on standard input and output: the protocol's requests, translated by its own library.

The client's first request decides which revision of the protocol it is (see docs/decisions/mcp.md). Where a
question to the user has to be answered, a tool is run again from the start with the answer.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import anyio
import anyio.from_thread
import anyio.to_thread
import mcp_types as types
from mcp import MCPError
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.server.stdio import stdio_server

from patchpoint.dataclass import dataclass, field
from patchpoint.mcp.call import Call, Link, Reply, ToolError
from patchpoint.mcp.exchange import Context, Exchange, RootsAsked
from patchpoint.mcp.folders import folders_of_client, working_directory
from patchpoint.mcp.incoming import Incoming, Outgoing, standard_input
from patchpoint.mcp.json_schema import result_json
from patchpoint.mcp.opening import Opened
from patchpoint.mcp.plain_text import plain, plain_json
from patchpoint.mcp.questions import Asked
from patchpoint.mcp.tools.running import run_tool
from patchpoint.mcp.tools.table import HOOK_TOOL, Needs, Tool, tools_allowed, tools_listed
from patchpoint.mcp.work import Watched, in_thread
from patchpoint.progress import CancelledError
from patchpoint.schema.decode import InvalidArgumentError
from patchpoint.signals import end_by, obeyed
from patchpoint.version import __version__

INSTRUCTIONS = (
    "Patchpoint applies edits to files even when they misquote the text, and never in the wrong place: an "
    "edit without a certain place is refused, with feedback on what to send instead. A checkpoint is taken "
    "first."
)

_ROUNDS = 8
"""How often one call asks at most: the files may change while the user thinks."""
_ANSWER_S = 7 * 24 * 3600.0
"""Seconds for which a question may be answered in the newest revision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the person who starts the server decides."""

    folders: tuple[Path, ...] = ()
    """Where files may be touched; without any, where the client works, or else the working directory."""
    read_only: bool = False
    allow_restore: bool = False


def serve(options: Options, opened: Opened) -> None:
    """Serve one client until it closes standard input, or until a signal ends the process.

    Where a tool is writing, that is undone first, or done. `opened` is what was answered already.
    """
    # A thread that waits for input cannot be ended, but with the process.
    with obeyed(end_by):
        anyio.run(_serve, options, opened)


async def _serve(options: Options, opened: Opened) -> None:
    server = new_server(options)
    async with stdio_server(stdin=anyio.wrap_file(standard_input(opened))) as (incoming, outgoing):
        await server.run(
            Incoming(incoming), Outgoing(outgoing, opened), server.create_initialization_options()
        )


def new_server(options: Options) -> Server[Any]:
    """Return the library's server with our handlers."""
    handlers = _Handlers(options)
    server: Server[Any] = Server(
        "patchpoint",
        title="Patchpoint",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
    )
    server.add_notification_handler(
        "notifications/roots/list_changed", types.NotificationParams, handlers.roots_changed
    )
    security = RequestStateSecurity.ephemeral(ttl=_ANSWER_S)
    server.middleware.append(RequestStateBoundary(security, default_audience="patchpoint"))
    return server


@dataclass(slots=True)
class _Handlers:
    """The handlers of requests, and what is remembered between them."""

    options: Options
    client_folders: tuple[Path, ...] | None = None
    """The client's folders, until it says that they have changed."""
    writing: anyio.Lock = field(default_factory=anyio.Lock)
    """Held while a tool writes, so that calls made at the same time are done one after the other."""

    @property
    def tools(self) -> dict[str, Tool]:
        return tools_allowed(read_only=self.options.read_only, allow_restore=self.options.allow_restore)

    async def list_tools(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[described(tool) for tool in tools_listed(self.tools)])

    async def call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        tool = self.tools.get(params.name)
        if params.name == HOOK_TOOL.name and not self.options.read_only:
            tool = HOOK_TOOL
        if tool is None:
            known = ", ".join(self.tools)
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name}; the tools are {known}.")
        exchange = Exchange(context, params)
        try:
            arguments = tool.decoded(params.arguments or {})
            for _ in range(_ROUNDS):
                try:
                    return _result(await self._run(tool, arguments, exchange))
                except Asked as asked:
                    if exchange.is_stateless:
                        return exchange.ask_by_result(asked.question)
                    await exchange.ask(asked.question)
            raise ToolError(
                "The files kept changing while waiting for the user's answer; call again.", "files-changed"
            )
        except RootsAsked:
            return exchange.ask_roots_by_result()
        except InvalidArgumentError as error:
            return _failed(str(error), "invalid-arguments")
        except ToolError as error:
            return _failed(str(error), error.code)
        except CancelledError:
            return _failed("The request was cancelled.", "cancelled")
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            return _failed(f"{place}{error.strerror or error}.", "io-error")

    async def _run(self, tool: Tool, arguments: object, exchange: Exchange) -> Reply:
        watched = Watched(exchange.context)
        call = Call(
            roots=await self._roots(exchange),
            can_ask=exchange.can_ask,
            answers=exchange.answers,
            recovers=not self.options.read_only,
            may_restore=self.options.allow_restore and not self.options.read_only,
            progress=watched,
        )
        if tool.needs is Needs.NOTHING:
            return await in_thread(lambda: run_tool(tool, call, arguments), watched)
        async with self.writing:
            return await in_thread(lambda: run_tool(tool, call, arguments), watched)

    async def list_resources(
        self, context: Context, _: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        from patchpoint.mcp.tools.resources import resources

        call = await self._resource_call(context)
        found = await anyio.to_thread.run_sync(resources, call)
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=one.uri,
                    name=one.name,
                    description=plain(one.description),
                    mime_type="application/json",
                )
                for one in found
            ]
        )

    async def list_templates(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        from patchpoint.mcp.tools.resources import TEMPLATE

        template = types.ResourceTemplate(
            uri_template=TEMPLATE,
            name="file at a checkpoint",
            description="A file as it was at a checkpoint, by its path from the root of the repository.",
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        from patchpoint.mcp.tools.resources import content_of

        call = await self._resource_call(context)
        try:
            found = await anyio.to_thread.run_sync(content_of, call, str(params.uri))
        except ToolError as error:
            raise MCPError(types.INVALID_PARAMS, plain(str(error)), {"uri": str(params.uri)}) from None
        uri, mime_type = str(params.uri), found.mime_type
        content: types.TextResourceContents | types.BlobResourceContents
        if found.data is None:
            content = types.TextResourceContents(uri=uri, mime_type=mime_type, text=plain(found.text))
        else:
            blob = base64.b64encode(found.data).decode("ascii")
            content = types.BlobResourceContents(uri=uri, mime_type=mime_type, blob=blob)
        return types.ReadResourceResult(contents=[content])

    async def roots_changed(self, _: Context, __: types.NotificationParams | None) -> None:
        self.client_folders = None

    async def _resource_call(self, context: Context) -> Call:
        """Return what resources are read with. Raises `MCPError` where no folder is known."""
        try:
            roots = await self._roots(Exchange(context, None))
        except RootsAsked:
            # A list cannot ask for them; the tools have.
            roots = self.client_folders or ()
        except ToolError as error:
            raise MCPError(types.INVALID_REQUEST, str(error)) from None
        if not roots:
            raise MCPError(
                types.INVALID_REQUEST, "The client's folders are not known yet; call any tool first."
            )
        return Call(roots=roots, recovers=not self.options.read_only)

    async def _roots(self, exchange: Exchange) -> tuple[Path, ...]:
        """Return the folders whose files may be touched. Raises `ToolError`, and `RootsAsked` to ask."""
        if self.options.folders:
            return self.options.folders
        if not exchange.has_roots:
            return working_directory()
        if exchange.is_stateless:
            self.client_folders = folders_of_client(exchange.roots_answered())
        elif self.client_folders is None:
            self.client_folders = folders_of_client(await exchange.roots())
        return self.client_folders


def described(tool: Tool) -> types.Tool:
    """Return a tool as a client is shown it."""
    reads = tool.needs is Needs.NOTHING
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema(),
        output_schema=tool.output_schema(),
        _meta=tool.meta(),
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=reads,
            destructive_hint=tool.destructive,
            idempotent_hint=tool.idempotent,
            open_world_hint=False,
        ),
    )


def _result(reply: Reply) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(text=plain(reply.text)), *map(_linked, reply.links)],
        structured_content=plain_json(result_json(reply.data)) if reply.data is not None else None,
        is_error=reply.is_error,
    )


def _linked(link: Link) -> types.ResourceLink:
    return types.ResourceLink(
        uri=link.uri, name=link.name, description=plain(link.description), mime_type="application/json"
    )


def _failed(message: str, code: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=plain(f"{message} ({code})"))], is_error=True)
