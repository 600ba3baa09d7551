"""Documents of a case: evidence bundle, report, letters, statement."""

from functools import partial
from typing import Final

from flask import Blueprint, Response, render_template, request, url_for
from flask_babel import gettext as _

from admin.cases.common import case_or_404
from admin.evidence import letters, statements
from admin.evidence.bundle import plan_of, stream
from admin.evidence.dossier import Dossier, dossier_of
from admin.evidence.labels import PROOF_TABLES, capture_state, certainty_words, evidence_kind
from admin.evidence.letters import requested_language
from admin.evidence.made_packages import ACT, NoPackage, made_packages, own_key, package_answer, signature_answer
from admin.evidence.pdf import printed_or_why
from admin.evidence.report import SHOWN_COPIES, report_html, reports
from admin.evidence.witness_files import witness_archive
from admin.identity.audit import note_export
from admin.identity.dates import local_day
from admin.identity.language import LANGUAGES
from admin.identity.permissions import actor
from admin.web import labels
from admin.web.answers import or_404
from admin.web.db_session import database
from admin.web.downloads import attachment
from admin.web.services import current_services
from crawler.evidence.record_files import EvidenceFolder

LISTED_PACKAGES: Final = 5
"""Packages of a case whose signatures are offered at its page."""

blueprint = Blueprint("evidence", __name__, url_prefix="/cases/<key:case_id>")
blueprint.get("/letter")(letters.letter)
blueprint.post("/letter")(letters.letter_file)
blueprint.get("/statement")(statements.statement)
blueprint.add_app_template_filter(capture_state)
blueprint.add_app_template_filter(certainty_words)
blueprint.add_app_template_filter(evidence_kind)
labels.register(blueprint, PROOF_TABLES)
blueprint.app_context_processor(
    lambda: {
        "report_languages": list(LANGUAGES.items()),
        "shown_copies_bound": SHOWN_COPIES,
        "made_packages": partial(made_packages, limit=LISTED_PACKAGES),
    }
)


@blueprint.get("/evidence.zip")
def bundle(case_id: int) -> Response:
    dossier = _dossier_or_404(case_id)
    note_export("evidence.bundle", f"#{case_id}", "zip")
    plan = plan_of(dossier, reports(dossier, _folder()), _folder())
    return attachment(stream(plan, dossier), f"{_name(dossier)}.zip", "application/zip")


@blueprint.get("/witnesses.zip")
def witnesses(case_id: int) -> Response:
    """The lists with files of the case, and what witnesses answered."""
    case_or_404(case_id)
    packed = witness_archive(database(), case_id)
    note_export("evidence.witnesses", f"#{case_id}", "zip")
    return attachment(packed, f"zhiwen-case-{case_id}-witnesses.zip", "application/zip")


@blueprint.get("/evidence.wacz")
def package(case_id: int) -> Response | tuple[str, int]:
    # The key first: the chain, whose head the package names, then announces it.
    case_or_404(case_id)
    try:
        key = own_key()
        return package_answer(
            _dossier_or_404(case_id),
            key,
            lambda detail: note_export(ACT, f"#{case_id}", "wacz", **detail),
            signature_at=lambda digest: url_for("evidence.package_signature", case_id=case_id, sha256=digest),
        )
    except NoPackage as error:
        return _no_package(error)


@blueprint.get("/evidence.wacz.sig.json")
def package_signature(case_id: int) -> Response | tuple[str, int]:
    case_or_404(case_id)
    try:
        return signature_answer(case_id, request.args.get("sha256"))
    except NoPackage as error:
        return _no_package(error)


@blueprint.get("/report")
def report(case_id: int) -> str | Response:
    dossier, language = _dossier_or_404(case_id), requested_language()
    if not request.args.get("download"):
        return report_html(dossier, language, folder=_folder(), stands_alone=False)
    page = report_html(dossier, language, folder=_folder())
    note_export("evidence.report", f"#{case_id}", "html", language=language)
    return attachment(page, f"{_name(dossier)}.{language}.html", "text/html; charset=utf-8")


@blueprint.get("/report.pdf")
def pdf(case_id: int) -> Response | tuple[str, int]:
    dossier, language = _dossier_or_404(case_id), requested_language()
    page = report_html(dossier, language, folder=_folder())
    note_export("evidence.report", f"#{case_id}", "pdf", language=language)
    return printed_or_why(page, f"{_name(dossier)}.{language}.pdf", case_id=case_id, language=language)


def _no_package(error: NoPackage) -> tuple[str, int]:
    advice = _(
        "The evidence package cannot be created or signed here: %(why)s", why=labels.label(str(error), "not_made")
    )
    return render_template("error.html", status=409, title=_("No evidence package"), advice=advice), 409


def _dossier_or_404(case_id: int) -> Dossier:
    return or_404(dossier_of(database(), case_or_404(case_id), made_by=actor().name))


def _folder() -> EvidenceFolder | None:
    home = current_services().home
    return None if home is None else EvidenceFolder(home)


def _name(dossier: Dossier) -> str:
    return f"zhiwen-case-{dossier.case.id}-{local_day(dossier.made_at):%Y%m%d}"
