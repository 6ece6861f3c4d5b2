"""One request of the client: what it can be asked, in which way, and what it has answered.

In the newest revision of the protocol a question is a result, and the client calls again with the answer; in
those before, it is a request of ours.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import mcp_types as types
from mcp import MCPError
from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from patchpoint.mcp.plain_text import plain
from patchpoint.mcp.questions import Answer, Question, Silence, answer_of

Context = ServerRequestContext[Any]


class RootsAsked(Exception):  # noqa: N818 - it is no error: the call is made again with the answer
    """Raised where the client has to be asked for its roots by a result."""


_ROOTS = "roots"


class Exchange:
    """One request, its client's capabilities, and what has been answered so far."""

    def __init__(self, context: Context, params: types.CallToolRequestParams | None) -> None:
        self.context = context
        self.is_stateless = context.protocol_version in MODERN_PROTOCOL_VERSIONS
        capabilities = context.session.client_capabilities
        forms = capabilities.elicitation if capabilities is not None else None
        self.can_ask = forms is not None and (forms.form is not None or forms.url is None)
        self.has_roots = capabilities is not None and capabilities.roots is not None
        state = _state_of(params.request_state) if params is not None else {}
        self._roots: list[str] | None = state.get(_ROOTS)
        self._answers: dict[str, Answer] = {
            key: Silence(answer) if isinstance(answer, str) else answer
            for key, answer in state.get("answers", {}).items()
        }
        for key, response in ((params.input_responses if params is not None else None) or {}).items():
            if isinstance(response, types.ListRootsResult):
                self._roots = [str(root.uri) for root in response.roots]
            elif isinstance(response, types.ElicitResult):
                self._answers[key] = answer_of(response.action, response.content)

    @property
    def answers(self) -> Mapping[str, Answer]:
        """What the user has answered."""
        return dict(self._answers)

    async def ask(self, question: Question) -> None:
        """Ask the user by a request of ours, and remember the answer; what is no answer counts as none."""
        try:
            answered = await self.context.session.elicit_form(
                plain(question.message), question.schema(), related_request_id=self.context.request_id
            )
        except (MCPError, ValidationError):
            self._answers[question.key] = Silence.NOT_ASKED
        else:
            self._answers[question.key] = answer_of(answered.action, answered.content)

    def ask_by_result(self, question: Question) -> types.InputRequiredResult:
        """Return the result by which the client asks its user."""
        form = types.ElicitRequestFormParams(
            message=plain(question.message), requested_schema=question.schema()
        )
        return self._required(question.key, types.ElicitRequest(params=form))

    def ask_roots_by_result(self) -> types.InputRequiredResult:
        """Return the result by which the client is asked for its roots."""
        return self._required(_ROOTS, types.ListRootsRequest())

    def roots_answered(self) -> Sequence[str]:
        """Return the URIs of the client's roots. Raises `RootsAsked` if it has not been asked."""
        if self._roots is None:
            raise RootsAsked
        return self._roots

    async def roots(self) -> Sequence[str]:
        """Ask the client for its roots by a request of ours; return their URIs."""
        answered = await self.context.session.send_request(types.ListRootsRequest(), types.ListRootsResult)
        return [str(root.uri) for root in answered.roots]

    def _required(self, key: str, request: types.InputRequest) -> types.InputRequiredResult:
        state = json.dumps({_ROOTS: self._roots, "answers": self._answers})
        return types.InputRequiredResult(input_requests={key: request}, request_state=state)


def _state_of(text: str | None) -> dict[str, Any]:
    """Return what we gave the client to keep; `RequestStateBoundary` proves that it is that."""
    state: dict[str, Any] = json.loads(text) if text else {}
    return state
