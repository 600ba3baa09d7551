"""Texts that are set aside as proving nothing: the list, the preview of the effect, setting aside and withdrawing."""

from typing import Final

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.check.input import NoInput
from admin.check.views import LARGEST_FIELDS, LARGEST_UPLOAD
from admin.hooks import upload_limits
from admin.identity.audit import note
from admin.identity.permissions import actor, needs
from admin.set_aside.form import Asked, of_passage, problem_of, scopes_of, submitted
from admin.set_aside.labels import SET_ASIDE_TABLES
from admin.sites.jobs import MATCH
from admin.web import form_fields, labels, reading_slots
from admin.web.db_session import database
from admin.web.pagination import Paging
from admin.web.services import current_services
from admin.web.url_converters import as_key
from matcher.boilerplate.set_aside import CannotSetAside
from matcher.cases import setting_aside
from matcher.cases.set_aside_effect import Effect, effect_of
from matcher.cases.setting_aside import LargePartOfOurs
from storage.analytics import fingerprint_health
from storage.cases import set_aside_cases
from storage.errors import NotKnown
from storage.fingerprints import set_aside as stored
from storage.records.set_aside import SetAsideRecord
from storage.types import AccountRole

SHOWN_PAIRS: Final = 100
LEARNED_SHOWN: Final = 20
_ACT: Final = "set-aside"

Answer = str | tuple[str, int] | AnyResponse

blueprint = Blueprint("set_aside", __name__, url_prefix="/set-aside")
labels.register(blueprint, SET_ASIDE_TABLES)
upload_limits.allow(
    blueprint, {"set_aside.put"}, AccountRole.REVIEWER, most_bytes=LARGEST_UPLOAD, most_in_fields=LARGEST_FIELDS
)


@blueprint.get("")
def index() -> str:
    return _index()


def _index(problem: str = "", asked: Asked | None = None) -> str:
    withdrawn = request.args.get("withdrawn") == "1"
    paging = Paging(as_key(request.args.get("page", "")) or 1, stored.count(database(), withdrawn=withdrawn))
    texts = stored.list_set_aside(database(), withdrawn=withdrawn, limit=paging.size, offset=paging.offset)
    return render_template(
        "set_aside/set_aside_list.html",
        texts=texts,
        paging=paging,
        withdrawn=withdrawn,
        learned=fingerprint_health.learned_runs(database(), limit=LEARNED_SHOWN),
        scopes=scopes_of(None),
        asked=asked,
        problem=problem,
    )


@blueprint.get("/hits/<key:hit_id>")
@needs(AccountRole.REVIEWER)
def of_hit(hit_id: int) -> Answer:
    """The effect of setting a passage of a hit aside."""
    number = as_key(request.args.get("passage", "1")) or 0
    asked, passages = of_passage(hit_id, number)
    return _preview(asked, passage=number, passages=passages)


@blueprint.post("")
@needs(AccountRole.REVIEWER)
def put() -> Answer:
    """Show the effect, or set the text aside if this effect was seen."""
    asked = submitted()
    if isinstance(asked, NoInput):
        return _index(asked.words), 422
    if request.form.get("act") != _ACT:
        return _preview(asked)
    if form_fields.line("seen") != asked.mark:
        return _preview(asked, problem=_("The text or its scope has changed. This is the effect now."))
    return _put(asked)


def _put(asked: Asked) -> Answer:
    me, new = actor(), asked.new
    reading_slots.take_for(asked.text)
    try:
        done = setting_aside.set_aside(
            database(),
            new,
            actor_id=me.id,
            actor=me.name,
            is_confirmed=form_fields.is_ticked("sure"),
            rule=current_services().case_rule,
        )
    except CannotSetAside as error:
        return _index(problem_of(error), asked), 422
    except LargePartOfOurs:
        return _preview(
            asked, problem=_("First confirm that such a large part of your articles should count as boilerplate.")
        )
    detail = {"scope": asked.scope, "cases": str(done.cases), "hits": str(done.effect.hits_gone)}
    note("set-aside.add", f"#{done.set_aside_id}", detail)
    _compare_soon()
    flash(_("Set aside. Cases withdrawn: %(count)s.", count=done.cases), "success")
    return redirect(url_for("set_aside.detail", set_aside_id=done.set_aside_id))


def _preview(asked: Asked, *, problem: str = "", passage: int = 0, passages: int = 0) -> Answer:
    reading_slots.take_for(asked.text)
    try:
        effect = effect_of(database(), asked.new, rule=current_services().case_rule)
    except CannotSetAside as error:
        effect, problem = Effect((), False, 0, ()), problem_of(error)
    page = render_template(
        "set_aside/set_aside_preview.html",
        asked=asked,
        effect=effect,
        pairs=effect.pairs[:SHOWN_PAIRS],
        scopes=scopes_of(asked.hit_id),
        problem=problem,
        passage=passage,
        passages=passages,
    )
    return (page, 422) if problem else page


@blueprint.get("/<key:set_aside_id>")
def detail(set_aside_id: int) -> str:
    found = _or_404(set_aside_id)
    cases = set_aside_cases.cases_of_text(database(), set_aside_id)
    return render_template(
        "set_aside/set_aside_text.html",
        text=found,
        taken=[one for one in cases if one.is_taken_back],
        resting=[one for one in cases if not one.is_taken_back],
    )


@blueprint.post("/<key:set_aside_id>/withdraw")
@needs(AccountRole.REVIEWER)
def withdraw(set_aside_id: int) -> AnyResponse:
    _or_404(set_aside_id)
    done = setting_aside.withdraw(database(), set_aside_id, by=actor().name)
    if done is None:
        flash(_("Already withdrawn."), "warning")
    else:
        note("set-aside.withdraw", f"#{set_aside_id}", {"cases": str(done.cases)})
        _compare_soon()
        flash(_("Withdrawn. Cases restored: %(count)s.", count=done.cases), "success")
    return redirect(url_for("set_aside.detail", set_aside_id=set_aside_id))


def _or_404(set_aside_id: int) -> SetAsideRecord:
    try:
        return stored.get(database(), set_aside_id)
    except NotKnown:
        abort(404)


def _compare_soon() -> None:
    enqueue = current_services().enqueue
    if enqueue is not None:
        enqueue(MATCH)
