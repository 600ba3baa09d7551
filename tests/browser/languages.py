"""The desk in the language of a person: words are named in English, and looked up in the catalogue."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from babel.messages.pofile import read_po
from playwright.sync_api import Page, expect

import admin
from tests.support.desk_client import NAME, PASSWORD

LOCALES: Final = {"zh": "zh-CN", "en": "en-GB"}
"""What a browser asks for, by language of the desk."""


def _catalogue() -> dict[str, str]:
    """Chinese by English; a text with a number by its plural."""
    with (Path(admin.__file__).parent / "translations/zh/LC_MESSAGES/messages.po").open("rb") as file:
        return {_last(one.id): _last(one.string) for one in read_po(file) if one.id}


def _last(texts: str | Sequence[str] | None) -> str:
    """The only text, or the last of its plurals."""
    return texts if isinstance(texts, str) else (texts or [""])[-1]


_CHINESE: Final = _catalogue()


def word(language: str, english: str, **values: object) -> str:
    """Of a person who reads `language`; a text that the desk does not have is a mistake of the test."""
    chinese = _CHINESE[english]
    found = chinese if language == "zh" else english
    return found % values if values else found


def enter(page: Page, language: str) -> None:
    """By keys alone, on the page of the log-in, whose language is chosen first."""
    switch = page.locator(f".top-end button[value={language}]")
    if switch.count():
        switch.press("Enter")
    expect(page.get_by_label(word(language, "Name"), exact=True)).to_be_focused()
    page.keyboard.type(NAME)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=word(language, "Log out"))).to_be_visible()
