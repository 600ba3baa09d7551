"""The page of a case: both texts, the decisions, the facts, and what happened."""

from dataclasses import dataclass

from flask import Blueprint, render_template

from admin.cases.common import case_or_404
from admin.cases.reading import Reading, reading_of, requested_exclusions, texts_without_hit
from admin.cases.review import CaseView, context_of, pages_to_show, shown_page, view_of, wants_all_events
from admin.passages.alike_sentences import AlikeTexts, alike_texts
from admin.passages.excerpts import SHOWN_PASSAGES, Excerpt, excerpts
from admin.passages.side_by_side import Pair
from admin.web.db_session import database
from admin.web.services import current_services
from storage.evidence.case_proofs import case_proofs
from storage.meaning import retelling_list
from storage.pages import pages
from storage.records.cases import CasePageRecord
from storage.types import BY_MEANING

blueprint = Blueprint("case", __name__, url_prefix="/cases/<key:case_id>")


@blueprint.get("")
def page(case_id: int) -> str:
    return shown(case_id)


def shown(case_id: int, *, problem: str = "", draft: str | None = None) -> str:
    """The page of a case; `problem` says why a requested action was refused, `draft` are notes that were not saved."""
    case = case_or_404(case_id)
    found = pages_to_show(case)
    first = shown_page(found[0])
    hit_id = None if first is None else first.hit_id
    reading = None if hit_id is None else reading_of(hit_id, requested_exclusions())
    view = view_of(case, found, first, reading)
    similar = _similar(view)
    return render_template(
        "cases/case.html",
        problem=problem,
        draft=draft,
        similar=similar,
        pair=_pair(reading, first, similar),
        glance=_glance(reading, case.our_page_id),
        all_events=wants_all_events(),
        proofs=case_proofs(database(), case_id, set_up=current_services().witness_kinds),
        **context_of(view, reading),
    )


def _pair(reading: Reading | None, page: CasePageRecord | None, similar: "Similar | None") -> Pair | None:
    """The two texts: with passages where a hit is stored, else as they are; None where sentences stand for them."""
    if reading is not None:
        return reading.pair
    if page is None or similar is not None:
        return None
    return texts_without_hit(page.our_text_id, page.their_text_id)


@dataclass(frozen=True, slots=True)
class Glance:
    """The longest passages. The left of each excerpt is theirs where `left_is_theirs`, else ours."""

    excerpts: list[Excerpt]
    left_is_theirs: bool
    passages: int


def _glance(reading: Reading | None, our_page_id: int) -> Glance | None:
    """The longest of many passages; few are seen at once in the texts."""
    if reading is None or len(reading.hit.passages) <= SHOWN_PASSAGES:
        return None
    hit = reading.hit
    found = excerpts(reading.copy, reading.source, hit.passages)
    return Glance(found, hit.copy.page_id != our_page_id, len(hit.passages)) if found else None


@dataclass(frozen=True, slots=True)
class Similar:
    """The sentences of the first page that only meaning shows. The left ones are theirs where `left_is_theirs`."""

    texts: AlikeTexts
    left_is_theirs: bool


def _similar(view: CaseView) -> Similar | None:
    by_meaning = (page.retelling_id for page in view.pages if page.kind in BY_MEANING and page.gone_at is None)
    retelling_id = next((number for number in by_meaning if number is not None), None)
    retelling = None if retelling_id is None else retelling_list.get_retelling(database(), retelling_id)
    if retelling is None:
        return None
    copy, source = (pages.text_body(database(), side.text_id) for side in (retelling.copy, retelling.source))
    texts = alike_texts(copy or "", source or "", retelling.sentences)
    return Similar(texts, retelling.copy.page_id != view.case.our_page_id)
