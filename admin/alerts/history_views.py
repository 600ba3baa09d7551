"""Views of messages that were sent, wait or were set aside, and of alerts that are held for a check."""

from datetime import UTC, datetime
from typing import Final

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.identity.permissions import actor, needs
from admin.web.db_session import database
from admin.web.services import current_services
from admin.web.url_converters import as_key
from storage.accounts import audit_log
from storage.alerts import channels, history, outbox
from storage.jobs import alert_events, queue
from storage.records.alerts import MessageState
from storage.types import AccountRole

SHOWN: Final = 50

blueprint = Blueprint("alerts", __name__, url_prefix="/alerts")


@blueprint.get("")
def index() -> str:
    state = request.args.get("state", "")
    chosen = MessageState(state) if state in set(MessageState) else None
    before = as_key(request.args.get("before", ""))
    found = history.list_messages(database(), state=chosen, before_id=before, limit=SHOWN + 1)
    return render_template(
        "alerts/alerts.html",
        messages=found[:SHOWN],
        next_before=found[SHOWN - 1].id if len(found) > SHOWN else None,
        state=chosen,
        states=MessageState,
        counts=history.counts(database()),
        holds=alert_events.open_holds(database()),
        channels=channels.list_channels(database()),
        has_workers=queue.has_workers(database()),
    )


@blueprint.post("/messages/<key:message_id>/retry")
@needs(AccountRole.MANAGER)
def retry(message_id: int) -> AnyResponse:
    """Send the message at once, with its attempts counted from zero."""
    if not outbox.try_again(database(), message_id, datetime.now(UTC)):
        abort(404)
    audit_log.record(database(), actor=actor(), act="alert.retry", subject=f"#{message_id}")
    enqueue_alerts()
    flash(_("Sending again."))
    return redirect(url_for("alerts.index"))


@blueprint.post("/messages/<key:message_id>/drop")
@needs(AccountRole.MANAGER)
def drop(message_id: int) -> AnyResponse:
    if not outbox.drop_message(database(), message_id):
        abort(404)
    audit_log.record(database(), actor=actor(), act="alert.drop", subject=f"#{message_id}")
    flash(_("The message will not be sent."))
    return redirect(url_for("alerts.index"))


@blueprint.post("/holds/<key:hold_id>/send")
@needs(AccountRole.MANAGER)
def send_held(hold_id: int) -> AnyResponse:
    return _end_hold(hold_id, send=True)


@blueprint.post("/holds/<key:hold_id>/drop")
@needs(AccountRole.MANAGER)
def drop_held(hold_id: int) -> AnyResponse:
    return _end_hold(hold_id, send=False)


def enqueue_alerts() -> None:
    """Start the alert job now instead of at the worker's next tick."""
    enqueue = current_services().enqueue
    if enqueue is not None:
        enqueue(queue.ALERT)


def _end_hold(hold_id: int, *, send: bool) -> AnyResponse:
    hold = next((one for one in alert_events.open_holds(database()) if one.id == hold_id), None)
    if hold is None:
        abort(404)
    count = alert_events.release(database(), hold_id, send=send, by=actor().name)
    detail = {"count": str(count)}
    audit_log.record(
        database(), actor=actor(), act="hold.send" if send else "hold.drop", subject=hold.site, detail=detail
    )
    if send:
        flash(_("Alerts to be sent by their rules: %(count)s.", count=count))
    else:
        flash(_("Alerts dropped: %(count)s.", count=count))
    return redirect(url_for("alerts.index"))
