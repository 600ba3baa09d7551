"""Detects the language of a text by its script and its commonest words. Pure; coarse on purpose."""

import re
from typing import Final

JUDGED_CHARACTERS: Final = 5_000

_KANA_SHARE: Final = 0.05
"""Of the letters beyond Latin. Japanese prose has half its letters in kana, a Chinese text quoting Japanese has few."""

_SIMPLIFIED: Final = frozenset(
    "这个们来国说为时会过学对后么没于还发当无开经头从动两长样现将与进实点种声话问机给几业间电门东车书马"
)
_TRADITIONAL: Final = frozenset(
    "這個們來國說為時會過學對後麼沒於還發當無開經頭從動兩長樣現將與進實點種聲話問機給幾業間電門東車書馬"
)
_ENGLISH_TEXT: Final = """
    the of and to in is that for it was with as on be by at this are from or have not but
"""
_ENGLISH: Final = frozenset(_ENGLISH_TEXT.split())
_ONLY_SIMPLIFIED: Final = re.compile(f"[{''.join(sorted(_SIMPLIFIED - _TRADITIONAL))}]")
_ONLY_TRADITIONAL: Final = re.compile(f"[{''.join(sorted(_TRADITIONAL - _SIMPLIFIED))}]")
_LETTERS: Final = {
    "han": re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\U00020001-\U000323af]+"),
    "kana": re.compile(r"[\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff]+"),
    "hangul": re.compile(r"[\uac00-\ud7a3]+"),
    "cyrillic": re.compile(r"[\u0400-\u0481\u048a-\u04ff]+"),
    "latin": re.compile(r"[A-Za-z\xaa\xb5\xba\xc0-\xd6\xd8-\xf6\xf8-\u024f]+"),
}
"""Letters alone: of a text of 5,000 characters they are counted in a tenth of the time that it takes one by one."""
_ENGLISH_SHARE: Final = 0.12
"""Of the words. The 23 words above make about a third of English prose, and under 3 % of its neighbours'."""


def language_of(text: str, *, declared: str = "") -> str:
    """`zh`, `zh-Hant`, `ja`, `ko`, `ru`, `en`, else what the page declares (first subtag), else empty."""
    sample = text[:JUDGED_CHARACTERS]
    scripts = letters_by_script(sample)
    han, kana, hangul = scripts["han"], scripts["kana"], scripts["hangul"]
    asian = han + kana + hangul
    # A Han character is a word, a Latin letter a fifth of one.
    if asian and 5 * asian >= scripts["latin"] + scripts["cyrillic"]:
        if kana > _KANA_SHARE * asian:
            return "ja"
        if hangul > han:
            return "ko"
        return "zh-Hant" if _is_traditional(sample) else "zh"
    if scripts["cyrillic"] > scripts["latin"]:
        return "ru"
    words = sample.lower().split()
    if words and sum(word in _ENGLISH for word in words) > _ENGLISH_SHARE * len(words):
        return "en"
    return declared.strip().lower().replace("_", "-").partition("-")[0][:8]


def letters_by_script(text: str) -> dict[str, int]:
    """Counts letters by script; marks and signs are not counted."""
    return {script: sum(map(len, letters.findall(text))) for script, letters in _LETTERS.items()}


def _is_traditional(sample: str) -> bool:
    return len(_ONLY_TRADITIONAL.findall(sample)) > len(_ONLY_SIMPLIFIED.findall(sample))
