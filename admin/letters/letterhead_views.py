"""Who writes letters: contact data, signatory, heading, seal, mail server and outbox. For administrators."""

from typing import Final

from flask import Blueprint, Response, abort, render_template, request
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.alerts.kinds.mail import KIND as MAIL
from admin.alerts.letter_mail import mail_recipient
from admin.evidence.letter_drafts import mail_channel
from admin.hooks import upload_limits
from admin.identity.audit import note
from admin.identity.permissions import actor, needs
from admin.letters.seal import MOST_BYTES, BadPicture, seal_of
from admin.web import form_fields
from admin.web.answers import done
from admin.web.db_session import database
from admin.web.url_converters import as_key
from storage.alerts import channels
from storage.letters import letterhead
from storage.records.alerts import ChannelRecord
from storage.types import AccountRole

_BAD_REQUEST: Final = 400
_SEVERAL_LINES: Final = frozenset({"heading", "address"})
_ROOM: Final = 100_000
"""Bytes of the other fields of the form."""

blueprint = Blueprint("letterhead", __name__, url_prefix="/letters/settings")
upload_limits.allow(
    blueprint, {"letterhead.edit"}, AccountRole.ADMINISTRATOR, most_bytes=MOST_BYTES + _ROOM, most_in_fields=_ROOM
)
_administrator = needs(AccountRole.ADMINISTRATOR)


@blueprint.get("")
@_administrator
def index() -> str:
    return _page()


@blueprint.post("")
@_administrator
def edit() -> AnyResponse | tuple[str, int]:
    words = {name: _field(name, most) for name, most in letterhead.WORDS.items()}
    minutes, channel = as_key(form_fields.line("outbox_minutes", 9)), form_fields.line("mail_channel", 20)
    if minutes is None or minutes > letterhead.MOST_MINUTES:
        return _page(_("Minutes in the outbox: 0 to %(most)s.", most=letterhead.MOST_MINUTES)), _BAD_REQUEST
    if words["mail"] and mail_recipient(words["mail"]) is None:
        return _page(
            _("“%(text)s” is not a mail address (use one address such as name@example.org).", text=words["mail"])
        ), 400
    chosen = next((one for one in _mail_channels() if str(one.id) == channel), None)
    if channel and chosen is None:
        abort(400)
    try:
        picture = _picture()
    except BadPicture:
        return _page(_("The seal must be a PNG or JPEG image of at most 2 MB and 20 million pixels.")), _BAD_REQUEST
    channel_id = None if chosen is None else chosen.id
    who = actor().name
    letterhead.set_letterhead(database(), words, mail_channel_id=channel_id, outbox_minutes=minutes, changed_by=who)
    note("letterhead.edit", words["organisation"] or "—", {"channel": "" if chosen is None else chosen.name})
    if picture is not None or form_fields.is_ticked("no_seal"):
        letterhead.set_seal(database(), picture, changed_by=who)
        note("letterhead.seal", words["organisation"] or "—", {"count": str(len(picture or b""))})
    return done(_("Saved. It applies to all letters from now on."), "letterhead.index", category="success")


@blueprint.get("/seal.png")
@_administrator
def seal() -> Response:
    picture = letterhead.seal(database())
    if picture is None:
        abort(404)
    return Response(picture, content_type="image/png")


def _field(name: str, most: int) -> str:
    return form_fields.text(name, most) if name in _SEVERAL_LINES else form_fields.line(name, most)


def _picture() -> bytes | None:
    file = request.files.get("seal")
    content = b"" if file is None else file.read(MOST_BYTES + 1)
    return seal_of(content) if content else None


def _mail_channels() -> list[ChannelRecord]:
    return [one for one in channels.list_channels(database()) if one.kind == MAIL.value]


def _page(problem: str = "") -> str:
    known = letterhead.letterhead(database())
    values = {name: getattr(known, name) for name in letterhead.WORDS}
    minutes, chosen = str(known.outbox_minutes), str(known.mail_channel_id or "")
    if request.method == "POST":
        values = {name: request.form.get(name, "") for name in values}
        minutes, chosen = request.form.get("outbox_minutes", ""), request.form.get("mail_channel", "")
    return render_template(
        "letters/letterhead.html",
        values=values,
        bounds=letterhead.WORDS,
        minutes=minutes,
        chosen=chosen,
        known=known,
        in_use=mail_channel(known),
        mail_channel_words=[(str(one.id), f"{one.name} · {one.shown}") for one in _mail_channels()],
        problem=problem,
    )
