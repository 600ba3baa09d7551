"""What a letter says, held against what the store proves, before it leaves. Pure."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from admin.cases.copier_summary import Item
from admin.evidence.letter_templates import has_claim
from admin.web.rendering.invisible_characters import marked

_ENDS: Final = r"(?=$|[\s，。；、）)」”’>\"'])"
"""After an address: `…/1` does not stand where `…/10` does."""
_HEAD: Final = re.compile(r"\b(\d{1,19}):([0-9a-f]{64})\b")
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


class Places:
    """Looks addresses up in a text: as a word of a line, as letters list them, or followed by punctuation."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._words = frozenset(text.split())

    def has(self, url: str) -> bool:
        shown = marked(url)
        if not shown:
            return False
        return shown in self._words or (shown in self._text and re.search(re.escape(shown) + _ENDS, self._text, re.M)
                                        is not None)  # fmt: skip


def named_in(text: str, items: Iterable[Item]) -> tuple[Item, ...]:
    """The cases that the text names, each with the pages that it names: our address, and at least one of theirs."""
    places = Places(text)
    with_ours = (item for item in items if places.has(item.case.our_url))
    found = (replace(item, lines=tuple(line for line in item.lines if places.has(line.url))) for item in with_ours)
    return tuple(item for item in found if item.lines)


def forbidden_in(text: str, items: Iterable[Item], may_be_named: Iterable[Item]) -> list[str]:
    """Addresses in the text of pages of these cases that no letter may name: licensed, gone, older than ours …"""
    places, allowed = Places(text), {line.url for item in may_be_named for line in item.lines}
    found = (line.url for item in items if places.has(item.case.our_url) for line in item.lines)
    return [url for url in dict.fromkeys(found) if url not in allowed and places.has(url)]


def untrue_claims(text: str, draft: str) -> list[str]:
    """Lines of the text that claim captures and are not those of the program's own draft about the same pages. The head
    of the chain may be an earlier one.
    """
    own = {_comparable(line) for line in draft.splitlines()}
    return [line.strip() for line in text.splitlines() if has_claim(line) and _comparable(line) not in own]


def _comparable(line: str) -> str:
    return _HEAD.sub("{head}", " ".join(line.split()))


def heads_in(text: str) -> set[tuple[int, bytes]]:
    """Heads of the chain of evidence that the text names: number and hash."""
    return {(int(number), bytes.fromhex(digits)) for number, digits in _HEAD.findall(text)}


def names_day(text: str, day: date) -> bool:
    """Whether the text says this date, as letters in Chinese or English write it."""
    month = _MONTHS[day.month - 1]
    forms = (
        rf"(?<!\d){day:%Y-%m-%d}(?!\d)",
        rf"(?<!\d){day.year}\s?年\s?0?{day.month}\s?月\s?0?{day.day}\s?日",
        rf"(?<!\d)0?{day.day}\s+{month}\s+{day.year}(?!\d)",
        rf"{month}\s+0?{day.day},\s+{day.year}(?!\d)",
    )
    return any(re.search(form, text) for form in forms)


def changed(seen: Sequence[tuple[int, str]], items: Collection[Item]) -> list[int]:
    """Cases that the person saw in another state, or that no letter may name any more."""
    now = {item.case.id: item.case.state.value for item in items}
    return [case_id for case_id, state in seen if now.get(case_id) != state]
