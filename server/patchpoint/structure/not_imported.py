"""Names of well-known modules that new lines use, and that nothing imports."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.dataclass import dataclass
from patchpoint.structure.imports import every_import
from patchpoint.text.regex import IDENTIFIER, regex


@dataclass(frozen=True, slots=True)
class _Library:
    """What files of some suffixes may use only where they import it."""

    suffixes: tuple[str, ...]
    names: frozenset[str]
    used: str
    """How a name is used, as the end of a regular expression."""
    needs: str = ""
    """What one of the imports of the file has: others have such names, too."""


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


_LIBRARIES = (
    _Library(
        (".go",),
        _names(
            "bufio bytes context errors filepath fmt http io json log math os regexp sort strconv strings "
            "sync time url"
        ),
        r"\.[A-Z]\w*",
    ),
    _Library(
        (".jsx", ".tsx", ".js", ".ts"),
        _names(
            "useCallback useContext useEffect useId useLayoutEffect useMemo useReducer useRef useState "
            "useTransition"
        ),
        r"(?:<[^()]{0,200}>)?\(",
        "react",
    ),
    _Library(
        (".java",),
        _names(
            "ArrayList Arrays Collections Collectors Duration HashMap HashSet Instant LinkedHashMap List "
            "LocalDate LocalDateTime Map Objects Optional Pattern Set UUID"
        ),
        r"\b(?!\s*\{)",
    ),
    _Library(
        (".rs",),
        _names("Arc BTreeMap BTreeSet HashMap HashSet Mutex Rc RefCell RwLock VecDeque"),
        r"(?:<|::)",
    ),
)
_ALL = ("*", "prelude")
_TEXT = regex(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*`|//.*|^\s*\*.*")


def not_imported(file: Sequence[str], result: Sequence[str], path: str) -> str:
    """Return a name that lines of a result use, none of the file does, and nothing brings; empty for none."""
    library = next((each for each in _LIBRARIES if path.lower().endswith(each.suffixes)), None)
    if library is None:
        return ""
    known = {word for line in file for word in IDENTIFIER.findall(line)}
    there = set(file)
    new = [_TEXT.sub("", line) for line in result if line not in there]
    wanted = sorted(
        name for name in library.names - known if any(name in IDENTIFIER.findall(line) for line in new)
    )
    if not wanted:
        return ""
    imports = [each.text for each in every_import(result, path)]
    brought = {word for text in imports for word in IDENTIFIER.findall(text)}
    is_open = library.needs and not any(library.needs in text for text in imports)
    if is_open or any(each in text for text in imports for each in _ALL) or not imports:
        return ""
    for name in wanted:
        use = regex(rf"(?<![\w.:@])(?<!class )(?<!struct )(?<!type )(?<!enum ){name}{library.used}")
        if name not in brought and any(use.search(line) for line in new):
            return name
    return ""
