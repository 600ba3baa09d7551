"""The statement of a copier: all cases of one owner in a table, with totals."""

from collections import Counter
from typing import Final

from flask import Response, abort, render_template, request
from flask_babel import force_locale
from flask_babel import gettext as _

from admin.cases.common import case_or_404
from admin.cases.copier_summary import STATED, Copier, Item, copier_of
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

KINDS: Final = ("html", "pdf", *(kind for kind in TABLE_WRITERS if kind != "json"))


def statement(case_id: int) -> str | Response | tuple[str, int]:
    """The statement with all cases of the copier of a case, in any state."""
    case, language = case_or_404(case_id), requested_language()
    kind = request.args.get("as", "")
    if kind and kind not in KINDS:
        abort(404)
    copier = copier_of(database(), case, states=STATED, made_by=actor().name)
    if kind:
        note_export("evidence.statement", f"#{case_id}", kind, language=language, owner=copier.name)
    with force_locale(language):
        if kind in TABLE_WRITERS:
            return table_answer(_table(copier), kind, f"zhiwen-statement-{case.id}")
        page = render_template(
            "evidence/statement.html",
            case=case,
            copier=copier,
            states=sorted(Counter(item.case.state for item in copier.items).items()),
            style=style() if kind else None,
            chosen_language=language,
        )
    if kind == "pdf":
        return printed_or_why(page, f"zhiwen-statement-{case.id}.pdf", case_id=case.id, language=language)
    if kind:
        return attachment(page, f"zhiwen-statement-{case.id}.{language}.html", "text/html; charset=utf-8")
    return page


def _table(copier: Copier) -> Table:
    """One row for each of our articles, and the totals."""
    keys = ("case", "title", "url", "pages", "standing", "characters", "share", "credit", "state", "opened_at")
    words = (
        *(_("Case"), _("Our article"), _("Web address"), _("Pages"), _("Standing"), _("Characters")),
        _("Share of ours"),
        *(_("Credit"), _("State"), _("Opened")),
    )
    about = {_("Copier"): copier.name, _("Made"): local_time(copier.made_at).isoformat(sep=" ", timespec="seconds")}
    rows = [*map(_row, copier.items), _sums(copier)]
    cut = _("There are %(count)s more cases.", count=copier.left_out) if copier.left_out else ""
    return Table(_("Statement"), keys, words, rows, about | ({_("Left out"): cut} if cut else {}), len(rows))


def _row(item: Item) -> Row:
    case = item.case
    return (
        *(case.id, case.our_title, case.our_url, len(item.lines), len(item.standing), case.chars),
        *(round(case.our_share, 4), label(case.credit, "credit"), label(case.state, "case_state")),
        local_time(case.opened_at),
    )


def _sums(copier: Copier) -> Row:
    pages = sum(len(item.lines) for item in copier.items)
    return (len(copier.items), _("In all"), "", pages, copier.pages, copier.chars, None, "", "", None)
