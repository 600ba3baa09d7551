"""Matches between pages, as `zhiwen matches --json` prints them."""

from typing import Any

from marshmallow import Schema, fields

from admin.api.asking import Caller
from admin.api.fields import PieceQuery, one_of, piece, pieces_of, share, words, words_of
from admin.api.passages import DirectionAnswer, MatchPassage, credit_field, kind_field
from admin.api.problems import known
from admin.api.routes import READS, Routes
from admin.web.db_session import database
from matcher.cases.hit_status import standings_of
from matcher.explanation.json_shapes import hit_json
from storage.matches import hits
from storage.matches.hits import hits_below
from storage.records.matches import HitFilter
from storage.types import Credit, FoundBy, LicenceTerm, MatchKind, Relation, SiteRole, Standing

routes = Routes("matches", "Copies that were found, with their sources.")


class MatchesQuery(PieceQuery):
    site = words(200, about="A site's name, on either side.")
    owner = words(200, about="An owner's name, on either side.")
    kind = one_of(MatchKind)
    credit = one_of(Credit)
    role = one_of(SiteRole, about="Role of the source's site: `original` lists copies of ours.")
    min_share = share("Least share of the copy that is found in the source.")
    min_score = share("Least score.")
    text = words(400, least=1, about="Part of a title or address, on either side.")


class MatchSide(Schema):
    """One of the two pages."""

    url = fields.String(required=True)
    page_id = fields.Integer(required=True)
    title = fields.String(required=True)
    site = fields.String(required=True, allow_none=True)
    owner = fields.String(required=True, allow_none=True)
    chars = fields.Integer(required=True)
    share = fields.Float(required=True, metadata={"description": "Share of this text that is found in the other, 0…1."})
    published_at = fields.DateTime(required=True, allow_none=True)
    first_seen_at = fields.DateTime(required=True)
    found_by = fields.String(
        required=True, metadata={"enum": list(FoundBy), "description": "`search`: a search service returned it."}
    )


class MatchItem(Schema):
    """A copy and its source."""

    id = fields.Integer(required=True)
    copy = fields.Nested(MatchSide, required=True)
    source = fields.Nested(MatchSide, required=True)
    kind = kind_field()
    score = fields.Float(required=True)
    longest = fields.Integer(required=True)
    simhash_distance = fields.Integer(required=True, allow_none=True)
    shared_slices = fields.Integer(required=True)
    shared_seeds = fields.Integer(required=True)
    matched_units = fields.Integer(required=True)
    boilerplate_units = fields.Integer(required=True)
    provisional = fields.Boolean(required=True)
    in_our_articles = fields.Integer(
        required=True,
        metadata={"description": "Stories of yours in which its one passage stands, if they make it provisional."},
    )
    direction = fields.Nested(DirectionAnswer, required=True)
    credit = credit_field()
    credit_evidence = fields.String(required=True)
    relation = fields.String(
        required=True,
        metadata={
            "enum": list(Relation),
            "description": "`both_from_third`: both may have it from a third page, and neither from the other.",
        },
    )
    third = fields.String(
        required=True, allow_none=True, metadata={"description": "URL of the third page; null if it is not stored."}
    )
    found_at = fields.DateTime(required=True)
    licence = fields.String(required=True, allow_none=True, metadata={"enum": [*Standing, None]})
    licence_id = fields.Integer(required=True, allow_none=True)
    broken_terms = fields.List(fields.String(metadata={"enum": list(LicenceTerm)}), required=True)
    case_id = fields.Integer(required=True, allow_none=True)


class MatchAnswer(MatchItem):
    """The same with its passages."""

    passages = fields.List(fields.Nested(MatchPassage), required=True)


MatchesAnswer = pieces_of(MatchItem, "MatchesAnswer")


@routes.get("", READS, query=MatchesQuery, answer=MatchesAnswer)
def list_matches(_caller: Caller, params: dict[str, Any]) -> object:
    """Matches, newest first."""
    params = dict(params)
    limit, below = params.pop("limit"), params.pop("cursor")
    found = hits_below(database(), _filter(params), below=below, limit=limit + 1)
    standings = standings_of(database(), found)
    return piece(found, limit, lambda hit: hit_json(hit, standings[hit.id]))


@routes.get("/<key:match_id>", READS, answer=MatchAnswer)
def get_match(_caller: Caller, _asked: dict[str, Any], match_id: int) -> object:
    """One match with its passages."""
    hit = known(hits.get_hit(database(), match_id), f"There is no match {match_id}.")
    return hit_json(hit, standings_of(database(), [hit])[hit.id])


def _filter(params: dict[str, Any]) -> HitFilter:
    return HitFilter(**words_of(params, {"kind": MatchKind, "credit": Credit, "role": SiteRole}))
