"""Possible retellings: pages that may say in other words, or in another language, what another page says."""

from typing import Any

from marshmallow import Schema, fields

from admin.api.asking import Caller
from admin.api.check import AgreeingFigures
from admin.api.fields import PieceQuery, one_of, piece, pieces_of, share, words, words_of
from admin.api.matches import MatchSide
from admin.api.passages import DirectionAnswer, MatchPassage, credit_field
from admin.api.problems import known
from admin.api.routes import READS, Routes
from admin.web.db_session import database
from matcher.cases.retelling_standing import standings_of_retellings
from matcher.explanation.json_shapes import retelling_json
from storage.meaning import retelling_list
from storage.records.retellings import RetellingFilter
from storage.types import Relation, RetellingKind, RetellingState, SiteRole, Standing

routes = Routes("retellings", "Pages that may say in other words what another page says. Similar is not copied.")


class RetellingsQuery(PieceQuery):
    site = words(200, about="A site's name, on either side.")
    owner = words(200, about="An owner's name, on either side.")
    kind = one_of(RetellingKind)
    state = one_of(RetellingState)
    relation = one_of(Relation)
    role = one_of(SiteRole, about="Role of the source's site: `original` lists retellings of ours.")
    min_score = share("Least score.")
    text = words(400, least=1, about="Part of a title or address, on either side.")


class SimilarSentences(MatchPassage):
    """Two sentences that say the same."""

    particulars = fields.List(
        fields.String(), required=True, metadata={"description": "Names, terms and figures in both."}
    )


class RetellingItem(Schema):
    """A pair of pages, of which `copy` is probably the later one. It is no claim that it was copied."""

    id = fields.Integer(required=True)
    copy = fields.Nested(MatchSide, required=True)
    source = fields.Nested(MatchSide, required=True)
    kind = fields.String(required=True, metadata={"enum": list(RetellingKind)})
    score = fields.Float(required=True)
    in_order = fields.Integer(
        required=True, metadata={"description": "Sentences that follow the one before them in both texts."}
    )
    figures = fields.Nested(AgreeingFigures, required=True)
    particulars = fields.List(
        fields.String(), required=True, metadata={"description": "Names, terms and figures in both."}
    )
    proof = fields.List(fields.String(), required=True, metadata={"description": "Why they are similar, in words."})
    direction = fields.Nested(DirectionAnswer, required=True)
    credit = credit_field()
    credit_evidence = fields.String(required=True)
    relation = fields.String(required=True, metadata={"enum": list(Relation)})
    third = fields.String(
        required=True, allow_none=True, metadata={"description": "The page that both seem to have it from."}
    )
    state = fields.String(required=True, metadata={"enum": list(RetellingState)})
    found_at = fields.DateTime(required=True)
    licence = fields.String(required=True, allow_none=True, metadata={"enum": [*Standing, None]})
    case_id = fields.Integer(required=True, allow_none=True)


class RetellingAnswer(RetellingItem):
    """The same with its sentences."""

    passages = fields.List(fields.Nested(SimilarSentences), required=True)


RetellingsAnswer = pieces_of(RetellingItem, "RetellingsAnswer")


@routes.get("", READS, query=RetellingsQuery, answer=RetellingsAnswer)
def list_retellings(_caller: Caller, params: dict[str, Any]) -> object:
    """Possible retellings, newest first. Pairs whose wording matches are under `matches`."""
    params = dict(params)
    limit, below = params.pop("limit"), params.pop("cursor")
    where = RetellingFilter(
        **words_of(params, {"kind": RetellingKind, "state": RetellingState, "relation": Relation, "role": SiteRole})
    )
    found = retelling_list.retellings_below(database(), where, below=below, limit=limit + 1)
    standings = standings_of_retellings(database(), found)
    return piece(found, limit, lambda one: retelling_json(one, standings[one.id]))


@routes.get("/<key:retelling_id>", READS, answer=RetellingAnswer)
def get_retelling(_caller: Caller, _asked: dict[str, Any], retelling_id: int) -> object:
    """One possible retelling with its sentences."""
    missing = f"There is no retelling {retelling_id}."
    found = known(retelling_list.get_retelling(database(), retelling_id), missing)
    return retelling_json(found, standings_of_retellings(database(), [found])[found.id])
