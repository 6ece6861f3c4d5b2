"""The languages whose words are known."""

from __future__ import annotations

from patchpoint.formats.conversation.words.chinese import CHINESE
from patchpoint.formats.conversation.words.english import ENGLISH
from patchpoint.formats.conversation.words.french import FRENCH
from patchpoint.formats.conversation.words.german import GERMAN
from patchpoint.formats.conversation.words.japanese import JAPANESE
from patchpoint.formats.conversation.words.portuguese import PORTUGUESE
from patchpoint.formats.conversation.words.russian import RUSSIAN
from patchpoint.formats.conversation.words.spanish import SPANISH

LANGUAGES = (ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, RUSSIAN, CHINESE, JAPANESE)
