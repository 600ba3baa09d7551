"""Certificates: issued from a kept result, looked up by their number, compared with a file, withdrawn."""

import hashlib
import hmac
from datetime import UTC, datetime
from typing import Final

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from flask_babel import get_locale
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.check.certificate import CertificateOrder, certificate_page, facts_of
from admin.check.certificate_number import new_number, read_number
from admin.check.kept_views import Reading, gone, reading_of
from admin.check.views import form_page
from admin.identity.audit import note
from admin.identity.current_user import current_account
from admin.identity.permissions import actor, may, needs
from admin.web import reading_slots
from admin.web.answers import or_404
from admin.web.db_session import database
from admin.web.desk_address import outside_url
from admin.web.downloads import attachment
from admin.web.rate_limits import limiter
from admin.web.services import current_services
from admin.web.url_converters import as_key
from crawler.browser.pdf import NotPrinted, printed
from storage.intake import check_certificates
from storage.intake.check_certificates import NewCertificate
from storage.intake.check_records import CertificateRecord
from storage.types import AccountRole

LOOKUPS: Final = "60 per minute"
"""Of one address: many for a person, few for somebody who guesses numbers of 75 bits."""
PAGE: Final = 50

blueprint = Blueprint("certificates", __name__)


@blueprint.app_template_filter()
def as_moment(stated: str) -> datetime:
    """A time of the facts of a certificate."""
    return datetime.fromisoformat(stated)


@blueprint.post("/check/results/<check_key>/certificate")
@needs(AccountRole.REVIEWER)
def issue(check_key: str) -> AnyResponse | tuple[str, int]:
    reading = reading_of(check_key)
    if reading is None:
        return form_page(problem=gone()), 404
    reading_slots.take()
    try:
        made = _made(reading)
    except NotPrinted as error:
        return render_template(
            "check/no_certificate.html", why=str(error), check_key=check_key, menu_entry="check"
        ), 503
    check_certificates.add_certificate(database(), made)
    note("certificate.issue", made.number)
    flash(_("Certificate issued. Save the file; a copy is kept under its number."))
    return redirect(url_for("certificates.show", number=made.number), 303)


def _made(reading: Reading) -> NewCertificate:
    """Raises NotPrinted where no browser can print."""
    who, number, now, language = actor(), new_number(), datetime.now(UTC), str(get_locale())
    order = CertificateOrder(number, reading.kept, reading.text, reading.view, reading.left_out, now, who.name)
    facts = facts_of(order)
    about = {"made_at": now, "made_by": who.name, "address": outside_url("certificates.show", number=number)}
    pdf = printed(certificate_page(number, facts, language=language, about=about), with_title=True)
    return NewCertificate(
        number=number,
        account_id=who.id,
        made_by=who.name,
        made_at=now,
        title=reading.text.title,
        text_sha256=reading.kept.sha256,
        chars=reading.kept.record.chars,
        verdict=reading.view.verdict,
        share=reading.view.everything,
        language=language,
        facts=facts,
        pdf=pdf,
        pdf_sha256=hashlib.sha256(pdf).digest(),
    )


@blueprint.get("/certificates")
@limiter.limit(LOOKUPS)
def index() -> AnyResponse | str:
    """Looks a number up; with an account, lists the own ones."""
    _refuse_strangers()
    typed = request.args.get("number", "")
    number = read_number(typed)
    if number is not None:
        return redirect(url_for("certificates.show", number=number))
    who = current_account()
    before = as_key(request.args.get("before", ""))
    found = [] if who is None else check_certificates.list_certificates(
        database(), account_id=who.id, before_id=before, limit=PAGE + 1
    )  # fmt: skip
    return render_template(
        "check/certificates.html", typed=typed, certificates=found[:PAGE], has_more=len(found) > PAGE,
        menu_entry="check",
    )  # fmt: skip


@blueprint.get("/certificates/<number>")
@limiter.limit(LOOKUPS)
def show(number: str) -> AnyResponse | str | tuple[str, int]:
    _refuse_strangers()
    return _page(number)


@blueprint.post("/certificates/<number>")
@limiter.limit(LOOKUPS)
@needs(AccountRole.VIEWER)
def compare(number: str) -> AnyResponse | str | tuple[str, int]:
    """Compares a file with the certificate as it was handed out. The file is not stored."""
    _refuse_strangers()
    file = request.files.get("file")
    if file is None or not file.filename:
        return _page(number, problem=_("Choose the file of the certificate first."))
    with file.stream as stream:
        digest = hashlib.file_digest(stream, "sha256").digest()  # type: ignore[arg-type]  # it reads bytes
    return _page(number, digest=digest)


def _page(number: str, *, digest: bytes | None = None, problem: str = "") -> AnyResponse | str | tuple[str, int]:
    known = read_number(number)
    found = None if known is None else check_certificates.get_certificate(database(), known)
    if found is None:
        return render_template("check/certificates.html", typed=number, is_unknown=True, certificates=[]), 404
    if number != found.number:
        return redirect(url_for("certificates.show", number=found.number))
    page = "check/certificate.html" if may(AccountRole.VIEWER) else "check/certificate_public.html"
    return render_template(
        page,
        certificate=found,
        digest=digest,
        is_same=digest is not None and hmac.compare_digest(digest, found.pdf_sha256),
        problem=problem,
        may_withdraw=_may_withdraw(found),
        menu_entry="check",
    )


@blueprint.get("/certificates/<number>/file.pdf")
@needs(AccountRole.REVIEWER)
def document(number: str) -> Response:
    """The document as it was handed out, byte for byte."""
    known = or_404(read_number(number))
    pdf = check_certificates.document_of(database(), known)
    return attachment(pdf, f"{known}.pdf", "application/pdf")


@blueprint.post("/certificates/<number>/withdraw")
@needs(AccountRole.REVIEWER)
def withdraw(number: str) -> AnyResponse:
    found = or_404(check_certificates.get_certificate(database(), or_404(read_number(number))))
    if not _may_withdraw(found):
        abort(403)
    check_certificates.withdraw(database(), found.number, by=actor().name)
    note("certificate.withdraw", found.number)
    flash(_("Certificate withdrawn. Anyone who looks up its number sees this."))
    return redirect(url_for("certificates.show", number=found.number))


def _may_withdraw(found: CertificateRecord) -> bool:
    """Its maker, while he may check texts, or an administrator."""
    who = current_account()
    if who is None or found.withdrawn_at is not None or not may(AccountRole.REVIEWER):
        return False
    return who.id == found.account_id or may(AccountRole.ADMINISTRATOR)


def _refuse_strangers() -> None:
    """Lets everybody in where this installation shows certificates to whoever has the number."""
    if current_account() is None and not current_services().public_certificates:
        wanted = request.full_path.rstrip("?") if request.method == "GET" else None
        abort(redirect(url_for("login.form", next=wanted)))
