"""Schemas of passages, direction and credit, shared by checks and matches."""

import dataclasses

from marshmallow import Schema, fields

from storage.records.differences import Differences
from storage.types import Credit, MatchKind

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


class MatchPassage(PassageBase):
    copy_start = fields.Integer(required=True)
    copy_end = fields.Integer(required=True)
    source_start = fields.Integer(required=True)
    source_end = fields.Integer(required=True)


def kind_field() -> fields.String:
    return fields.String(required=True, metadata={"enum": [kind.value for kind in MatchKind]})


def credit_field() -> fields.String:
    return fields.String(required=True, metadata={"enum": [credit.value for credit in Credit]})
