"""Which message of the client's goes to which feature."""

from __future__ import annotations

import logging

from lsprotocol import types

from patchpoint.lsp.session import Session


def new_session() -> Session:
    """A session with every feature, waiting for its client."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    session = Session()

    @session.feature(types.INITIALIZED)
    def initialized(_: types.InitializedParams) -> None:
        session.start(session.greet())

    @session.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def did_change_configuration(params: types.DidChangeConfigurationParams) -> None:
        session.take_settings(params.settings)

    return session
