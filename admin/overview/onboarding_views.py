"""Onboarding, from an empty installation to the first hit: finished steps and the next one."""

from dataclasses import dataclass

from flask import Blueprint, abort
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.identity.audit import note
from admin.identity.permissions import needs
from admin.sites.jobs import CRAWL, MATCH
from admin.web.answers import done
from admin.web.db_session import database
from admin.web.services import Enqueue, current_services
from storage.desk import onboarding as progress
from storage.desk.onboarding import OnboardingSteps
from storage.sites import sites
from storage.types import AccountRole

blueprint = Blueprint("first_hour", __name__, url_prefix="/first-hour")


@dataclass(frozen=True, slots=True)
class Steps:
    done: OnboardingSteps
    has_worker: bool
    can_preview: bool

    @property
    def current(self) -> int:
        """Number of the current step: own articles, others' articles, comparison, first hit; 0 after the last."""
        finished = (self.done.own_pages, self.done.watched_pages, self.done.compared, self.done.hits)
        return next((number for number, is_done in enumerate(finished, start=1) if not is_done), 0)


@blueprint.post("/crawl")
@needs(AccountRole.MANAGER)
def crawl() -> AnyResponse:
    """Queue a crawl of every enabled site."""
    enqueue = _enqueue_or_501()
    asked = [site.name for site in sites.list_sites(database()) if site.settings.enabled]
    for name in asked:
        enqueue(CRAWL, site=name)
    note("site.crawl", f"{len(asked)}")
    return done(_("Crawls queued; they start as soon as a worker is free."), "home.index")


@blueprint.post("/match")
@needs(AccountRole.MANAGER)
def match() -> AnyResponse:
    _enqueue_or_501()(MATCH)
    return done(_("Comparison queued; it starts as soon as a worker is free."), "home.index")


@blueprint.app_template_global()
def first_hour() -> Steps:
    """The steps, for templates that show them."""
    has_worker, can_preview = current_services().enqueue is not None, current_services().preview_site is not None
    return Steps(progress.onboarding_steps(database()), has_worker, can_preview)


def _enqueue_or_501() -> Enqueue:
    enqueue = current_services().enqueue
    if enqueue is None:
        abort(501)
    return enqueue
