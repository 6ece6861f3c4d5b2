"""Settings in git's configuration (`git config patchpoint.checkpoints.keep 100`); an editor's override them.

The command line and the server both read them, from the user's files and the repository's. A repository may
have been packed by a stranger: by its files, edits can only be applied with more care than the user asks for.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from patchpoint.checkpoints.errors import CheckpointError
from patchpoint.checkpoints.options import StoreOptions
from patchpoint.dataclass import replace

if typing.TYPE_CHECKING:
    from patchpoint.schema.decode import JSON
    from patchpoint.schema.settings import Setting, Settings

_SECTION = "patchpoint"
_DISPLAY = {"review.diagnostics", "codeLens.enable", "diagnostics.enable", "trace"}
"""Settings of what an editor displays, which git's configuration does not set."""

_CONFIRMING = ("never", "similarity", "always").index
_IS_AS_CAREFUL: Mapping[str, Callable[[Settings, Settings], bool]] = {
    "match.minSimilarity": lambda new, old: new.min_similarity >= old.min_similarity,
    "match.minMargin": lambda new, old: new.min_margin >= old.min_margin,
    "match.rungs": lambda new, old: set(new.rungs) <= set(old.rungs),
    "apply.confirm": lambda new, old: _CONFIRMING(new.confirm.value) >= _CONFIRMING(old.confirm.value),
    "apply.confirmFiles": lambda new, old: set(new.confirm_files) >= set(old.confirm_files),
    "checkpoints.beforeApply": lambda new, old: new.checkpoint_before_apply >= old.checkpoint_before_apply,
    "checkpoints.include": lambda new, old: set(new.include) <= set(old.include),
    "checkpoints.mirror": lambda new, old: new.mirror >= old.mirror,
    "checkpoints.mirrorMiB": lambda new, old: new.mirror_mib >= old.mirror_mib,
}
"""Whether the first settings protect files as well as the second do, by the setting that is compared."""

_TRUE = {"", "true", "yes", "on", "1"}
_FALSE = {"false", "no", "off", "0"}


def settings_of(folder: Path, given: JSON = None) -> tuple[Settings, list[str]]:
    """Return the settings for `folder`, and one sentence for each ignored value (see `read_settings`).

    `given` is what an editor's user chose; it overrides git's configuration, which overrides the defaults.
    """
    from patchpoint.schema.settings import Settings, read_settings

    try:
        base, wrong = _git_settings(folder)
    except CheckpointError as error:
        base, wrong = Settings(), [str(error)]
    settings, problems = read_settings(given, base)
    return settings, [*(f"In git's configuration: {sentence}" for sentence in wrong), *problems]


def store_options_of(folder: Path) -> tuple[StoreOptions, list[str]]:
    """Return the options of the checkpoints of `folder`, and one sentence for each ignored value.

    Where git's configuration sets nothing, no table of settings is loaded, for which a hook would wait.
    """
    try:
        if not any(_configured(folder)):
            return StoreOptions(), []
    except CheckpointError:
        pass  # as what else is wrong, it is said with the settings
    settings, problems = settings_of(folder)
    return settings.store_options, problems


def _configured(folder: Path) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return the values in all of git's configuration, and those that are the user's own.

    Raises `UnsupportedRepositoryError` when the configuration cannot be read.
    """
    from patchpoint.git.config import values_below
    from patchpoint.git.repository import configuration_of

    repositorys, users = configuration_of(folder)
    return values_below(_SECTION, [*repositorys, *users]), values_below(_SECTION, users)


def _git_settings(folder: Path) -> tuple[Settings, list[str]]:
    """Return the settings in git's configuration, and one sentence for each value that is ignored.

    Raises what `_configured` raises.
    """
    from patchpoint.schema.settings import Settings, read_settings, table_of_settings

    values, users = _configured(folder)
    if not values:
        return Settings(), []  # as nearly everywhere
    base, wrong = read_settings(_json_of(users))
    both, problems = read_settings(_json_of(values), base)
    wrong += [problem for problem in problems if problem not in wrong]
    for row in table_of_settings():
        is_as_careful = _IS_AS_CAREFUL.get(row.name)
        if is_as_careful is not None and not is_as_careful(both, base):
            both = replace(both, **{row.attribute: getattr(base, row.attribute)})
            name = f"{_SECTION}.{row.name}"
            wrong.append(
                f"`{name}` of this repository is less careful than yours. It is ignored: a repository can "
                f"come from anybody. Set it for yourself with `git config --global {name}`."
            )
    return both, wrong


def _json_of(values: Mapping[str, Sequence[str]]) -> JSON:
    """Return settings as JSON; a value that is not of its setting's type becomes text."""
    from patchpoint.schema.settings import table_of_settings

    rows = {row.name.lower(): row for row in table_of_settings() if row.name not in _DISPLAY}
    return {rows[key].name: _json(rows[key], values[key]) for key in values if key in rows}


def _json(setting: Setting, values: Sequence[str]) -> JSON:
    """Return `values`, in order of precedence, as the JSON of a setting."""
    if typing.get_origin(setting.kind) is tuple:
        return list(reversed(values))
    text = values[0]
    if setting.kind is bool and text.lower() in _TRUE | _FALSE:
        return text.lower() in _TRUE
    if setting.kind in (int, float):
        try:
            return typing.cast("JSON", setting.kind(text))
        except ValueError:
            return text
    return text
