"""Schemas of passages, direction and credit, shared by checks and matches."""

import dataclasses

from marshmallow import Schema, fields

from storage.records.differences import Differences
from storage.types import Credit, MatchKind, RetellingKind

DifferencesAnswer = Schema.from_dict(
    {kind.name: fields.Integer(required=True) for kind in dataclasses.fields(Differences)}, name="DifferencesAnswer"
)
"""Characters that differ, by kind."""


class DirectionAnswer(Schema):
    """Which page was first, with confidence (0…1) and reasons."""

    origin = fields.String(required=True)
    confidence = fields.Float(required=True)
    reasons = fields.List(fields.String(), required=True)


class PassageBase(Schema):
    """A passage that both texts share. Offsets count code points of the texts as supplied."""

    similarity = fields.Float(required=True)
    differences = fields.Nested(DifferencesAnswer, required=True)
    boilerplate = fields.Boolean(required=True)


class CheckPassage(PassageBase):
    query_start = fields.Integer(required=True)
    query_end = fields.Integer(required=True)
    stored_start = fields.Integer(required=True)
    stored_end = fields.Integer(required=True)


class AlikePassage(CheckPassage):
    """In a match by meaning, a sentence beside its counterpart: no character was compared, so all differences are 0."""

    particulars = fields.List(
        fields.String(),
        metadata={"description": "Names, terms and figures that both sentences have. Only in matches by meaning."},
    )


class MatchPassage(PassageBase):
    copy_start = fields.Integer(required=True)
    copy_end = fields.Integer(required=True)
    source_start = fields.Integer(required=True)
    source_end = fields.Integer(required=True)


def kind_field() -> fields.String:
    return fields.String(required=True, metadata={"enum": [kind.value for kind in MatchKind]})


def any_kind_field() -> fields.String:
    """The kind of a match of the wording, or of one by meaning."""
    return fields.String(required=True, metadata={"enum": [kind.value for kind in (*MatchKind, *RetellingKind)]})


def credit_field() -> fields.String:
    return fields.String(required=True, metadata={"enum": [credit.value for credit in Credit]})
