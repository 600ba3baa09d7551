"""The settings of the installation: what holds, from where, and what can be changed while it runs."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from flask import Blueprint, abort, render_template, request
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.evidence.letter_drafts import mail_channel
from admin.identity.audit import note
from admin.identity.language import LANGUAGES
from admin.identity.permissions import actor, needs
from admin.identity.time_zone import zone_names
from admin.settings import backup_schedule
from admin.settings.effect import Effect, effect_of
from admin.settings.groups import fixed_above, grouped, with_former
from admin.settings.labels import NAMES, SETTING_TABLES
from admin.web import form_fields, labels
from admin.web.answers import done
from admin.web.db_session import database, let_go
from admin.web.labels import label
from admin.web.query_fields import QueryFields
from admin.web.services import current_services
from admin.web.settings_desk import BadSetting, SettingsDesk, StatedSetting
from matcher.cases.case_rule import CaseRule
from storage.accounts import accounts
from storage.alerts import channels
from storage.backups import history as backups
from storage.desk import setting_changes
from storage.jobs import queue
from storage.letters import letterhead
from storage.pages import text_index
from storage.types import AccountRole

SHOWN_CHANGES: Final = 20
HISTORY_READ: Final = 2_000
MOST_CHARS: Final = 100_000
_RECENTLY: Final = timedelta(hours=24)

blueprint = Blueprint("settings", __name__, url_prefix="/settings")
labels.register(blueprint, SETTING_TABLES)
_administrator = needs(AccountRole.ADMINISTRATOR)


@blueprint.get("")
@_administrator
def index() -> str:
    return _page()


@blueprint.post("/effect", endpoint="effect")
@_administrator
def count_effect() -> str:
    """Count what the thresholds of the form would change; nothing is changed."""
    return _page(sent=_sent(), effect=effect_of(_asked_rule()))


@blueprint.post("")
@_administrator
def change() -> AnyResponse | tuple[str, int]:
    """Change the settings that the form has; an empty text returns to the default. All of them, or none."""
    desk, sent = _desk(), _sent()
    known = {one.name: one for one in desk.stated({})}
    # The default is not stored: it may be another one in a later version.
    new = {name: None if text in ("", known[name].default) else text for name, text in sent.items() if name in known}
    if not new:
        abort(400)
    problems = [words for name, text in new.items() if (words := _problem(desk, known[name], text))]
    if problems:
        return _page(problem=" ".join(problems), sent=sent), 400
    changed = setting_changes.change(database(), new, by=actor().name)
    for name, (was, is_now) in changed.items():
        default = known[name].default or "—"
        note("setting.change", name, {"before": was or default, "after": is_now or default})
    # Committed before this process reads it.
    let_go()
    desk.changed()
    return done(_("Saved. It takes effect everywhere within seconds.") if changed else _("No changes."),
                "settings.index")  # fmt: skip


@blueprint.post("/backup")
@_administrator
def back_up() -> AnyResponse:
    _enqueue(queue.BACKUP)
    note("backup.ask", "—")
    return done(_("Backup queued; it starts as soon as a worker is free."), "settings.index")


@blueprint.post("/text-index")
@_administrator
def switch_text_index() -> AnyResponse:
    wanted = form_fields.is_ticked("wanted")
    _enqueue(queue.TEXT_INDEX, wanted=wanted)
    note("index.build" if wanted else "index.drop", "—")
    return done(_("Index change queued; it starts as soon as a worker is free."), "settings.index")


def _sent() -> dict[str, str]:
    sent = {name: form_fields.line(name, setting_changes.LONGEST_VALUE) for name in NAMES if name in request.form}
    if backup_schedule.NAME in sent:
        sent[backup_schedule.NAME] = backup_schedule.sent_rule()
    return sent


def _problem(desk: SettingsDesk, known: StatedSetting, text: str | None) -> str:
    """Why a text cannot be set; empty: it can. None is the default, which is valid."""
    name = label(known.name, "setting")
    if known.is_fixed:
        return str(_("“%(name)s” is set on the server and cannot be changed here.", name=name))
    try:
        if text is not None:
            desk.check(known.name, text)
    except BadSetting:
        bad, valid = (text or "")[:80], label(known.name, "setting_valid")
        words = _("“%(text)s” is not valid for “%(name)s”. Valid: %(valid)s.", text=bad, name=name, valid=valid)
        return str(words)
    return ""


def _asked_rule() -> CaseRule:
    """The thresholds of the form; a missing or impossible one is the present one."""
    present, fields = current_services().case_rule, QueryFields(request.form, ("case_min_chars", "case_min_share"))
    chars = fields.number("case_min_chars", MOST_CHARS)
    try:
        share = float(fields.text("case_min_share") or "")
    except ValueError:
        share = present.min_share
    is_share = 0 <= share <= 1
    return CaseRule(present.min_chars if chars is None else chars, share if is_share else present.min_share)


def _desk() -> SettingsDesk:
    desk = current_services().settings
    if desk is None:
        abort(501)
    return desk


def _enqueue(task: str, **arguments: object) -> None:
    enqueue = current_services().enqueue
    if enqueue is None:
        abort(501)
    enqueue(task, **arguments)


def _page(*, problem: str = "", sent: dict[str, str] | None = None, effect: Effect | None = None) -> str:
    desk = current_services().settings
    found = [] if desk is None else desk.stated(setting_changes.values(database()))
    changes = with_former(setting_changes.history(database(), limit=HISTORY_READ))
    return render_template(
        "settings/settings.html",
        groups=grouped(found),
        fixed=fixed_above(found),
        by_name={one.name: one for one in found},
        changes=changes[:SHOWN_CHANGES],
        problem=problem,
        sent=sent or {},
        effect=effect,
        languages=LANGUAGES,
        zones=zone_names(),
        backup_choices=backup_schedule.CHOICES,
        backup_choice_of=backup_schedule.choice_of,
        can_ask=current_services().enqueue is not None,
        **_state(),
    )


def _state() -> dict[str, Any]:
    now = datetime.now(UTC)
    head = letterhead.letterhead(database())
    return {
        "people_count": len(accounts.list_accounts(database())),
        "channel_count": len(channels.list_channels(database())),
        "head": head,
        "mail_in_use": mail_channel(head),
        "index": text_index.state(database()),
        "newest": backups.newest(database()),
        "tested": backups.newest_tested(database()),
        "backup_failed": queue.was_set_aside_since(database(), queue.BACKUP, now - _RECENTLY),
        "waiting_jobs": {one.task for one in queue.list_jobs(database(), states=(queue.WAITING, queue.RUNNING))},
        "has_workers": queue.has_workers(database()),
    }
