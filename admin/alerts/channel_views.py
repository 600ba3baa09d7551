"""Views of channels: add, test, switch off, remove. The secret of a channel is shown once, when it is made."""

from enum import StrEnum
from typing import Final

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import get_locale
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.alerts.addresses import NO_ADDRESS, BadAddress
from admin.alerts.channel_registry import KINDS, LONGEST, kind_of, read_address
from admin.alerts.kinds.mail import NO_RECIPIENT, mail_address
from admin.alerts.labels import ALERT_TABLES
from admin.alerts.problem_text import problem_in_words
from admin.identity.language import LANGUAGES
from admin.identity.permissions import actor, needs
from admin.web import form_fields, labels, reading_slots
from admin.web.answers import onward
from admin.web.db_session import database, let_go
from admin.web.services import current_services
from admin.web.url_converters import as_key
from storage.accounts import audit_log
from storage.alerts import channels
from storage.alerts import rules as alert_rules
from storage.errors import NameTaken, NotKnown
from storage.records.alerts import ChannelRecord, NewAddress, RuleTerms
from storage.types import AccountRole

LARGEST_PORT: Final = 65_535
_BAD_REQUEST, _CONFLICT, _NOT_WIRED = 400, 409, 501
_MAIL_FIELDS: Final = ("host", "port", "security", "user", "sender", "recipients")

blueprint = Blueprint("alert_channels", __name__, url_prefix="/alerts/channels")
labels.register(blueprint, ALERT_TABLES)
blueprint.add_app_template_filter(problem_in_words)
_administrator = needs(AccountRole.ADMINISTRATOR)


class Language(StrEnum):
    """The language of messages."""

    ZH = "zh"
    EN = "en"


class Security(StrEnum):
    """How the connection to a mail server is encrypted."""

    SSL = "ssl"
    STARTTLS = "starttls"
    INSECURE = "insecure"


class How(StrEnum):
    """Which of the two forms was submitted."""

    ADDRESS = "address"
    MAIL = "mail"


@blueprint.get("")
@_administrator
def index() -> str:
    return _page()


@blueprint.post("")
@_administrator
def add() -> AnyResponse | str | tuple[str, int]:
    how, language, name = (
        form_fields.choice("how", How),
        form_fields.choice("language", Language),
        form_fields.line("name"),
    )
    if not name or len(name) > channels.NAME_CHARS:
        return _page(_("A name must have 1 to %(most)s characters.", most=channels.NAME_CHARS)), _BAD_REQUEST
    try:
        read = _address(how)
        channel = channels.add_channel(database(), name, read, language=language)
    except BadAddress as error:
        return _page(str(error.why)), _BAD_REQUEST
    except NameTaken:
        return _page(_("A channel with this name already exists.")), _CONFLICT
    terms = RuleTerms(_("All cases, daily"))
    alert_rules.add_rule(database(), channel.id, terms)
    audit_log.record(database(), actor=actor(), act="channel.add", subject=name, detail={"to": read.shown})
    secret = channels.address_of(database(), channel.id).secret
    if secret:
        return _one(channel, secret=secret)
    flash(_("Channel added. It receives new cases every day at %(at)s. Send a test message now.",
            at=terms.digest_at))  # fmt: skip
    return onward("alert_channels.detail", channel_id=channel.id)


@blueprint.get("/<key:channel_id>")
@_administrator
def detail(channel_id: int) -> str:
    return _one(_channel(channel_id))


@blueprint.post("/<key:channel_id>")
@_administrator
def edit(channel_id: int) -> AnyResponse | tuple[str, int]:
    """An empty address keeps the present one, which is secret and not on the form."""
    channel, language, name = _channel(channel_id), form_fields.choice("language", Language), form_fields.line("name")
    if not name or len(name) > channels.NAME_CHARS:
        problem = _("A name must have 1 to %(most)s characters.", most=channels.NAME_CHARS)
        return _one(channel, problem), _BAD_REQUEST
    values: dict[str, object] = {"name": name, "language": language.value, "enabled": form_fields.is_ticked("enabled")}
    try:
        if form_fields.line("address", LONGEST):
            values |= _new_address(channel)
        channels.edit_channel(database(), channel_id, values)
    except BadAddress as error:
        return _one(channel, str(error.why)), _BAD_REQUEST
    except NameTaken:
        return _one(channel, _("A channel with this name already exists.")), _CONFLICT
    said = {"enabled": "yes" if values["enabled"] else "no"} | (
        {"to": str(values["shown"])} if "shown" in values else {}
    )
    audit_log.record(database(), actor=actor(), act="channel.edit", subject=name, detail=said)
    flash(_("Saved."))
    return redirect(url_for("alert_channels.detail", channel_id=channel_id))


