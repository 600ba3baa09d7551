"""Schemas of letters, their answers and terms. Their texts are read at the desk."""

from marshmallow import Schema, fields

from admin.letters.terms import CountedFrom, TermKind
from storage.records.correspondence.letter_answers import NoticeLaw
from storage.records.correspondence.letters import LetterKind, LetterState, ReplyKind
from storage.records.correspondence.notices import NoticeForm
from storage.types import NoticeChannel


class _Hex(fields.Field[bytes]):
    """Bytes as hexadecimal digits."""

    def _serialize(self, value: bytes | None, attr: str | None, obj: object, **_more: object) -> str | None:
        return None if value is None else value.hex()


class AnswerItem(Schema):
    """An answer to a letter, as a person noted it."""

    id = fields.Integer(required=True)
    kind = fields.String(required=True, metadata={"enum": list(ReplyKind)})
    words = fields.String(required=True)
    law = fields.String(
        required=True, metadata={"enum": list(NoticeLaw), "description": "Under which the notice was made."}
    )
    dated = fields.Date(required=True, allow_none=True, metadata={"description": "The date that it bears."})
    received = fields.Date(required=True, metadata={"description": "The day on which it reached you."})
    provider_received = fields.Date(
        required=True,
        allow_none=True,
        metadata={"description": "Of a counter-notice, the day on which it reached the service."},
    )
    noted_at = fields.DateTime(required=True)
    noted_by = fields.String(required=True)


class TermItem(Schema):
    """A term that runs. Days are computed, and are no legal advice."""

    kind = fields.String(required=True, metadata={"enum": list(TermKind)})
    first = fields.Date(required=True, allow_none=True, metadata={"description": "Null where the law names no day."})
    last = fields.Date(required=True, allow_none=True, metadata={"description": "Null where the law names no day."})
    counted_from = fields.String(required=True, metadata={"enum": list(CountedFrom)})
    is_moved = fields.Boolean(required=True, metadata={"description": "The day named is a rest day."})
    is_confirmed = fields.Boolean(
        required=True, metadata={"description": "False where the holidays of that year are not known yet."}
    )


class LetterItem(Schema):
    """A letter that names the case."""

    id = fields.Integer(attribute="letter.id", required=True)
    case_id = fields.Integer(
        attribute="letter.case_id", required=True, metadata={"description": "The case from which it was written."}
    )
    copier = fields.String(attribute="letter.copier", required=True)
    form = fields.String(
        attribute="letter.form",
        required=True,
        metadata={"enum": list(NoticeForm), "description": "To whom it is addressed: the kind of notice."},
    )
    kind = fields.String(attribute="letter.kind", required=True, metadata={"enum": list(LetterKind)})
    follows_id = fields.Integer(
        attribute="letter.follows_id", required=True, allow_none=True, metadata={"description": "The letter before it."}
    )
    followed_by = fields.Integer(attribute="letter.followed_by", required=True, allow_none=True)
    language = fields.String(attribute="letter.language", required=True)
    subject = fields.String(attribute="letter.subject", required=True)
    recipient = fields.String(attribute="letter.recipient", required=True)
    channel = fields.String(attribute="letter.channel", required=True, metadata={"enum": list(NoticeChannel)})
    state = fields.String(attribute="letter.state", required=True, metadata={"enum": list(LetterState)})
    dated = fields.Date(attribute="letter.dated", required=True)
    deadline = fields.DateTime(
        attribute="letter.deadline",
        required=True,
        allow_none=True,
        metadata={"description": "The first moment after the term."},
    )
    made_at = fields.DateTime(attribute="letter.made_at", required=True)
    made_by = fields.String(attribute="letter.made_by", required=True)
    send_at = fields.DateTime(
        attribute="letter.send_at",
        required=True,
        allow_none=True,
        metadata={"description": "Of a mail, the earliest moment at which it leaves."},
    )
    sent_at = fields.DateTime(attribute="letter.sent_at", required=True, allow_none=True)
    reply_kind = fields.String(
        attribute="letter.reply_kind", required=True, allow_none=True, metadata={"enum": [*ReplyKind, None]}
    )
    reply = fields.String(attribute="letter.reply", required=True)
    replied_at = fields.DateTime(attribute="letter.replied_at", required=True, allow_none=True)
    closed_at = fields.DateTime(
        attribute="letter.closed_at",
        required=True,
        allow_none=True,
        metadata={"description": "When it was taken back or withdrawn."},
    )
    cases = fields.Integer(attribute="letter.cases", required=True, metadata={"description": "Cases that it names."})
    sha256 = _Hex(
        attribute="letter.sha256", required=True, metadata={"type": "string", "description": "Of its text in UTF-8."}
    )
    pdf_sha256 = _Hex(attribute="letter.pdf_sha256", required=True, allow_none=True, metadata={"type": "string"})
    law = fields.String(
        required=True, metadata={"enum": list(NoticeLaw), "description": "Under which the notice was made."}
    )
    answers = fields.List(fields.Nested(AnswerItem), required=True, metadata={"description": "Newest first."})
    terms = fields.List(fields.Nested(TermItem), required=True, metadata={"description": "What runs now, by law."})


class LettersAnswer(Schema):
    """The letters that name a case, newest first."""

    items = fields.List(fields.Nested(LetterItem), required=True)


class AnswersAnswer(Schema):
    """The answers to a letter, newest first."""

    items = fields.List(fields.Nested(AnswerItem), required=True)
    terms = fields.List(fields.Nested(TermItem), required=True, metadata={"description": "What runs now, by law."})
