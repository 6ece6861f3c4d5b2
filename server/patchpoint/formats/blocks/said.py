"""What the words around a fence say of its code: an example, what is there now, a change, or a file."""

from __future__ import annotations

import re
from functools import lru_cache

from patchpoint.text.regex import regex


def _any_of(*phrases: str) -> re.Pattern[str]:
    """Return a pattern that finds any of the phrases, each a regular expression, as whole words."""
    return regex(rf"\b(?:{'|'.join(phrases)})\b", re.IGNORECASE)


_EXAMPLE = regex(
    r"\b(?:e\.g\.|examples?|for instance|usage|used? like|call(?:ed|s|ing)? (?:it|this)|output|"
    r"currently|original(?:ly)?|the old|existing code (?:is|was|looks)|was|previously|before(?! we| you)|"
    r"instead of|don't|do not|not like|wrong|tests? (?:it )?with|you (?:might|could) also|run (?:it|this))\b",
    re.IGNORECASE,
)
"""Said right above a fence, it calls the code something else than the change."""
_PRESENT = _any_of(
    r"(?<!in )(?<!in your )(?<!in the )(?<!to your )(?<!to the )(?:current|existing)",
    r"present|previous|relevant|buggy|broken|fails?|breaks?|crash(?:es)?|in question",
    r"(?:the|an?|this|your) (?:\w+ )?(?:problem|issue|bug|error|culprit)",
    r"(?:problem|issue|bug|error)s? (?:is|are|was|lies)",
    r"right now|at the moment|today|as (?:it|they) (?:is|are)|for (?:reference|comparison|context)",
    r"(?:you|we|it|code|file) (?:already )?(?:have|has|had|wrote)|your code|you(?:'re|’re| are) \w+ing",
    r"look(?:s|ing)? (?:at|like)|there(?:'s|’s| is| are)|(?:has|contains?)(?=\W*\Z)",
    r"(?:i|you|we)(?: can)? (?:found|find|see|saw|notice)|notice",
    r"no changes?|unchanged|nothing (?:to|needs)",
)
"""Said right above a fence, it calls the code what the file has now, unless a change is spoken of as well."""
_CURRENT = _any_of(
    r"(?:current|existing) (?:code|content|contents|definition|file|function|implementation|method|version)",
    r"as (?:it|they) (?:is|are)(?: now)?|right now|at the moment",
)
_NO_CHANGE = _any_of(
    r"no (?:\w+ )?changes?",
    r"nothing (?:to|needs).*",
    r"right now",
    r"(?:you|there) (?:now|should) (?:have|see|find|be)",
)
"""Has the words of a change, and says that there is none."""
_ANALYSIS = _any_of(
    r"code review|explanation|explained|how .*\bworks?|walk-?through|analysis|overview",
    r"background|diagnosis",
    r"current(?:ly)?|(?:the|root) (?:problem|issue|bug|cause)",
    r"what(?:'s|’s| is| was| went) (?:wrong|happening)",
)
"""A heading that says it has code below it that is spoken of."""
_APPROVED = regex(
    r"\W*(?:(?:this|that|it|the \w+|`[^`]*`)(?: \w+)?(?:'s| is| are| looks?)(?: already| all| perfectly)? "
    r"(?:fine|good|correct|okay|ok|right|unchanged)\b"
    r"|no (?:\w+ )?changes?(?: is| are)? (?:needed|required|necessary)|nothing (?:to change|needs)"
    r"|(?:this|that|it)(?:'s| is| was| would be) (?:unsafe|insecure|dangerous|wrong|a bad|incorrect|buggy)\b"
    r"|(?:this|that|it)(?:'s| is| was| would be) not (?:correct|good|needed|recommended|right|safe|what)\b)",
    re.IGNORECASE,
)
"""Said right below a fence, it judges the code, as good or as bad, and hands nothing over."""
_NEVER = _any_of(
    r"later(?: on)?,? (?:you|we|one|it)",
    r"if \W?[\w.]+\W? (?:were|was)",
    r"(?:would not|wouldn't|wouldn’t|would never) \w+",
    r"tempt(?:ed|ing)|imagine|suppose|hypothetical(?:ly)?",
    r"equivalent|pseudo-?code|conceptually|simplified view",
)
"""Said right above a fence, its code is for nobody to take, whatever else is said."""
_OLD = regex(r"\W*(?:find|search(?: for)?|old(?: code| version)?|from|look for|locate)\W*\Z", re.IGNORECASE)
"""All that is said above a fence, it calls the code what is to be replaced."""
_CHANGE = regex(
    r"\b(?:change[sd]?|updated?|replace[sd]?|modif(?:y|ied)|fix(?:ed)?|new version|edit(?:ed)?|rewrite|"
    r"refactor\w*|after|add(?:ed)?)\b",
    re.IGNORECASE,
)
"""Said right above a fence, it calls the code the change after all."""
_BETTER = regex(
    r"\b(?:new|fixed|corrected|improved|revised|final|refactored|rewritten|better|simplified|simpler|faster|"
    r"safer|optimi[sz]ed|should be|use this|try this)\b",
    re.IGNORECASE,
)
"""Said right above a fence that is no example, it calls the code what is to be."""
_REMEDY = _any_of(
    r"fix(?:es|ing)?|solv(?:es?|ed|ing)|resolv(?:es?|ed|ing)|address(?:es|ed)?|avoid(?:s|ed|ing)?",
    r"prevent(?:s|ed|ing)?|handl(?:es?|ed|ing)|correct(?:s|ly|ion)?|patch(?:ed)?",
    r"without|no longer|gone|instead|now|becomes?|so that|to make|make it|to(?=\W*\Z)",
    r"needs?|suggestion|proposal|should|must|let's|let’s|try|use|put|paste|insert",
)
"""Said right above a fence, it speaks of what becomes of the code."""
_DEEDS = """
accept adapt adjust allow append apply build cache call catch clean convert correct create declare
decode define delete disable drop enable encode enhance ensure escape expand extend extract guard
implement import improve include increase inline insert introduce keep limit log make merge move
parse pass prepend propose raise recommend reduce refine register reject remove rename reorder
require restructure return reuse rework set simplify skip split start stop store suggest support
swap switch turn tweak validate want wrap write
"""
"""What is done to code, in the imperative."""
_NO_IMPERATIVES = """
a after all also although an and another any anyone are as at because before below both by can check
compare consider could did do does during each either every everybody everyone everything examine
few finally first for from further has have he her his how however i if in inside into is it its
lastly let like look many maybe most my neither next no nobody not note nothing notice observe of on
one open or our over perhaps please read recall remember same second see several she should similar
similarly since so some somebody someone something sometimes still such take than that the their
them then there these they this those though thus to today under unless until up view was we were
what when where whereas whether which while who whose why will with within without would yes you
your
"""
"""Words that a sentence may begin with which asks for nothing to be done."""
_AUXILIARIES = frozenset(
    ["are", "can", "did", "does", "had", "has", "is", "of", "uses", "was", "were", "will", "would"]
)
_DONE = _any_of(
    r"(?:I|we)(?:'ve|’ve| have)? (?:\w+ly )?"
    r"(?!(?:analy[sz]|check|compar|examin|inspect|look|notic|open|review|search|test|trac|view|wonder)ed)(?:\w+ed|made|did|wrote|put|set|split|rewrote|kept)",
    r"(?:here's|here’s|here is)(?! (?:how|what|why|where)\b)"
    r"(?! an? (?:\w+ )?(?:breakdown|description|explanation|look|overview|summary|view|walk-?through)\b)",
    r"the (?:\w+ )?(?:solution|implementation|patch|way)",
)
"""Said right above a fence, it speaks of what the speaker did, or gives."""
_REASON = (
    r"[ ](?:[-–—][ ])?(?:it(?:'s|’s)?|which|that|since|as|because|now that|nobody|no one|nothing|they)[ ]"
    r"(?:(?!\b(?:replac|chang|updat|add|renam|mov|instead|use[ ]|fix|rewrit|but)\w*)[^:\n.]){1,80}?"
)
"""Why something is not needed, which speaks of no other change."""
_REMOVAL = regex(
    r"\W*(?:\d+[.)][ ])?"
    r"(?:(?:in|from)[ ][`*]*[\w./@-]+\.\w{1,12}[`*]*,?[ ]|[`*]*[\w./@-]+\.\w{1,12}[`*]*[:,][`*]*[ ])?"
    r"(?:(?:first|then|also|and|now|next|finally|please|simply|just|you can|you should|we can|i would),?[ ])*"
    r"(?:remove|delete|drop|get rid of)[ ]"
    r"(?:(?:all of|the|this|these|that|those|your|following|whole|entire|old|unused|redundant|obsolete|"
    r"function|method|class|import|imports|line|lines|code|block|definition|helper|test)[ ]?)*"
    r"(?:[`*]+(?P<name>[\w.]{1,80})(?:\(\))?[`*]+(?:[ ](?:function|method|class|definition|helper|test))?)?"
    rf"(?:,?{_REASON})?[ ]?(?:(?:from|in)[ ](?:the[ ]file[ ])?[`*]*[\w./@-]+(?:\.\w{{1,12}})?[`*]*)?"
    rf"(?:[ ](?:entirely|completely|altogether))?(?:,?{_REASON})?\W*",
    re.IGNORECASE,
)
"""All that is said above a fence, it asks to remove the code."""
_NEEDLESS = regex(
    r"\W*(?:\d+[.)][ ])?(?:(?:in|from)[ ][`*]*[\w./@-]+\.\w{1,12}[`*]*,?[ ])?(?:(?:now|then),?[ ])?"
    r"(?:the[ ])?(?:(?:old|method|function|class)[ ])?(?:[`*]+(?P<name>[\w.]{1,80})(?:\(\))?[`*]+|this|it)"
    r"(?:[ ](?:function|method|class|definition|helper|test|code))?"
    r"(?:[ ](?:from|in)[ ][`*]*[\w./@-]+[`*]*)?[ ](?:"
    r"(?:is|are)[ ](?:no[ ]longer|not)[ ](?:used|needed|required|called|necessary)"
    r"(?:[ ]any ?more|[ ]anywhere)?"
    r"|(?:can|should|may|must)[ ](?:now[ ])?(?:be[ ](?:removed|deleted|dropped)|go(?:[ ]away)?)"
    r"|is[ ](?:unused|dead code|obsolete|redundant))"
    r"(?:[ ]now)?(?:(?:,|[ ]and)[ ](?:so[ ]|you[ ]can[ ]|can[ ]|should[ ])*"
    r"(?:remove|delete|drop|be[ ]removed|be[ ]deleted)(?:[ ]it|[ ]this)?)?"
    rf"(?:,?{_REASON})?\W*",
    re.IGNORECASE,
)
"""All that is said above a fence, it calls the code needless."""
_PLACES = """
a above after again also and around as at before beginning below between block both bottom c class
client code component current directory end existing file files finally first folder follows for
from function go great here imports in inside interface into is java javascript just lastly like
line lines method module my near next now of ok okay on other others part project python right root
ruby rust s same second section server side so source step still struct sure test tests the then
third this to top type typescript under version with within your
"""
"""The words of a sentence that says where code belongs, and nothing else."""
_TITLED = regex(
    r"(?:\d+[.)][ ])?[^.?!]{1,60}?(?:\(|[ ][-–—][ ]|:[ ])[`*_\"']*[\w./@+-]+\.\w+[`*_\"']*\)?\W*\Z"
)
"""A title with its path: `Backend (src/app.py):`, `The model - src/app.py`."""
_PATH = r"\(?[`*\[\"']*(?:[\w./@+-]*/)?[\w.@+-]*\.\w+"
_OF_FILE = (
    r"(?:(?:version|contents?|code|source|implementation|file)\s+)*"
    r"(?:(?:of|for|in|to|as)\s+)?(?:the\s+)?(?:file\s+)?"
)
_HANDED = regex(
    rf"\b(?:here(?:'s|’s| is)|below is|this is|the following is)\s+(?:how\s+|what\s+)?(?:(?:the|your|my)\s+)?"
    rf"{_OF_FILE}{_PATH}"
    rf"|\b(?:new|updated?|revised|modified|final|fixed|corrected|full|whole|complete|entire|improved|refactored|"
    rf"rewritten|latest)\s+{_OF_FILE}{_PATH}",
    re.IGNORECASE,
)
"""Said with its path, it hands the file over, and does not only speak of it."""
_IS_TO_BE = r"\s(?:should\s+(?:now\s+)?(?:look|be|read)|(?:now\s+)?looks?\s+like|becomes)\b"
_BECOMES = regex(_IS_TO_BE, re.IGNORECASE)
_FILE_BECOMES = regex(rf"{_PATH}[`*\]\"')]*\s*{_IS_TO_BE}", re.IGNORECASE)
"""Said behind its path, the same; paths take long to look for."""
_WHOLE = regex(
    r"\b(?:full|whole|entire|complete)\s+"
    r"(?:(?:updated|new|revised|modified|corrected|fixed|final|contents?|source|code|version|of|for|the|file)\s+){0,5}"
    r"(?:files?\b|contents?\b|[`*\[]+[^`*\s]+\.[^`*\s]+[`*\]]|[\w./@-]*/[\w.@-]+\.\w+)",
    re.IGNORECASE,
)
"""Calls a file whole, and not something in it: `the complete app.py`, `(full file)`."""
_NEW = regex(
    r"\b(?:new file|create[sd]?|creating|add (?:a|the|this|another) (?:new )?(?:file|module|script)|"
    r"make a (?:new )?file)\b",
    re.IGNORECASE,
)
_SAVE = regex(
    r"\b(?:save|put|store|write|place|paste|copy)\s+"
    r"(?:(?:it|this|that|these|the following|everything|all of it)\s+)?"
    r"(?:code\s+|content\s+)?(?:as|to|in|into|at|under)\b",
    re.IGNORECASE,
)
_PART = regex(
    r"\b(?:part|parts|partial|excerpt|snippet|section|relevant|example|not|instead of)\b|n't\b", re.IGNORECASE
)
_NAMES = regex(r"`[^`\n]*`|[\w./@-]*[\w-]/[\w./@-]+|[\w-]+\.\w+")
_SENTENCES = regex(r"(?<=[.!?])\s+(?=[A-Z`*])")
_WORD = regex(r"[^\W\d_]+")
_OPENING = regex(
    r"\W*(?:(?:step )?\d+[.:)]\s*|(?:first|second|third|then|next|now|finally|lastly|also|and),? +)*"
    r"(\w+) (\w+)?",
    re.IGNORECASE,
)
_deeds = frozenset(_DEEDS.split())
_no_imperatives = frozenset(_NO_IMPERATIVES.split())
_places = frozenset(_PLACES.split())


