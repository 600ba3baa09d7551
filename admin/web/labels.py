"""The registry of words for codes. Each noun registers tables of its own; templates and views look them up."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias, cast

from flask import Blueprint, Flask, current_app
from flask.sansio.app import App

Tables: TypeAlias = Mapping[str, Mapping[str, object]]
"""By the name of a table: the word for each code, translated when it is shown."""

_EXTENSION = "zhiwen-labels"


def install(app: App, *tables: Tables) -> None:
    """`app` knows these tables from now on. Raises ValueError where two have the same name."""
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
    """The word for `code` in the reader's language; an unknown code as it is."""
    return str(tables_of(current_app)[table].get(code, code)) if code is not None else ""
