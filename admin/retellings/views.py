"""Possible retellings: the list, and one pair with its sentences side by side."""

from typing import Final

from flask import Blueprint, abort, render_template

from admin.hits.retelling_text import direction_in_words, relation_in_words, retelling_in_words
from admin.passages.alike_sentences import alike_texts
from admin.retellings.common import just_done, retelling_or_404, retelling_query
from admin.retellings.labels import RETELLING_TABLES
from admin.retellings.query import RetellingQuery, RetellingTab
from admin.web import labels
from admin.web.db_session import database
from admin.web.pagination import Paging, counted_to
from admin.web.replica_reads import reads_replica
from storage.meaning import retelling_list
from storage.pages import pages
from storage.records.retellings import RetellingRecord
from storage.sites import owners, sites
from storage.types import Dismissal, Relation, RetellingKind, SiteRole

MOST_COUNTED: Final = 10_000
"""Nobody goes further."""

blueprint = Blueprint("retellings", __name__, url_prefix="/retellings")
labels.register(blueprint, RETELLING_TABLES)
blueprint.add_app_template_filter(retelling_in_words)
blueprint.add_app_template_filter(relation_in_words)
blueprint.add_app_template_filter(direction_in_words)


@blueprint.get("")
@reads_replica
def index() -> str:
    query = retelling_query()
    bound = counted_to(query.page, most=MOST_COUNTED, is_searched=query.where.text is not None)
    found = retelling_list.ids_of_retellings(database(), query.where, bound=bound)
    paging = Paging(query.page, len(found))
    shown = found[paging.offset : paging.offset + paging.size]
    return render_template(
        "retellings/retellings.html",
        retellings=retelling_list.retellings_by_id(database(), shown),
        paging=paging,
        query=query,
        tabs=_tabs(query),
        choices=_choices(query),
        is_cut=len(found) == bound,
        most_counted=MOST_COUNTED,
        done=just_done(),
    )


def _tabs(query: RetellingQuery) -> dict[RetellingTab, int]:
    counts = retelling_list.count_by_state(database(), query.where)
    return {tab: sum(counts.values()) if tab.state is None else counts.get(tab.state, 0) for tab in RetellingTab}


def _choices(query: RetellingQuery) -> dict[str, list[str]]:
    """Values of the filters; a requested name that no longer exists stays among them."""
    names = {
        "site": [site.name for site in sites.list_sites(database())],
        "owner": [owner.name for owner in owners.list_owners(database())],
    }
    known = {
        field: list(dict.fromkeys([*filter(None, [query.fields.get(field)]), *found])) for field, found in names.items()
    }
    return known | {"kind": list(RetellingKind), "relation": list(Relation), "role": list(SiteRole)}


@blueprint.get("/<key:retelling_id>")
def detail(retelling_id: int) -> str:
    return shown(retelling_or_404(retelling_id))


def shown(retelling: RetellingRecord, *, problem: str = "") -> str:
    """The page of a retelling; `problem` says why a requested action was refused."""
    found = pages.pages_by_id(database(), [retelling.copy.page_id, retelling.source.page_id])
    bodies = pages.text_bodies(database(), [retelling.copy.text_id, retelling.source.text_id])
    copy, source = bodies.get(retelling.copy.text_id), bodies.get(retelling.source.text_id)
    if len(found) < len({retelling.copy.page_id, retelling.source.page_id}) or copy is None or source is None:
        # A page was removed between two queries of this request.
        abort(404)
    query = retelling_query()
    return render_template(
        "retellings/retelling.html",
        retelling=retelling,
        copy_page=found[retelling.copy.page_id],
        source_page=found[retelling.source.page_id],
        texts=alike_texts(copy, source, retelling.sentences),
        query=query,
        next_id=retelling_list.next_retelling(database(), query.where, retelling),
        previous_id=retelling_list.next_retelling(database(), query.where, retelling, backwards=True),
        dismissals=list(Dismissal),
        problem=problem,
        done=just_done(),
    )
