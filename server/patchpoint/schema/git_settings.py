"""Settings in git's configuration (`git config patchpoint.checkpoints.keep 100`); an editor's override them.

The command line and the server both read them, from the user's files and the repository's.
"""

from __future__ import annotations

import typing
from collections.abc import Sequence
from pathlib import Path

from patchpoint.schema.decode import JSON
from patchpoint.schema.settings import SECTION, SETTINGS, Setting, Settings, read_settings

_DISPLAY = {"codeLens.enable", "diagnostics.enable", "trace"}
"""Settings of what an editor displays, which git's configuration does not set."""

_TRUE = {"", "true", "yes", "on", "1"}
_FALSE = {"false", "no", "off", "0"}


def settings_of(folder: Path, given: JSON = None) -> tuple[Settings, list[str]]:
    """Return the settings for `folder`, and one sentence for each ignored value (see `read_settings`).

    `given` is what an editor's user chose; it overrides git's configuration, which overrides the defaults.
    """
    from patchpoint.checkpoints.errors import CheckpointError

    try:
        base, wrong = read_settings(typing.cast(JSON, git_settings(folder)))
    except CheckpointError as error:
        base, wrong = Settings(), [str(error)]
    settings, problems = read_settings(given, base)
    return settings, [*(f"In git's configuration: {sentence}" for sentence in wrong), *problems]


def git_settings(folder: Path) -> dict[str, JSON]:
    """Return the settings in git's configuration for `folder`, by name, as JSON.

    A value that is not of its setting's type is returned as text. Raises `UnsupportedRepositoryError` when
    the configuration cannot be read.
    """
    from patchpoint.git.repository import configuration_of

    rows = {row.name.lower(): row for row in SETTINGS if row.name not in _DISPLAY}
    found: dict[str, list[str]] = {}
    for file in configuration_of(folder):
        here: dict[str, list[str]] = {}
        for section in file.sections():
            if section[0].lower() == SECTION.encode():
                for name, value in file.items(section):
                    key = b".".join((*section[1:], name)).decode("utf-8", "replace").lower()
                    here.setdefault(key, []).append(value.decode("utf-8", "surrogateescape"))
        for key, values in here.items():
            found[key] = [*found.get(key, ()), *reversed(values)]
    return {rows[key].name: _json(rows[key], values) for key, values in found.items() if key in rows}


def _json(setting: Setting, values: Sequence[str]) -> JSON:
    """Return `values`, in order of precedence, as the JSON of a setting."""
    if typing.get_origin(setting.kind) is tuple:
        return list(reversed(values))
    text = values[0]
    if setting.kind is bool and text.lower() in _TRUE | _FALSE:
        return text.lower() in _TRUE
    if setting.kind in (int, float):
        try:
            return typing.cast(JSON, setting.kind(text))
        except ValueError:
            return text
    return text
