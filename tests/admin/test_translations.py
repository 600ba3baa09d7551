"""Every text has its Chinese translation, and the compiled catalogue is that of its source."""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from jinja2.nodes import Const, Filter

import admin
from admin.auth.passwords import REFUSED_WORDS, Refused
from admin.check.input import NO_TEXT
from admin.evidence.labels import CAPTURE_STATES, KINDS
from admin.web.labels import label, tables_of
from crawler.importers.documents import Unread
from crawler.outcomes.refusal_words import REFUSAL_WORDS
from crawler.outcomes.refusals import Refusal
from storage.engine import make_engine
from storage.matches.direction_reasons import SENTENCES, ReasonCode
from storage.records.differences import DifferenceType
from storage.records.evidence import CaptureState, EvidenceKind
from storage.records.monitoring import Measure
from storage.types import (
    AccountRole,
    Credit,
    DateOrigin,
    FileFailure,
    FoundBy,
    MatchKind,
    Precision,
    RetellingKind,
    Rights,
    SiteRole,
)
from tests.support.desk_client import make_app

TABLES = tables_of(make_app(make_engine("postgresql+psycopg2://nowhere/none")))
ROOT = Path(admin.__file__).parent
COPY_KINDS = (*MatchKind, *RetellingKind)
CATALOGUE = ROOT / "translations/zh/LC_MESSAGES"
"""Of the one translation: the texts of the code are English."""
SHARED = ("crawler/outcomes", "matcher/explanation", "matcher/retellings", "storage/matches", "storage/records")
"""Folders beside the desk with texts of codes that it translates."""
KEYWORDS = {"_": None, "_l": None, "N_": None, "gettext": None, "ngettext": (1, 2)}


@pytest.fixture(scope="module")
def used() -> set[object]:
    """Every text that the code and the templates hand to gettext."""
    with (ROOT / "translations/babel.cfg").open() as file:
        methods, options = parse_mapping_cfg(file)  # type: ignore[no-untyped-call]  # not annotated there
    return {
        message
        for folder in (ROOT, *(ROOT.parent / name for name in SHARED))
        for _file, _line, message, _comments, _context in extract_from_dir(
            str(folder), methods, options, keywords=KEYWORDS
        )
    }


def source() -> Catalog:
    with (CATALOGUE / "messages.po").open("rb") as file:
        return read_po(file, locale="zh")


def texts(catalog: Catalog) -> set[tuple[str, ...]]:
    """Texts with translations, each flattened: the readers differ in lists and tuples for plurals."""
    return {(*_flat(message.id), "→", *_flat(message.string)) for message in catalog if message.id}


def _flat(value: str | Sequence[str] | None) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value or ())


def test_every_text_is_translated_and_none_is_stale(used: set[object]) -> None:
    catalog = source()

    translated = {message.id for message in catalog if message.id}
    assert used - translated == set(), "missing: run the commands of docs/adr/0008-admin-shell.md"
    assert translated - used == set(), "stale: these are said nowhere any more"
    assert not catalog.obsolete


def test_no_translation_is_empty_doubtful_or_broken() -> None:
    catalog = source()

    for message in catalog:
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        assert all(strings), message.id
        assert not message.fuzzy, message.id
        assert not list(message.check(catalog)), message.id


def test_the_compiled_catalogue_is_that_of_its_source() -> None:
    with (CATALOGUE / "messages.mo").open("rb") as file:
        compiled = read_mo(file)

    assert texts(compiled) == texts(source()), "run: pybabel compile -d admin/translations"


def test_chinese_texts_are_chinese() -> None:
    for message in source():
        # A frame for other words, such as “%(name)s: %(value)s”, has none of its own.
        if re.search(r"[A-Za-z]", re.sub(r"%\(\w+\)\w", "", str(message.id))):
            assert any("\u4e00" <= character <= "\u9fff" for character in str(message.string)), message.id


@pytest.mark.parametrize(
    ("table", "codes"),
    [
        *(("kind", COPY_KINDS), ("kind_meaning", COPY_KINDS), ("credit", Credit), ("role", SiteRole)),
        *(("rights", Rights), ("precision", Precision), ("origin", DateOrigin), ("found_by", FoundBy)),
        *(("refusal", Refusal), ("file_failure", FileFailure), ("measure", Measure), ("account_role", AccountRole)),
    ],
)
def test_every_code_has_a_word(table: str, codes: type[StrEnum]) -> None:
    assert set(TABLES[table]) == set(codes)


@pytest.mark.parametrize(
    ("words", "codes"),
    [
        *((REFUSAL_WORDS, Refusal), (SENTENCES, ReasonCode), (REFUSED_WORDS, Refused)),
        *((CAPTURE_STATES, CaptureState), (KINDS, EvidenceKind), (NO_TEXT, Unread)),
    ],
)
def test_every_code_has_a_word_in_the_table_that_others_share(
    words: Mapping[StrEnum, object], codes: type[StrEnum]
) -> None:
    assert set(words) == set(codes)


def test_every_difference_has_a_word_and_a_meaning() -> None:
    shown = {*DifferenceType, "moved"} - {DifferenceType.SAME}

    assert set(TABLES["difference"]) == set(TABLES["difference_meaning"]) == shown


def test_an_unknown_code_shows_as_it_is() -> None:
    with make_app(make_engine("postgresql+psycopg2://nowhere/none")).app_context():
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
