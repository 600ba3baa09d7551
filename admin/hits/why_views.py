"""Explains why two pages match or do not match: every step with every number."""

from typing import Final

from flask import Blueprint, render_template, request
from flask_babel import gettext as _

from admin.hits.explanation_text import (
    FIGURES,
    STEPS,
    direction_reasons,
    figure_in_words,
    gate_in_words,
    step_in_words,
)
from admin.web.db_session import database
from admin.web.services import current_services
from admin.web.url_converters import as_key
from matcher.explanation.explain import Explanation, explain
from storage.matches import hits
from storage.pages import pages
from storage.postgres import text
from storage.records.pages import PageRecord

_LONGEST: Final = 4_000
"""Longest address, in characters."""

blueprint = Blueprint("why", __name__, url_prefix="/why")


@blueprint.get("")
def index() -> str:
    asked = {side: request.args.get(side, "").replace("\0", "").strip()[:_LONGEST] for side in ("left", "right")}
    found = {side: _page(value) for side, value in asked.items() if value}
    problems = {side: _("No stored page has this URL or number.") for side, page in found.items() if page is None}
    left, right = found.get("left"), found.get("right")
    explained = None if left is None or right is None else _explained(left, right)
    return render_template(
        "hits/why.html",
        asked=asked,
        left=left,
        right=right,
        problems=problems,
        explained=explained,
        hit=None if explained is None else hits.hit_of_pages(database(), explained.left.id, explained.right.id),
        reasons=[] if explained is None else direction_reasons(explained),
        words=[] if explained is None else [step_in_words(step, explained) for step in explained.steps],
        figure=figure_in_words,
        figure_names=FIGURES,
        step_names=STEPS,
        gate_words=gate_in_words,
    )


def _explained(left: PageRecord, right: PageRecord) -> Explanation:
    return explain(database(), left.url, right.url, open_search=current_services().open_search)


def _page(said: str) -> PageRecord | None:
    """The page with this id or URL."""
    number = as_key(said)
    return pages.get_page(database(), text.storable(said)) if number is None else pages.page_by_id(database(), number)
