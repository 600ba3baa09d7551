"""Stop words of a language, as jusText has them, by the language's code."""

from functools import cache
from typing import Final

import justext  # type: ignore[import-untyped]

_NAMES: Final = {
    "ar": "Arabic",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fi": "Finnish",
    "fr": "French",
    "hu": "Hungarian",
    "id": "Indonesian",
    "it": "Italian",
    "nl": "Dutch",
    "no": "Norwegian_Bokmal",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sv": "Swedish",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "vi": "Vietnamese",
}


@cache
def stop_words_for(language: str) -> frozenset[str]:
    """The stop words of a language, those of English if the code is empty or has no list."""
    return frozenset(justext.get_stoplist(_NAMES.get(language, "English")))
