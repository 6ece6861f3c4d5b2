"""Where the sentence above some code says that it goes, in eight languages.

A closed grammar: a word for a side, words that say nothing, and the name of what is there, in backquotes.
What it means in a file is for the caller to find out. Words never make an edit: what they place is shown code
that is an edit already.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

_MOST_WORDS = 4
"""So many words that are not known may be between the side and the name."""
_LONGEST = 600
"""A longer sentence is not read."""


class Relation(Enum):
    """On which side of what is named."""

    ABOVE = "above"
    BELOW = "below"
    FIRST = "at the top of"
    LAST = "at the end of"


@dataclass(frozen=True, slots=True)
class PlaceSaid:
    """One place that a sentence names."""

    relation: Relation
    name: str
    """What is named, as written; for the top and the end empty where that is the file itself."""
    is_closed: bool
    """Whether every word between the side and the name is known to say nothing else."""


@dataclass(frozen=True, slots=True)
class _Language:
    """Words of one language, as regular expressions; where `is_postposed`, a side is behind the name."""

    below: str
    above: str
    last: str
    first: str
    nouns: str
    is_postposed: bool = False


_LANGUAGES = (
    _Language(
        below="after|below|under|underneath|beneath|following",
        above="before|above|ahead of|preceding",
        last="(?:at|to)(?: the)?(?: very)? (?:end|bottom)(?: of)?|to the last line of|append(?:ed)? to",
        first="(?:at|to)(?: the)?(?: very)? (?:top|beginning|start|head)(?: of)?|prepend(?:ed)? to",
        nouns="a|an|the|your|our|its|existing|current|last|first|new|other|line|lines|import|imports|statement|method|"
        "function|class|struct|property|field|member|definition|declaration|variable|constant|section|heading|"
        "entry|block|rule|test|route|key|call|decorator|with|that|says|reading|of|in|for|file|module|list",
    ),
    _Language(
        below="nach|unter|unterhalb|hinter|direkt nach|im Anschluss an",
        above="vor|über|oberhalb",
        last="am (?:\\w+ )?ende|ans ende",
        first="am (?:\\w+ )?anfang|an den anfang|ganz oben",
        nouns="der|die|das|dem|den|des|von|in|im|ein|eine|einer|einem|bestehenden?|vorhandenen?|datei|methode|funktion|"
        "klasse|zeile|eigenschaft|import|imports|abschnitt|test|konstante|variable|eintrag",
    ),
    _Language(
        below="après|sous|en dessous de|au-dessous de|à la suite de",
        above="avant|au-dessus de",
        last="à la (?:toute )?fin",
        first="au (?:tout )?début|en haut|en tête",
        nouns="le|la|les|l|de|du|des|d|un|une|dans|méthode|fonction|classe|ligne|propriété|import|section|fichier|test|"
        "existante?|constante|variable",
    ),
    _Language(
        below="después de|después del|debajo de|debajo del|tras|a continuación de",
        above="antes de|antes del|encima de|encima del|arriba de",
        last="al final",
        first="al (?:principio|inicio|comienzo)",
        nouns="el|la|los|las|de|del|un|una|en|método|función|clase|línea|propiedad|import|importación|sección|archivo|"
        "fichero|prueba|test|existente|constante|variable",
    ),
    _Language(
        below="depois d[eoa]s?|após|abaixo d[eoa]s?|logo após",
        above="antes d[eoa]s?|acima d[eoa]s?",
        last="no (?:final|fim)|ao (?:final|fim)",
        first="no (?:início|topo|começo)",
        nouns="o|a|os|as|de|do|da|dos|das|um|uma|em|no|na|método|função|classe|linha|propriedade|import|seção|arquivo|"
        "ficheiro|teste|existente|constante|variável",
    ),
    _Language(
        below="после|под|ниже",
        above="перед|над|выше|до",
        last="в (?:самый |самом )?кон(?:ец|це)",
        first="в (?:самое |самом )?начал[оеу]",
        nouns="метод[ауом]*|функци[яиюей]+|класс[ауом]*|строк[аиуой]+|свойств[аоуом]*|импорт[ауом]*|раздел[ауом]*|"
        "файл[ауеом]*|тест[ауом]*|определени[яеюем]+|существующ\\w+|константы?|переменной",
    ),
    _Language(
        below="之后|后面|下面|下方|之下|后",
        above="之前|前面|上面|上方|之上|前",
        last="末尾|最后|结尾|底部",
        first="开头|顶部|最前面|最上面",
        nouns="的|方法|函数|类|这一行|一行|行|属性|导入|语句|定义|小节|部分|测试|文件|里|中",
        is_postposed=True,
    ),
    _Language(
        below="の直後|の後|のあと|の下|直下",
        above="の直前|の前|のまえ|の上|直上",
        last="の?末尾|の?最後|の?一番下",
        first="の?先頭|の?冒頭|の?一番上",
        nouns="メソッド|関数|クラス|行|プロパティ|インポート|文|定義|セクション|テスト|ファイル|という",
        is_postposed=True,
    ),
)
_NAME = r"(?:\*\*)?`(?P<name>[^`\n]{1,200})`"


def places_said(sentence: str) -> tuple[PlaceSaid, ...]:
    """Return the places that a sentence names, each once; none for one that names none."""
    if len(sentence) > _LONGEST or "`" not in sentence:
        return ()
    found: dict[tuple[Relation, str], PlaceSaid] = {}
    for side, pattern, closed in _patterns():
        for match in pattern.finditer(sentence):
            name, words = match["name"].strip(), match["words"].casefold()
            place = PlaceSaid(side, name, closed.fullmatch(words) is not None)
            if (side, name) not in found or place.is_closed:
                found[side, name] = place
    return tuple(found.values())


_compiled: list[tuple[Relation, re.Pattern[str], re.Pattern[str]]] = []


def _patterns() -> list[tuple[Relation, re.Pattern[str], re.Pattern[str]]]:
    """Return a pattern for each side and language, with one for the words that say nothing between."""
    if not _compiled:
        for each in _LANGUAGES:
            sides = (
                (Relation.BELOW, each.below),
                (Relation.ABOVE, each.above),
                (Relation.LAST, each.last),
                (Relation.FIRST, each.first),
            )
            for side, words in sides:
                _compiled.append((side, *_pattern(each, words)))
    return _compiled


def _pattern(language: _Language, side: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    if language.is_postposed:
        whole = rf"{_NAME}(?:\*\*)?\s*(?P<words>[^\s`,.:;，。：；]{{0,8}}?)\s*(?:{side})"
        closed = rf"(?:{language.nouns}|\s)*"
    else:
        whole = rf"\b(?:{side})\s+(?P<words>(?:[^\s`,.:;]+[\s']+){{0,{_MOST_WORDS}}}?)(?:l')?{_NAME}"
        closed = rf"(?:(?:{language.nouns})[\s']+)*"
    return re.compile(whole, re.IGNORECASE), re.compile(closed, re.IGNORECASE)
