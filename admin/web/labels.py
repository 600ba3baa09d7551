"""Registry of labels for codes. Each noun registers its own tables; templates and views look labels up."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TypeAlias, cast

from flask import Blueprint, Flask, current_app
from flask.sansio.app import App
from flask_babel import get_locale

Tables: TypeAlias = Mapping[str, Mapping[str, object]]
"""By name of a table: the label of each code, translated when it is shown."""

_EXTENSION = "zhiwen-labels"


def install(app: App, *tables: Tables) -> None:
    """Install `tables` in `app`. Raises ValueError where two have the same name."""
    known = app.extensions.setdefault(_EXTENSION, {})
    for table in tables:
        if doubled := known.keys() & table.keys():
            raise ValueError(f"two tables of words are called {', '.join(sorted(doubled))}")
        known.update(table)


def register(blueprint: Blueprint, tables: Tables) -> None:
    """Installs `tables` in every app that `blueprint` is registered with."""
    blueprint.record_once(lambda state: install(state.app, tables))


def tables_of(app: Flask) -> Tables:
    return cast("Tables", app.extensions[_EXTENSION])


def label(code: str | StrEnum | None, table: str) -> str:
    """The label of `code` in the viewer's language; an unknown code is returned as it is."""
    return str(tables_of(current_app)[table].get(code, code)) if code is not None else ""


def gap() -> str:
    """Between two sentences, and after a colon: nothing in Chinese, whose marks have space in them."""
    return "" if _is_chinese() else " "


def semicolon() -> str:
    """Between two parts of a line."""
    return "；" if _is_chinese() else "; "


def joined(words: Iterable[object]) -> str:
    """Words one after the other, with the comma of the viewer's language between them."""
    return ("、" if _is_chinese() else ", ").join(map(str, words))


def _is_chinese() -> bool:
    locale = get_locale()
    return locale is not None and locale.language == "zh"
