"""Where the sentence above some code says that it goes, in eight languages.

A word for a side, few others, and the name of what is there, in backquotes: that is one place. Where all
words of the sentence are known, it says that and nothing else (*it runs after* has one that is not). What it
means in a file is for the caller to find out. Words never make an edit: what they place is one already.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache

from patchpoint.dataclass import dataclass
from patchpoint.text.regex import regex

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
    """Whether every word of the sentence is known to say nothing but that something is added, and where."""


@dataclass(frozen=True, slots=True)
class _Language:
    """Words of one language, as regular expressions; where `is_postposed`, a side is behind the name."""

    below: str
    above: str
    last: str
    first: str
    others: str
    """What else may be said where something is added."""
    is_postposed: bool = False


_LANGUAGES = (
    _Language(
        below="after|below|under|underneath|beneath|following",
        above="before|above|ahead of|preceding",
        last="(?:at|to)(?: the)?(?: very)? (?:end|bottom)(?: of)?|to the last line of|append(?:ed)? to",
        first="(?:at|to)(?: the)?(?: very)? (?:top|beginning|start|head)(?: of)?|prepend(?:ed)? to",
        others="a|an|the|your|our|its|existing|current|last|first|new|other|lines?|imports?|statements?|methods?|"
        "functions?|class|struct|property|fields?|members?|definitions?|declaration|variable|constant|section|"
        "heading|entry|block|rule|tests?|routes?|keys?|decorator|helpers?|usings|code|file|module|list|of|in|into|"
        "inside|to|at|on|for|from|following|this|these|it|that|here|is|add|insert|put|place|paste|append|prepend|"
        "define|create|write|include|then|now|next|also|and|finally|lastly|please|just|right|directly|"
        "immediately|simply|step|top|end|bottom|beginning|start|very",
    ),
    _Language(
        below="nach|unter|unterhalb|hinter|im Anschluss an",
        above="vor|über|oberhalb",
        last="am ende|ans ende",
        first="am anfang|an den anfang|ganz oben",
        others="der|die|das|dem|den|des|von|in|im|ein|eine|einen|einer|einem|bestehenden?|vorhandenen?|neuen?|"
        "datei|methoden?|funktion(?:en)?|klasse|zeilen?|eigenschaft|imports?|abschnitt|tests?|konstante|variable|"
        "eintrag|code|fügen?|setzen?|schreiben?|ergänzen?|sie|bitte|hinzu|einfügen|folgenden?|"
        "diesen?|dies|direkt|unmittelbar|gleich|dann|nun|jetzt|auch|und|zuletzt|schritt",
    ),
    _Language(
        below="après|sous|en dessous de|au-dessous de|à la suite de",
        above="avant|au-dessus de",
        last="à la (?:toute )?fin",
        first="au (?:tout )?début|en haut|en tête",
        others="le|la|les|l|de|du|des|d|un|une|dans|méthodes?|fonctions?|classe|lignes?|propriété|imports?|section|"
        "fichier|tests?|existante?|nouvelles?|nouveaux?|constante|variable|code|ajout(?:ez|e|er|ons)|ins[ée]rez|"
        "mettez|placez|collez|ceci|cela|ce|cette|ces|suivante?s?|juste|directement|puis|ensuite|enfin|et|aussi|étape",
    ),
    _Language(
        below="después de|después del|debajo de|debajo del|tras|a continuación de",
        above="antes de|antes del|encima de|encima del|arriba de",
        last="al final",
        first="al (?:principio|inicio|comienzo)",
        others="el|la|los|las|de|del|un|una|en|métodos?|función|funciones|clase|líneas?|propiedad|imports?|"
        "importación|sección|archivo|fichero|pruebas?|tests?|existente|nuev[oa]s?|constante|variable|código|"
        "añad[ae]|añadir|agreg[au]e?|agregar|inserta|pon|coloca|esto|este|esta|estos|estas|siguientes?|justo|"
        "luego|después|ahora|también|y|por último|finalmente|paso",
    ),
    _Language(
        below="depois d[eoa]s?|após|abaixo d[eoa]s?",
        above="antes d[eoa]s?|acima d[eoa]s?",
        last="no (?:final|fim)|ao (?:final|fim)",
        first="no (?:início|topo|começo)",
        others="o|a|os|as|de|do|da|dos|das|um|uma|em|no|na|métodos?|funç(?:ão|ões)|classe|linhas?|propriedade|"
        "imports?|seção|arquivo|ficheiro|testes?|existente|nov[oa]s?|constante|variável|código|adicion[ea]|"
        "adicionar|insira|coloque|isto|isso|este|esta|estes|estas|seguintes?|logo|depois|agora|também|e|por|passo",
    ),
    _Language(
        below="после|под|ниже",
        above="перед|над|выше|до",
        last="в (?:самый |самом )?кон(?:ец|це)",
        first="в (?:самое |самом )?начал[оеу]",
        others="метод\\w{0,3}|функци\\w{1,3}|класс\\w{0,2}|строк\\w{1,2}|свойств\\w{1,2}|импорт\\w{0,2}|раздел\\w{0,2}|"
        "файл\\w{0,2}|тест\\w{0,2}|определени\\w|существующ\\w{2,4}|нов\\w{2,3}|константы?|переменной|код|добавьте|"
        "добавь|вставьте|вставь|поместите|эт[оуи]|этот|эту|следующ\\w{2,4}|сразу|затем|теперь|также|и|в|из|наконец|шаг",
    ),
    _Language(
        below="之后|后面|下面(?!的)|下方|之下|后",
        above="之前|前面|上面|上方|之上|前",
        last="末尾|最后|结尾|底部",
        first="开头|顶部|最前面|最上面",
        others="的|方法|函数|类|这一行|一行|行|属性|导入|语句|定义|小节|部分|测试|文件|里|中|在|把|将|请|然后|再|并|下列|以下|"
        "下面的|这段|这个|这些|代码|添加|加入|插入|放|写|加|到|新|于|最后",
        is_postposed=True,
    ),
    _Language(
        below="の直後|の後|のあと|の下|直下",
        above="の直前|の前|のまえ|の上|直上",
        last="の?末尾|の?最後|の?一番下",
        first="の?先頭|の?冒頭|の?一番上",
        others="メソッド|関数|クラス|行|プロパティ|インポート|文|定義|セクション|テスト|ファイル|という|に|を|へ|で|の|次|以下|"
        "この|これ|これら|新しい|コード|追加|挿入|して|します|する|ください|また|そして|最後",
        is_postposed=True,
    ),
)
_NAME = r"(?:\*\*)?`(?P<name>[^`\n]{1,200})`"
_SILENT = regex(r"`[^`\n]*`|[\w.-]*[./]\w[\w./-]*|[-*_()\"',.:;!—–→，。：；、「」]")
"""What says nothing of its own: names in backquotes, paths, and signs."""
_NOT = regex(r"\b(?:not|never|nicht|nie|pas|jamais|nunca|não|не)\b|n['’]t\b|不要|别|勿|ないで", re.IGNORECASE)
"""What is not to be done has no place."""


def places_said(sentence: str) -> tuple[PlaceSaid, ...]:
    """Return the places that a sentence names, each once; none for one that names none."""
    if len(sentence) > _LONGEST or "`" not in sentence:
        return ()
    words = without_names(sentence)
    if _NOT.search(words):
        return ()
    found: dict[tuple[Relation, str], PlaceSaid] = {}
    for relation, pattern, known in _patterns():
        for match in pattern.finditer(sentence):
            place = PlaceSaid(relation, match["name"].strip(), not known.sub("", words).strip())
            if (relation, place.name) not in found or place.is_closed:
                found[relation, place.name] = place
    return tuple(found.values())


def says_a_side(sentence: str) -> bool:
    """Return whether a sentence has words for a side, whatever it is a side of."""
    return _sides().search(without_names(sentence)) is not None


def without_names(sentence: str) -> str:
    """Return a sentence without its names in backquotes, paths and signs."""
    return _SILENT.sub(" ", sentence)


@lru_cache(maxsize=1)
def _patterns() -> list[tuple[Relation, re.Pattern[str], re.Pattern[str]]]:
    """Return a pattern for each side and language, with one for the known words of that language."""
    found = []
    for language in _LANGUAGES:
        sides = {
            Relation.BELOW: language.below,
            Relation.ABOVE: language.above,
            Relation.LAST: language.last,
            Relation.FIRST: language.first,
        }
        every, edge = "|".join((*sides.values(), language.others)), r"\b"
        if language.is_postposed:  # written without a space between words: the longest first
            every, edge = "|".join(sorted(every.split("|"), key=len, reverse=True)), ""
        known = re.compile(rf"{edge}(?:{every}|\d+){edge}", re.IGNORECASE)
        found += [(relation, _pattern(language, side), known) for relation, side in sides.items()]
    return found


@lru_cache(maxsize=1)
def _sides() -> re.Pattern[str]:
    """Return a pattern for the words of all sides; one sign alone may be a part of another word."""
    every: list[str] = []
    for language in _LANGUAGES:
        edge, others = "" if language.is_postposed else r"\b", language.others.split("|")
        for side in (language.below, language.above):
            words = [word for word in side.split("|") if len(word) > 1 and word not in others]
            every.append(rf"{edge}(?:{'|'.join(words)}){edge}")
        every += [rf"{edge}(?:{side}){edge}" for side in (language.last, language.first)]
    return re.compile("|".join(every), re.IGNORECASE)


def _pattern(language: _Language, side: str) -> re.Pattern[str]:
    """Return a pattern for one side, with the name of what it is a side of."""
    if language.is_postposed:
        return re.compile(rf"{_NAME}(?:\*\*)?\s*[^\s`,.:;，。：；]{{0,8}}?\s*(?:{side})")
    words = rf"(?:[^\s`,.:;]+[\s']+){{0,{_MOST_WORDS}}}?"
    return re.compile(rf"\b(?:{side})\s+{words}(?:l')?{_NAME}", re.IGNORECASE)
