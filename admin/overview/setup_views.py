"""The first hour: from an empty installation to alerts and letters, step by step, on one page.

Each step is done where it stands. The page follows what is stored, so that it can be left and resumed at any time.
"""

from flask import Blueprint, redirect, render_template, url_for
from flask_babel import get_locale
from werkzeug.wrappers import Response as AnyResponse

from admin.alerts.channel_registry import KINDS
from admin.identity.language import LANGUAGES
from admin.identity.permissions import actor, may, needs
from admin.overview.setup_steps import Setup, setup_of
from admin.web import form_fields
from admin.web.db_session import database
from storage.alerts import channels
from storage.desk import onboarding as progress
from storage.letters import letterhead
from storage.sites import sites
from storage.types import AccountRole, OnboardingStep, SiteRole

blueprint = Blueprint("setup", __name__, url_prefix="/first-hour")


@blueprint.get("")
@needs(AccountRole.MANAGER)
def index() -> str:
    head = letterhead.letterhead(database())
    known = sites.list_sites(database())
    return render_template(
        "overview/setup.html",
        setup=present_setup(),
        steps_to_hit=progress.onboarding_steps(database()),
        ours=[site for site in known if site.settings.role is SiteRole.ORIGINAL],
        watched=[site for site in known if site.settings.role is SiteRole.WATCHED],
        channels=channels.list_channels(database()) if may(AccountRole.ADMINISTRATOR) else [],
        head=head,
        values={name: getattr(head, name) for name in letterhead.WORDS},
        bounds=letterhead.WORDS,
        kinds=KINDS.values(),
        languages=LANGUAGES,
        message_language=str(get_locale()),
        here=url_for("setup.index"),
    )


@blueprint.post("/skip")
@needs(AccountRole.MANAGER)
def skip() -> AnyResponse:
    progress.skip(database(), form_fields.choice("step", OnboardingStep), by=actor().name)
    return redirect(url_for("setup.index"))


@blueprint.post("/resume")
@needs(AccountRole.MANAGER)
def resume() -> AnyResponse:
    progress.resume(database(), form_fields.choice("step", OnboardingStep))
    return redirect(url_for("setup.index"))


@blueprint.app_template_global()
def present_setup() -> Setup:
    """The steps, for templates that show them."""
    return setup_of(progress.steps_done(database()), progress.skipped(database()))
