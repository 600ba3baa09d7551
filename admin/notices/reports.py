"""Reports of the named cases, as files to attach to a notice."""

from collections.abc import Iterable
from itertools import islice
from typing import Final

from admin.cases.copier_summary import Item
from admin.evidence.dossier import dossier_of
from admin.evidence.report import report_html
from admin.identity.permissions import actor
from admin.web.db_session import database
from admin.web.services import current_services
from crawler.evidence.record_files import EvidenceFolder

MOST_REPORTS: Final = 20
"""In one packet, those of the first cases: a report takes a tenth of a second and some megabytes of pictures."""


def reports_of(items: Iterable[Item], language: str) -> dict[str, bytes]:
    """A report for each of the first cases, by file name."""
    home = current_services().home
    folder = None if home is None else EvidenceFolder(home)
    found = {}
    for item in islice(items, MOST_REPORTS):
        dossier = dossier_of(database(), item.case, made_by=actor().name)
        if dossier is not None:
            page = report_html(dossier, language, folder=folder)
            found[f"reports/case-{item.case.id}.html"] = page.encode(errors="replace")
    return found
