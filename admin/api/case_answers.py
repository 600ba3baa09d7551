"""Schemas of cases. Internal notes on a case are included only for roles that may read them at the desk."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from types import NoneType
from typing import Any, Final

from marshmallow import Schema, fields

from admin.cases.columns import CASE_COLUMNS, CaseColumn
from admin.evidence.letter_grounds import NoLetter
from storage.records.evidence import CaptureState
from storage.records.witnesses import ProofKind, ProofState
from storage.types import (
    CaseEventKind,
    CaseKind,
    CaseState,
    CopyState,
    Credit,
    FoundBy,
    LicenceTerm,
    Standing,
)


def _word(words: list[object], **more: object) -> fields.String:
    return fields.String(required=True, allow_none=None in words, metadata={"enum": words, **more})


_FIELDS: Final[Mapping[type, type[fields.Field[Any]]]] = {
    int: fields.Integer,
    float: fields.Float,
    str: fields.String,
    datetime: fields.DateTime,
}


def _field(column: CaseColumn) -> fields.Field[Any]:
    """As the type of the column's values says."""
    more = {"description": column.about} if column.about else {}
    (kind,) = column.types - {NoneType}
    if issubclass(kind, StrEnum):
        return _word([*kind, *([None] if NoneType in column.types else [])], **more)
    return _FIELDS[kind](required=True, allow_none=NoneType in column.types, attribute=column.field, metadata=more)


CaseItem: type[Schema] = type(
    "CaseItem",
    (Schema,),
    {
        "__doc__": "A case with the figures of its copies.",
        **{column.api_name: _field(column) for column in CASE_COLUMNS},
    },
)


class CasePageItem(Schema):
    """A page of the copier in a case."""

    page_id = fields.Integer(required=True, attribute="their_page_id")
    url = fields.String(required=True, attribute="their_url")
    title = fields.String(required=True, attribute="their_title")
    site = fields.String(required=True, allow_none=True, attribute="their_site")
    kind = _word([*CaseKind])
    chars = fields.Integer(required=True)
    our_share = fields.Float(required=True)
    their_share = fields.Float(required=True)
    credit = _word([*Credit])
    standing = _word([*Standing])
    broken_terms = fields.List(fields.String(metadata={"enum": list(LicenceTerm)}), required=True)
    licence_id = fields.Integer(required=True, allow_none=True)
    published_at = fields.DateTime(required=True, allow_none=True)
    found_at = fields.DateTime(required=True)
    gone_at = fields.DateTime(
        required=True, allow_none=True, metadata={"description": "Since when no copy is found there any more."}
    )
    page_gone_at = fields.DateTime(
        required=True, allow_none=True, metadata={"description": "Since when the copy is removed."}
    )
    copy_state = _word([*CopyState, None])
    copy_since = fields.DateTime(
        required=True, allow_none=True, metadata={"description": "The look that brought `copy_state`."}
    )
    match_id = fields.Integer(required=True, allow_none=True, attribute="hit_id")
    captures = fields.Integer(required=True, metadata={"description": "Entries of evidence."})
    found_by = _word([*FoundBy], description="How the page was found; `search`: a search service returned it.")
    capture = fields.String(
        required=True,
        attribute="evidence.state",
        metadata={"enum": list(CaptureState), "description": "Whether a response of the page's own is kept."},
    )


class EventItem(Schema):
    """Something that happened to a case."""

    id = fields.Integer(required=True)
    at = fields.DateTime(required=True)
    kind = _word([*CaseEventKind])
    actor = fields.String(required=True, metadata={"description": "Empty: the program."})
    from_state = _word([*CaseState, None])
    to_state = _word([*CaseState, None])
    note = fields.String(required=True)


class ProofItem(Schema):
    """The state of one kind of evidence over all pages or files of a case: the worst of them."""

    kind = _word([*ProofKind])
    state = _word([*ProofState], description="`pending`: a calendar promised it, which proves nothing yet.")
    done = fields.Integer(required=True)
    total = fields.Integer(
        required=True, metadata={"description": "Pages, files, or for the countersignature the head that covers them."}
    )
    at = fields.DateTime(required=True, allow_none=True, metadata={"description": "The newest that is done."})
    next_at = fields.DateTime(required=True, allow_none=True, metadata={"description": "When it is tried again."})
    problems = fields.List(fields.String(), required=True, metadata={"description": "Why, each reason once."})


class CaseAnswer(Schema):
    """A case with its pages, those with most of ours first, and its events in order."""

    case = fields.Nested(CaseItem, required=True)
    no_letter = _word([*NoLetter, None], description="Why there is no take-down letter; null where there may be one.")
    pages = fields.List(fields.Nested(CasePageItem), required=True)
    events = fields.List(fields.Nested(EventItem), required=True)
    evidence = fields.List(fields.Nested(ProofItem), required=True)