def removed(above: str) -> str | None:
    """Return the name of what the words above a fence ask to remove, and no more; `None` if they do not.

    It is empty where they mean the code as a whole.
    """
    last = _last_sentence(above)
    found = _REMOVAL.fullmatch(above) or _NEEDLESS.fullmatch(above) or _REMOVAL.fullmatch(last)
    return (found["name"] or "").rpartition(".")[2] if found else None


def is_example(above: str, section: str = "") -> bool:
    """Return whether the words above a fence, or else the heading of its section, call its code no change.

    It is an example then, the code as it was, or as it is now.
    """
    if _OLD.match(above) or _NEVER.search(above):
        return True
    words = _last_words(above)
    if _EXAMPLE.search(words):
        return not _CHANGE.search(above)
    if _PRESENT.search(words):
        spoken = _NO_CHANGE.sub(" ", above)
        return not (_CHANGE.search(spoken) or _BETTER.search(spoken) or _REMEDY.search(spoken))
    heading = _without_names(section)
    is_sample = _EXAMPLE.search(heading) or _ANALYSIS.search(heading)
    return bool(is_sample) and not _CHANGE.search(f"{above} {section}")


def is_current(above: str) -> bool:
    """Return whether the words above a fence call its code what a file has now, and no more."""
    return is_example(above) and bool(_CURRENT.search(_last_words(above)))


