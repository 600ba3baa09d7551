"""Every text is there in both languages, and the compiled catalogues are those of the sources."""

from collections.abc import Sequence
from enum import StrEnum
from itertools import chain
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from flask import Flask
from jinja2.nodes import Const, Filter

import admin
from admin.app import WORDS
from admin.identity.language import LANGUAGES
from admin.web.labels import install, label
from crawler.outcomes.refusals import Refusal
from matcher.alignment.diff import DifferenceType
from storage.engine import make_engine
from storage.types import Credit, DateOrigin, FoundBy, MatchKind, Precision, Rights, SiteRole
from tests.support.desk_client import make_app

TABLES = {name: table for tables in WORDS for name, table in tables.items()}
ROOT = Path(admin.__file__).parent
EXPLANATION = ROOT.parent / "matcher/explanation"
"""Sentences of the desk beside the English ones of the same step."""
KEYWORDS = {"_": None, "_l": None, "N_": None, "gettext": None, "ngettext": (1, 2)}


@pytest.fixture(scope="module")
def used() -> set[object]:
    """Every text that the code and the templates hand to gettext."""
    with (ROOT / "translations/babel.cfg").open() as file:
        methods, options = parse_mapping_cfg(file)  # type: ignore[no-untyped-call]  # not annotated there
    found = [extract_from_dir(str(path), methods, options, keywords=KEYWORDS) for path in (ROOT, EXPLANATION)]
    return {message for _file, _line, message, _comments, _context in chain(*found)}


def source_of(language: str) -> Catalog:
    with (ROOT / "translations" / language / "LC_MESSAGES/messages.po").open("rb") as file:
        return read_po(file, locale=language)


def texts(catalog: Catalog) -> set[tuple[str, ...]]:
    """Texts with translations, each flattened: the readers differ in lists and tuples for plurals."""
    return {(*_flat(message.id), "→", *_flat(message.string)) for message in catalog if message.id}


def _flat(value: str | Sequence[str] | None) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value or ())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated_and_none_is_stale(language: str, used: set[object]) -> None:
    catalog = source_of(language)

    translated = {message.id for message in catalog if message.id}
    assert used - translated == set(), "missing: run the commands of docs/adr/0008-admin-shell.md"
    assert translated - used == set(), "stale: these are said nowhere any more"
    assert not catalog.obsolete


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_translation_is_empty_doubtful_or_broken(language: str) -> None:
    catalog = source_of(language)

    for message in catalog:
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        assert all(strings), message.id
        assert not message.fuzzy, message.id
        assert not list(message.check(catalog)), message.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalogue_is_that_of_its_source(language: str) -> None:
    with (ROOT / "translations" / language / "LC_MESSAGES/messages.mo").open("rb") as file:
        compiled = read_mo(file)

    assert texts(compiled) == texts(source_of(language)), "run: pybabel compile -d admin/translations"


def test_chinese_texts_are_chinese() -> None:
    for message in source_of("zh"):
        if message.id:
            assert any("\u4e00" <= character <= "\u9fff" for character in str(message.string)), message.id


@pytest.mark.parametrize(
    ("table", "codes"),
    [
        *(("kind", MatchKind), ("kind_meaning", MatchKind), ("credit", Credit), ("role", SiteRole)),
        *(("rights", Rights), ("precision", Precision), ("origin", DateOrigin), ("found_by", FoundBy)),
        ("refusal", Refusal),
    ],
)
def test_every_code_has_a_word(table: str, codes: type[StrEnum]) -> None:
    assert set(TABLES[table]) == set(codes)


def test_every_difference_has_a_word_and_a_meaning() -> None:
    shown = {*DifferenceType, "moved"} - {DifferenceType.SAME}

    assert set(TABLES["difference"]) == set(TABLES["difference_meaning"]) == shown


def test_an_unknown_code_shows_as_it_is() -> None:
    app = Flask("words")
    install(app, *WORDS)

    with app.app_context():
        assert label("unheard-of", "refusal") == "unheard-of"
        assert label(None, "role") == ""


def test_no_filter_of_ours_without_the_context_stands_at_a_constant() -> None:
    """Jinja computes such a one once, in the language of whoever comes first."""
    environment = make_app(make_engine("postgresql+psycopg2://nowhere/none")).jinja_env
    frozen = [
        f"{path.name}: {found.name}"
        for path in sorted((ROOT / "templates").rglob("*.html"))
        for found in environment.parse(path.read_text(encoding="utf-8")).find_all(Filter)
        if isinstance(found.node, Const) and _is_ours_without_context(environment.filters[found.name])
    ]

    assert frozen == []


def _is_ours_without_context(function: object) -> bool:
    return str(getattr(function, "__module__", "")).startswith("admin.") and not hasattr(function, "jinja_pass_arg")
