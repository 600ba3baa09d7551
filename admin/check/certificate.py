"""The certificate of a check: what it states, and the document that is printed from it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from typing import Any, Final

from flask import render_template
from flask_babel import force_locale

from admin.check.exclusions import LeftOut
from admin.check.result_view import CheckView
from admin.evidence.pdf import style
from fingerprint.model import ALGORITHM_VERSION
from storage.intake.check_records import CheckedRetelling, CheckedSource, CheckedText, KeptCheck

LISTED: Final = 50
"""Sources that a certificate lists."""


@dataclass(frozen=True, slots=True)
class CertificateOrder:
    """What a certificate is made of."""

    number: str
    kept: KeptCheck
    text: CheckedText
    view: CheckView
    left_out: LeftOut
    made_at: datetime
    made_by: str


def facts_of(order: CertificateOrder) -> dict[str, Any]:
    """What the certificate states, without the text, as JSON types."""
    record, view, scope = order.kept.record, order.view, order.view.result.scope
    checked_at = record.checked_at or record.created_at
    without = [row.number for row in view.counted.rows if row.is_left_out]
    return {
        "title": record.title,
        "author": record.author,
        "url": record.url,
        "kind": record.kind,
        "file_name": record.file_name,
        "chars": record.chars,
        "sha256": order.kept.sha256.hex(),
        "checked_at": checked_at.isoformat(),
        "verdict": view.verdict,
        "share": view.everything,
        "counted_share": view.share,
        "without": without,
        "quotations": not view.exclusions.quotations,
        "shorter_than": view.exclusions.shorter_than,
        "scope": {
            "texts": scope.texts,
            "sites": scope.sites,
            "newest": None if scope.newest is None else scope.newest.isoformat(),
            "waiting": scope.waiting,
            "is_estimate": scope.is_estimate,
        },
        "collection": record.collection,
        "by_meaning": record.by_meaning and not view.result.not_by_meaning,
        "is_partial": view.result.is_partial,
        "cut": view.result.cut,
        "sources": [_source(one.number, one.found) for one in view.sources[:LISTED]],
        "similar": [_source(one.number, one.found) for one in view.retold[:LISTED] if not one.found.beside],
        "program": version("zhiwen"),
        "algorithm": ALGORITHM_VERSION,
    }


def _source(number: int, found: CheckedSource | CheckedRetelling) -> dict[str, Any]:
    """A submission is listed without title and address: it is somebody else's private text."""
    page, is_submission = found.pages[0], found.text_id < 0
    return {
        "number": number,
        "url": "" if is_submission else page.url,
        "title": "" if is_submission else page.title,
        "site": "" if is_submission else page.site or found.party.host,
        "is_submission": is_submission,
        "other_pages": found.other_pages,
        "kind": found.kind.value,
        "share": found.share,
        "own_share": found.own_share,
        "longest": found.longest,
        "credit": found.credit.value,
    }


def certificate_page(number: str, facts: Mapping[str, Any], *, language: str, about: Mapping[str, Any]) -> str:
    """The document as one HTML page in `language`. `about`: by whom and when it was made, and where it is looked up."""
    with force_locale(language):
        page = render_template(
            "check/certificate_document.html",
            number=number,
            facts=facts,
            about=about,
            checked_at=datetime.fromisoformat(facts["checked_at"]),
            newest=_moment(facts["scope"]["newest"]),
            style=style(),
            chosen_language=language,
        )
    return page.encode(errors="replace").decode()


def _moment(value: str | None) -> datetime | None:
    return None if value is None else datetime.fromisoformat(value)