def is_judged(below: str) -> bool:
    """Return whether the words below a fence judge its code as it is."""
    return bool(_APPROVED.match(below))


@lru_cache(maxsize=256)
def is_change(above: str) -> bool:
    """Return whether the words above a fence call its code a change, or hand a file over."""
    return bool(_CHANGE.search(above) or _BETTER.search(above) or is_handed_over(above))


def speaks_of_change(above: str) -> bool:
    """Return whether the words above a fence say anything of what becomes of code."""
    return bool(
        is_change(above)
        or _REMEDY.search(above)
        or _DONE.search(above)
        or _deeds & _words(above)
        or _is_imperative(_last_sentence(above))
    )


def only_names(above: str) -> bool:
    """Return whether the last sentence above a fence says where its code belongs, and nothing else."""
    if above.endswith("?"):
        return False
    words = _words(_last_words(above))
    return words <= _places or (_TITLED.match(above) is not None and not words & _AUXILIARIES)


@lru_cache(maxsize=256)
def is_handed_over(above: str) -> bool:
    """Return whether the words above a fence hand over the file that they name."""
    is_said = _HANDED.search(above) or _SAVE.search(above)
    is_said = is_said or (_BECOMES.search(above) and _FILE_BECOMES.search(above))
    return bool(is_said) and not _PART.search(above)


