"""A changed function and one more request in a sentence, in eight languages; the right result is known."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.composed.answers import Changes, ComposedAnswer, filled, table
from tests.composed.samples import Sample, replaced_once, samples

_OTHER_FILES = {
    "old/legacy.txt": "legacy\n",
    "requirements.txt": "flask==2.0\nnumpy==1.26\n",
    ".gitignore": "node_modules/\n__pycache__/\n",
}
_OTHER_CHANGES: dict[str, Changes] = {
    "delete a file": {"old/legacy.txt": None},
    "add a requirement": {"requirements.txt": "flask==2.0\nnumpy==1.26\nrequests\n"},
    "ignore files": {".gitignore": "node_modules/\n__pycache__/\n*.log\n"},
    "move a file": {"old/legacy.txt": None, "docs/legacy.txt": "legacy\n"},
    "create an empty file": {"data/keep.txt": ""},
    "need not change": {},
    "run a command": {},
}
"""What becomes of other files than the one with the function, by the request."""
_UNKNOWN = "the same elsewhere"
"""The request of which nobody but its author knows what is right: nothing may be written."""
_ABOUT_THE_FILE = {
    "set a value", "set it instead of another", "rename", "remove a function", "may be removed", "import",
    "replace",
}  # fmt: skip
"""The requests that are of a file that they do not name."""

_BELOW = "{lead}\n\n{block}\n{request}\n"
_OTHER_PLACES = {
    "above": "{request}\n\n{lead}\n\n{block}",
    "in a list": "1. {lead}\n\n{indented_block}\n\n2. {request}\n",
    "alone": "{request}",
}
_IN_ALL_PLACES = ("py", "ts")


def second_requests() -> Iterator[ComposedAnswer]:
    """Yield an answer for each request in each language, next to code in several, below it or elsewhere."""
    requests = table("requests")
    for language, sample in samples().items():
        places = {"below": _BELOW} | (_OTHER_PLACES if language in _IN_ALL_PLACES else {})
        for spoken, sentences in requests.items() if all(sample.limit) else ():
            for kind in (kind for kind in sentences if kind != "lead"):
                for place, template in places.items():
                    if (place, kind) != ("alone", _UNKNOWN):
                        yield _answer(
                            sample, f"{language}, {spoken}, {kind}, {place}", sentences, kind, template
                        )


def _answer(sample: Sample, name: str, sentences: dict[str, str], kind: str, template: str) -> ComposedAnswer:
    fields = sample.fields()
    block = filled("{open}{new_first}{close}", fields)
    request = filled(sentences[kind], fields)
    text = sample.texts()["first"]
    if "{block}" not in template and "{indented_block}" not in template:
        request = request.replace("Also ", "").replace(" too", "")
        request = f"`{sample.path}`: {request}" if kind in _ABOUT_THE_FILE else request
        text = sample.text
    files = {sample.path: sample.text, **_OTHER_FILES}
    right = (
        {path: after for path, after in changes.items() if files.get(path) != after}
        for changes in _right(sample, text, kind)
    )
    return ComposedAnswer(
        group="requests",
        name=name,
        files=files,
        text=template.format(
            lead=filled(sentences["lead"], fields),
            block=block,
            indented_block="   " + block.rstrip().replace("\n", "\n   "),
            request=request,
        ),
        right=tuple(changes for changes in right if changes),
    )


def _right(sample: Sample, text: str, kind: str) -> Iterator[Changes]:
    """Yield what is right to become of the files where `text` is what becomes of the sample by the code."""
    third = sample.names[2]
    if kind == _UNKNOWN:
        return
    if kind in _OTHER_CHANGES:
        yield {sample.path: text, **_OTHER_CHANGES[kind]}
    elif kind == "rename":
        yield {sample.path: re.sub(rf"\b{third}\b", f"{third}2", text)}
    elif kind == "import":
        lines = text.splitlines(keepends=True)
        for at in range(1 + sample.head.rstrip().count("\n")):
            yield {sample.path: "".join([*lines[:at], sample.imported, *lines[at:]])}
    elif kind in ("remove a function", "may be removed"):
        yield {sample.path: replaced_once(text, sample.between + sample.parts[2], "")}
        yield {sample.path: replaced_once(text, sample.parts[2], "")}
    else:
        before, after = sample.call if kind == "replace" else sample.limit[1:]
        yield {sample.path: replaced_once(text, before, after)}