@blueprint.post("/<key:channel_id>/test")
@_administrator
def test(channel_id: int) -> AnyResponse | tuple[str, int]:
    channel, try_channel = _channel(channel_id), current_services().try_channel
    if try_channel is None:
        return _one(channel, _("This desk cannot send messages.")), _NOT_WIRED
    reading_slots.take()
    audit_log.record(database(), actor=actor(), act="channel.test", subject=channel.name)
    # Sending may take a minute: the connection goes back to the pool.
    let_go()
    is_sent, problem = try_channel(channel_id)
    if is_sent:
        flash(_("Test message sent.") + (f" {problem_in_words(problem)}" if problem else ""), "success")
    else:
        flash(_("Could not send the test message: %(problem)s", problem=problem_in_words(problem)), "danger")
    return redirect(url_for("alert_channels.detail", channel_id=channel_id))


@blueprint.post("/<key:channel_id>/secret")
@_administrator
def renew_secret(channel_id: int) -> str:
    """Replace the secret; the old one is invalid at once."""
    channel = _channel(channel_id)
    if not kind_of(channel.kind).is_signed:
        abort(404)
    secret = channels.new_secret()
    channels.edit_channel(database(), channel_id, {"secret": secret})
    audit_log.record(database(), actor=actor(), act="channel.secret", subject=channel.name)
    return _one(channel, secret=secret)


@blueprint.post("/<key:channel_id>/remove")
@_administrator
def remove(channel_id: int) -> AnyResponse | tuple[str, int]:
    channel = _channel(channel_id)
    if form_fields.line("confirm") != channel.name:
        return _one(channel, _("Not removed: the name you typed does not match.")), _BAD_REQUEST
    dropped = channels.remove_channel(database(), channel_id)
    detail = {"count": str(dropped)}
    audit_log.record(database(), actor=actor(), act="channel.remove", subject=channel.name, detail=detail)
    flash(_("%(name)s and its rules are removed.", name=channel.name))
    return redirect(url_for("alert_channels.index"))


def _address(how: How) -> NewAddress:
    """Raises BadAddress."""
    if how is How.ADDRESS:
        return read_address(form_fields.line("address", LONGEST))
    said = {name: form_fields.line(name) for name in _MAIL_FIELDS}
    port = as_key(said["port"] or "0")
    if not said["host"] or port is None or port > LARGEST_PORT:
        raise BadAddress(NO_ADDRESS)
    if not said["recipients"]:
        # Apprise would send to the sender.
        raise BadAddress(NO_RECIPIENT)
    security = form_fields.choice("security", Security)
    return read_address(mail_address(**said | {"security": security.value}, password=form_fields.secret("password")))


def _new_address(channel: ChannelRecord) -> dict[str, object]:
    read = read_address(form_fields.line("address", LONGEST))
    values: dict[str, object] = {"kind": read.kind, "address": read.full, "shown": read.shown}
    if read.is_signed and not kind_of(channel.kind).is_signed:
        values["secret"] = channels.new_secret()
    return values


def _channel(channel_id: int) -> ChannelRecord:
    try:
        return channels.get_channel(database(), channel_id)
    except NotKnown:
        abort(404)


def _page(problem: str = "") -> str:
    sent = {name: form_fields.line(name) for name in ("how", "name", *_MAIL_FIELDS)} if request.method == "POST" else {}
    return render_template(
        "alerts/alert_channels.html",
        channels=channels.list_channels(database()),
        kinds=KINDS.values(),
        languages=LANGUAGES,
        language=str(get_locale()),
        problem=problem,
        sent=sent,
    )


def _one(channel: ChannelRecord, problem: str = "", *, secret: str = "") -> str:
    rules = [rule for rule in alert_rules.list_rules(database()) if rule.channel_id == channel.id]
    return render_template(
        "alerts/alert_channel.html",
        channel=channel,
        is_signed=kind_of(channel.kind).is_signed,
        rules=rules,
        languages=LANGUAGES,
        problem=problem,
        secret=secret,
        longest=LONGEST,
    )