def is_whole(above: str) -> bool:
    """Return whether the words above a fence call its code a whole file."""
    return bool(_WHOLE.search(above)) and not _PART.search(above)


def is_new(above: str) -> bool:
    """Return whether the words above a fence call its code a new file."""
    return bool(_NEW.search(above)) and not _PART.search(above)


def _is_imperative(sentence: str) -> bool:
    """Return whether a sentence begins as one that says what to do: with a verb, as far as its form tells."""
    opening = _OPENING.match(sentence.replace("*", ""))
    if opening is None or not opening[1].isalpha():
        return False
    first, second = opening[1].casefold(), (opening[2] or "").casefold()
    if first in _no_imperatives or second in _AUXILIARIES:
        return False
    return not first.endswith(("ing", "ed", "ly")) and (not first.endswith("s") or first.endswith("ss"))


def _last_sentence(above: str) -> str:
    """Return the sentence that leads to a fence, where the line above it has several."""
    return _SENTENCES.split(above)[-1] if above.endswith(":") else above


@lru_cache(maxsize=256)
def _last_words(above: str) -> str:
    return _without_names(_last_sentence(above))


def _without_names(text: str) -> str:
    """Return a sentence without what it has in backquotes, and without its paths."""
    return _NAMES.sub(" ", text)


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}
