"""The table of languages: the names of their files, and what judges a text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath

from patchpoint.dataclass import dataclass
from patchpoint.structure.data_files import (
    commented_json_problem,
    json_problem,
    notebook_problem,
    toml_problem,
)
from patchpoint.structure.grammars import grammar_problem, missing_package
from patchpoint.structure.problem import MAX_JSON_CHARACTERS, Problem, require_judgeable
from patchpoint.structure.python import python_problem

MAX_CHARACTERS = 300_000
"""A longer text is not judged: nobody waits for it to be parsed."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language, or one dialect of it."""

    name: str
    suffixes: tuple[str, ...]
    grammar: str = ""
    """The grammar of tree-sitter's that judges it, as in `grammar_problem`."""
    reader: Callable[[str], Problem | None] | None = None
    """What judges it in place of a grammar."""
    limit: int = MAX_CHARACTERS

    def problem(self, text: str, near: int | None = None) -> Problem | None:
        """Return where a text does not parse; `near` is as in `grammar_problem`.

        Raises `UnjudgedError` where nothing can be said.
        """
        require_judgeable(text, self.limit)
        return grammar_problem(text, self.grammar, near) if self.reader is None else self.reader(text)


JSON = Language("JSON", (".json", ".webmanifest", ".geojson"), reader=json_problem, limit=MAX_JSON_CHARACTERS)
PYTHON = Language("Python", (".py", ".pyi", ".pyw"), reader=python_problem)
COMMENTED_JSON = Language(
    "JSON with comments", (".jsonc", ".code-workspace", ".json"), reader=commented_json_problem
)

LANGUAGES: tuple[Language, ...] = (
    PYTHON,
    JSON,
    COMMENTED_JSON,
    Language("Jupyter notebook", (".ipynb",), reader=notebook_problem, limit=MAX_JSON_CHARACTERS),
    Language("TOML", (".toml",), reader=toml_problem),
    Language("YAML", (".yaml", ".yml"), "yaml"),
    Language("JavaScript", (".js", ".jsx", ".mjs", ".cjs"), "javascript"),
    Language("TypeScript", (".ts", ".mts", ".cts"), "typescript:typescript"),
    Language("TSX", (".tsx", ".js", ".jsx"), "typescript:tsx"),
    Language("Go", (".go",), "go"),
    Language("Rust", (".rs",), "rust"),
    Language("Java", (".java",), "java"),
    Language("C++", (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx", ".h"), "cpp"),
    Language("C", (".c", ".h"), "c"),
    Language("C#", (".cs",), "c_sharp"),
    Language("Ruby", (".rb", ".rake", ".gemspec"), "ruby"),
    Language("PHP", (".php",), "php:php"),
    Language("Kotlin", (".kt", ".kts"), "kotlin"),
    Language("Swift", (".swift",), "swift"),
    Language("Scala", (".scala", ".sc"), "scala"),
    Language("Lua", (".lua",), "lua"),
    Language("HTML", (".html", ".htm"), "html"),
    Language("CSS", (".css",), "css"),
    Language("Shell", (".sh", ".bash"), "bash"),
)
"""Every language that is judged. Of those that share a suffix, a file is in the first by which it parses."""

INSTALL_GRAMMARS = 'pip install "patchpoint[grammars]"'
"""What installs the grammars that are not installed with Patchpoint."""

_FILES_OF = {
    name: tuple(files.split())
    for names, files in (
        ("make makefile mk", "makefile gnumakefile .mk"),
        ("dockerfile docker containerfile", "dockerfile containerfile .dockerfile"),
        ("hcl terraform tf", ".tf .hcl .tfvars"),
        (
            "js javascript jsx mjs ts typescript tsx",
            ".js .jsx .mjs .cjs .ts .tsx .mts .cts .vue .svelte .astro .html .htm",
        ),
        ("css scss sass less", ".css .scss .sass .less .vue .svelte .astro .html .htm"),
        ("html xhtml", ".html .htm .xhtml .vue .svelte .astro .erb .php .heex .j2 .jinja2 .twig .hbs .ejs"),
        ("cmake", ".cmake cmakelists"),
        ("xml", ".xml .xaml .plist .svg .csproj .fsproj .vbproj .resx .storyboard .xib"),
        ("yaml yml", ".yaml .yml"),
        ("json jsonc json5", ".json .jsonc .json5 .webmanifest"),
        ("ini cfg conf properties dotenv env", ".ini .cfg .conf .properties .env"),
        ("md markdown mdx", ".md .markdown .mdx"),
        ("sql postgresql mysql sqlite", ".sql"),
        ("elixir ex exs", ".ex .exs"),
        ("python py python3", ".py .pyi"),
        ("go golang", ".go"),
        ("rust rs", ".rs"),
        ("kotlin kt kts", ".kt .kts"),
        ("scala", ".scala .sc .sbt"),
        ("ruby rb", ".rb .rake gemfile rakefile"),
        ("csharp cs c#", ".cs"),
        ("groovy gradle", ".gradle .groovy"),
        ("c cpp c++ cc h hpp", ".c .cc .cpp .cxx .h .hh .hpp"),
        ("protobuf proto", ".proto"),
        ("graphql gql", ".graphql .gql"),
        ("nginx", ".conf"),
        ("haskell hs", ".hs"),
        ("perl pl", ".pl .pm"),
        ("clojure clj", ".clj .cljs .cljc"),
    )
    for name in names.split()
}
"""By what code is called, the names of the files, or their ends, that may have it."""

_COMMENTED_NAMES = ("tsconfig", "jsconfig", "devcontainer", "api-extractor")
"""Beginnings of the names of `.json` files that are read with comments."""

_STRICT_NAMES = ("package.json", "package-lock.json", "composer.json", "composer.lock")
"""Names of files that are read without."""


def languages_of(path: str) -> tuple[Language, ...]:
    """Return the languages that a file of this name may be in, the likeliest first; none if it is unknown."""
    name = PurePosixPath(path.replace("\\", "/"))
    suffix = name.suffix.lower()
    if suffix == ".json" and (".vscode" in name.parts or name.name.lower().startswith(_COMMENTED_NAMES)):
        return (COMMENTED_JSON,)
    if name.name.lower() in _STRICT_NAMES:
        return (JSON,)
    return tuple(language for language in LANGUAGES if suffix in language.suffixes)


def may_hold(path: str, language: str) -> bool:
    """Return whether a file may have code that is called by the name of a language, such as `tsx`."""
    name = PurePosixPath(path.replace("\\", "/")).name.lower()
    known = _FILES_OF.get(language, (f".{language}",))
    return any(name.endswith(each) if each[0] == "." else name.partition(".")[0] == each for each in known)


def missing_grammar(path: str) -> str:
    """Return that no grammar for a file of this name is here, and what installs it, as part of a sentence.

    Empty where its language needs none, is unknown, or has one.
    """
    languages = languages_of(path)
    missing = [missing_package(one.grammar) if one.grammar else "" for one in languages]
    if not languages or not all(missing):
        return ""
    if missing[0] == "tree-sitter":  # there are no wheels of it for this machine
        return "tree-sitter is not installed here"
    return f"there is no grammar for {languages[0].name} here: {INSTALL_GRAMMARS}"


def is_json(path: str) -> bool:
    """Return whether a file of this name is JSON, with comments or without."""
    return not {JSON, COMMENTED_JSON}.isdisjoint(languages_of(path))
