"""Schemas of letters to copiers. Their texts are read at the desk."""

from marshmallow import Schema, fields

from storage.records.letters import LetterKind, LetterState, ReplyKind
from storage.records.notices import NoticeForm
from storage.types import NoticeChannel


class _Hex(fields.Field[bytes]):
    """Bytes as hexadecimal digits."""

    def _serialize(self, value: bytes | None, attr: str | None, obj: object, **_more: object) -> str | None:
        return None if value is None else value.hex()


class LetterItem(Schema):
    """A letter that names the case."""

    id = fields.Integer(required=True)
    case_id = fields.Integer(required=True, metadata={"description": "The case from which it was written."})
    copier = fields.String(required=True)
    form = fields.String(
        required=True,
        metadata={"enum": list(NoticeForm), "description": "To whom it is addressed: the kind of notice."},
    )
    kind = fields.String(required=True, metadata={"enum": list(LetterKind)})
    follows_id = fields.Integer(required=True, allow_none=True, metadata={"description": "The letter before it."})
    followed_by = fields.Integer(required=True, allow_none=True)
    language = fields.String(required=True)
    subject = fields.String(required=True)
    recipient = fields.String(required=True)
    channel = fields.String(required=True, metadata={"enum": list(NoticeChannel)})
    state = fields.String(required=True, metadata={"enum": list(LetterState)})
    dated = fields.Date(required=True)
    deadline = fields.DateTime(
        required=True, allow_none=True, metadata={"description": "The first moment after the term."}
    )
    made_at = fields.DateTime(required=True)
    made_by = fields.String(required=True)
    send_at = fields.DateTime(
        required=True, allow_none=True, metadata={"description": "Of a mail, the earliest moment at which it leaves."}
    )
    sent_at = fields.DateTime(required=True, allow_none=True)
    reply_kind = fields.String(required=True, allow_none=True, metadata={"enum": [*ReplyKind, None]})
    reply = fields.String(required=True)
    replied_at = fields.DateTime(required=True, allow_none=True)
    closed_at = fields.DateTime(
        required=True, allow_none=True, metadata={"description": "When it was taken back or withdrawn."}
    )
    cases = fields.Integer(required=True, metadata={"description": "Cases that it names."})
    sha256 = _Hex(required=True, metadata={"type": "string", "description": "Of its text in UTF-8."})
    pdf_sha256 = _Hex(required=True, allow_none=True, metadata={"type": "string"})


class LettersAnswer(Schema):
    """The letters that name a case, newest first."""

    items = fields.List(fields.Nested(LetterItem), required=True)
