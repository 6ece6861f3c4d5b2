"""The files that package collections keep of Patchpoint, from the templates in tools/packaging.

`python -m tools.channels --repository URL --sdist FILE --out FOLDER` writes them: with the version and the
requirements of this tree, and the hash of the source archive that was published.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from packaging.requirements import Requirement

from patchpoint.version import __version__
from tools.platforms import is_grammar, requirements

TEMPLATES = Path(__file__).parent / "packaging"

_LIST = re.compile(r"^@(\w+):(.*)@$", re.MULTILINE)
_WORD = re.compile(r"@([A-Z\d]+)@")


def filled(template: str, words: Mapping[str, str], lists: Mapping[str, list[str]]) -> str:
    """Return a template with `@WORD@` replaced, and lines `@LIST:text {}@` repeated for the entries of lists.

    Raises KeyError for a word or a list that is not there.
    """
    text = _LIST.sub(
        lambda found: "\n".join(found[2].replace("{}", each) for each in lists[found[1]]), template
    )
    return _WORD.sub(lambda found: words[found[1]], text)


def channel_files(repository: str, sha256: str) -> dict[Path, str]:
    """Return each file's text by its path, for the repository at an https address.

    Raises ValueError for an address without owner and name.
    """
    parts = urlsplit(repository)
    owner, _, name = parts.path.strip("/").partition("/")
    if parts.scheme != "https" or not owner or not name or "/" in name:
        raise ValueError(f"{repository} is no https address such as https://forge/owner/name.")
    words = {"VERSION": __version__, "REPOSITORY": repository, "OWNER": owner, "NAME": name, "SHA256": sha256}
    wanted = [Requirement(each) for each in requirements()]
    lists = {
        "REQUIRED": [one.name for one in wanted if not is_grammar(one.name) and one.name != "tomli"],
        "GRAMMARS": [one.name for one in wanted if is_grammar(one.name)],
        "REQUIREMENTS": [f"{one.name} {one.specifier}" for one in wanted],
    }
    return {
        path.relative_to(TEMPLATES): filled(path.read_text(encoding="utf-8"), words, lists)
        for path in sorted(TEMPLATES.glob("*/*"))
    }


def main() -> int:
    """Write the files; return 1 where the address is none."""
    words = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    words.add_argument("--repository", required=True, help="its https address")
    words.add_argument("--sdist", required=True, type=Path, help="the source archive that PyPI has")
    words.add_argument("--out", required=True, type=Path, help="a folder")
    options = words.parse_args()
    try:
        files = channel_files(options.repository, hashlib.sha256(options.sdist.read_bytes()).hexdigest())
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    for name, text in files.items():
        path = options.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
