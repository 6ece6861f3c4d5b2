"""Tables of names, as lists in a text; and names without what only their spelling has."""

from __future__ import annotations

from typing import Any


def folded(name: str) -> str:
    """Return a key, the name of a tool or a status without case, underscores, hyphens and spaces."""
    return name.replace("_", "").replace("-", "").replace(" ", "").casefold()


def folded_fields(value: object) -> dict[str, Any]:
    """Return the values of an object by its folded keys; of nulls, only `lines` has a sense."""
    pairs = value.items() if isinstance(value, dict) else ()
    return {folded(str(key)): one for key, one in pairs if one is not None or key == "lines"}


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a list that has white space between them."""
    return tuple(text.split())


def set_of_words(text: str) -> frozenset[str]:
    """Return the words of a list in which one is looked for."""
    return frozenset(text.split())


LANGUAGES = set_of_words("""
python py javascript js jsx typescript ts tsx java kotlin scala go golang rust c cpp c++ csharp c# php ruby
perl lua swift r sql html css scss xml json jsonc yaml yml toml ini markdown md text txt plaintext bash sh
shell zsh console powershell svelte vue dart elixir haskell ocaml
""")
"""What fences, and pages, call the language of a piece of code."""


def phrases_of(text: str) -> tuple[str, ...]:
    """Return the phrases of a list that has commas between them."""
    return tuple(" ".join(phrase.split()) for phrase in text.split(","))
