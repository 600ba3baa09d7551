"""Whether two texts are in different languages: by script, and by the commonest words of languages in Latin letters.

Coarse on purpose: it only tells a translation from a retelling. Both scripts of Chinese are one language.
"""

import re
from collections.abc import Iterable
from typing import Final

JUDGED_CHARACTERS: Final = 6_000
CHINESE: Final = "han"

_SCRIPTS: Final = {
    "han": re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U000323af]+"),
    "kana": re.compile(r"[\u3041-\u3096\u30a1-\u30fa\u30fc]+"),
    "hangul": re.compile(r"[\uac00-\ud7a3]+"),
    "cyrillic": re.compile(r"[\u0400-\u04ff]+"),
    "arabic": re.compile(r"[\u0620-\u06ff]+"),
    "thai": re.compile(r"[\u0e01-\u0e4e]+"),
    "latin": re.compile(r"[A-Za-z\xc0-\u024f]+"),
}
_DENSE: Final = frozenset({"han", "kana", "hangul"})
_PER_LETTER: Final = 0.2
"""A Han character is a word, a letter a fifth of one: a Chinese text may quote many English words."""
_KANA_SHARE: Final = 0.15
"""Of Han and kana. Japanese prose has half its letters in kana, a Chinese text that quotes Japanese has few."""
_WORDS: Final = {
    language: frozenset(words.split())
    for language, words in {
        "en": "the of and to in is that for it was with as on be this are from have not",
        "fr": "le la les de des et un une du est que pour dans qui sur pas plus par au il",
        "de": "der die das und ist in den von zu mit dem nicht ein eine auf für als auch es sich",
        "es": "el la los las de y que en un una es por con para del se no su al lo",
        "pt": "o a os as de e que em um uma é por com para do da não se ao mais",
        "it": "il la le di e che un una è per con del della non si i gli in al più",
        "nl": "de het een en van is in dat op te zijn met voor niet die aan er ook als bij",
        "pl": "i w na z do się nie że jest to jak o po za od przez ale dla co tym",
        "tr": "ve bir bu da de için ile olarak daha olan çok gibi ne kadar sonra en var ama o her",
    }.items()
}
_WORD: Final = re.compile(r"[^\W\d_]+")


def are_of_different_languages(left: Iterable[str], right: Iterable[str]) -> bool:
    """Return whether the sentences of two texts are in different languages. False if either is not known."""
    one, other = language_of(left), language_of(right)
    return one != other and "" not in (one, other)


def is_chinese(text: str) -> bool:
    return language_of([text]) == CHINESE


def language_of(sentences: Iterable[str]) -> str:
    """Return a script, or the language for texts in Latin letters; empty for texts without letters."""
    sample = " ".join(sentences)[:JUDGED_CHARACTERS]
    counts = {
        script: sum(map(len, letters.findall(sample))) * (1 if script in _DENSE else _PER_LETTER)
        for script, letters in _SCRIPTS.items()
    }
    if counts["kana"] > _KANA_SHARE * (counts["han"] + counts["kana"]):
        counts["kana"] += counts["han"]
    script = max(counts, key=lambda name: counts[name])
    if not counts[script]:
        return ""
    return script if script != "latin" else _latin_language(sample)


def _latin_language(sample: str) -> str:
    words = [word.lower() for word in _WORD.findall(sample)]
    found = {language: sum(word in common for word in words) for language, common in _WORDS.items()}
    best = max(found, key=lambda language: found[language])
    return best if found[best] else ""
