"""The statement of a copier: all cases of one owner in a table, with totals."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from flask import Response, abort, render_template, request
from flask_babel import force_locale
from flask_babel import gettext as _

from admin.cases.common import case_or_404
from admin.cases.copier_summary import STATED, UNDECIDED, Copier, Item, copier_of
from admin.evidence.letters import requested_language
from admin.evidence.pdf import printed_or_why, style
from admin.exports.downloads import table_answer
from admin.exports.writers import WRITERS as TABLE_WRITERS
from admin.exports.writers import Row, Table
from admin.identity.audit import note_export
from admin.identity.dates import local_time
from admin.identity.permissions import actor
from admin.web.db_session import database
from admin.web.downloads import attachment
from admin.web.labels import label
from storage.cases import handout
from storage.records.cases import CaseRecord
from storage.types import CaseState

KINDS: Final = ("html", "pdf", *(kind for kind in TABLE_WRITERS if kind != "json"))


def statement(case_id: int) -> str | Response | tuple[str, int]:
    """The statement with the decided cases of the copier of a case; on request, with those that nobody has decided."""
    case, language = case_or_404(case_id), requested_language()
    states = STATED | UNDECIDED if request.args.get("undecided") else STATED
    kind = request.args.get("as", "")
    if kind and kind not in KINDS:
        abort(404)
    copier = copier_of(database(), case, states=states, made_by=actor().name)
    totals = _totals(case, states)
    if kind:
        note_export("evidence.statement", f"#{case_id}", kind, language=language, owner=copier.name)
    with force_locale(language):
        if kind in TABLE_WRITERS:
            return table_answer(_table(copier, totals), kind, f"zhiwen-statement-{case.id}")
        page = render_template(
            "evidence/statement.html",
            case=case,
            copier=copier,
            totals=totals,
            with_undecided=states != STATED,
            style=style() if kind else None,
            chosen_language=language,
        )
    if kind == "pdf":
        return printed_or_why(page, f"zhiwen-statement-{case.id}.pdf", case_id=case.id, language=language)
    if kind:
        return attachment(page, f"zhiwen-statement-{case.id}.{language}.html", "text/html; charset=utf-8")
    return page


@dataclass(frozen=True, slots=True)
class Totals:
    """Figures over all cases, listed or not. `states`: how many cases are in each."""

    cases: int
    pages: int
    captured: int
    chars: int
    states: tuple[tuple[CaseState, int], ...]


def _totals(case: CaseRecord, states: Collection[CaseState]) -> Totals:
    found = handout.totals_of_copier(database(), case.other_key, states=states)
    return Totals(
        cases=sum(one.cases for one in found),
        pages=sum(one.pages for one in found),
        captured=sum(one.captured for one in found),
        chars=sum(one.chars for one in found),
        states=tuple(sorted((one.state, one.cases) for one in found)),
    )


def _table(copier: Copier, totals: Totals) -> Table:
    """One row for each of our articles, and the totals, which count articles beyond the bound too."""
    keys = ("case", "title", "url", "pages", "standing", "characters", "share", "credit", "state", "opened_at")
    words = (
        *(_("Case"), _("Our article"), _("Web address"), _("Pages"), _("Standing"), _("Characters")),
        _("Share of ours"),
        *(_("Credit"), _("State"), _("Opened")),
    )
    about = {_("Copier"): copier.name, _("Created"): local_time(copier.made_at).isoformat(sep=" ", timespec="seconds")}
    rows = [*map(_row, copier.items), _sums(copier, totals)]
    cut = _("More cases: %(count)s.", count=copier.left_out) if copier.left_out else ""
    return Table(_("Statement"), keys, words, rows, about | ({_("Left out"): cut} if cut else {}), len(rows))


def _row(item: Item) -> Row:
    case = item.case
    return (
        *(case.id, case.our_title, case.our_url, len(item.lines), len(item.standing), case.chars),
        *(round(case.our_share, 4), label(case.credit, "credit"), label(case.state, "case_state")),
        local_time(case.opened_at),
    )


def _sums(copier: Copier, totals: Totals) -> Row:
    """`pages` counts the lines of the table, as in the rows above; `standing` and the characters are over all cases."""
    pages = sum(len(item.lines) for item in copier.items)
    return (totals.cases, _("Total"), "", pages, totals.pages, totals.chars, None, "", "", None)
