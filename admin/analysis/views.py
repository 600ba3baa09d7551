"""Analysis: the copying network, the copiers, the articles copied most, and one copier in detail."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from flask import Blueprint, Response, abort, render_template, request

from admin.analysis.export_lists import PERIODS, fields_of, requested_filter
from admin.analysis.network_graph import BAR, NAMES, WIDTH, graphml, network_picture
from admin.hooks.template_filters import disguise
from admin.web.db_session import database
from admin.web.downloads import attachment
from admin.web.rendering.bar_charts import shares
from admin.web.replica_reads import reads_replica
from storage.analytics import copying
from storage.analytics.copying import Copier
from storage.desk.dashboard import DELAY_STEPS_H
from storage.matches import hits as match_hits
from storage.records.matches import HitRecord
from storage.types import Credit, MatchKind

SHOWN_EDGES: Final = 20
SHOWN_COPIERS: Final = 20
SHOWN_ARTICLES: Final = 20
SHOWN_HITS: Final = 20
HITS_LOOKED_INTO: Final = 200
"""Hits of one copier that are read with their passages."""

blueprint = Blueprint("analysis", __name__, url_prefix="/analysis")


@blueprint.get("")
@reads_replica
def index() -> str:
    where = requested_filter(request.args)
    found = copying.overview(database(), where, copiers=SHOWN_COPIERS, articles=SHOWN_ARTICLES)
    edges = found.edges
    return render_template(
        "analysis/analysis.html",
        hits=sum(edge.hits for edge in edges),
        has_more=copying.has_more(database()),
        bound=copying.HITS_COUNTED,
        picture=network_picture(edges),
        edges=edges[:SHOWN_EDGES],
        all_edges=len(edges),
        copiers=found.copiers,
        articles=found.articles,
        fields=fields_of(request.args),
        periods=PERIODS,
        geometry={"width": WIDTH, "names": NAMES, "bar": BAR},
    )


@blueprint.get("/network.graphml")
@reads_replica
def network() -> Response:
    found = copying.edges(database(), requested_filter(request.args))
    return attachment(graphml(found), "network.graphml", "application/graphml+xml")


@dataclass(frozen=True, slots=True)
class Counted:
    """A code with its count, and the count as a share of the largest one (0…1)."""

    key: str
    count: int
    share: float


@dataclass(frozen=True, slots=True)
class Ways:
    """Habits of a copier, from its newest hits."""

    looked_into: int
    kinds: tuple[Counted, ...]
    credits: tuple[Counted, ...]
    disguises: tuple[Counted, ...]
    """Kinds of changed characters, by count."""
    delays: tuple[Counted, ...]
    """`key`: index of the interval between DELAY_STEPS_H."""
    before: int
    """Copies dated before their source."""


@blueprint.get("/copiers/<path:copier_key>")
@reads_replica
def copier(copier_key: str) -> str:
    where = copying.CopyingFilter(copier=copier_key.replace("\0", ""))
    found = copying.party(database(), where, edges=SHOWN_EDGES, hits=HITS_LOOKED_INTO)
    if found is None:
        abort(404)
    hits = match_hits.hits_by_id(database(), found.hits)
    return render_template(
        "analysis/analysis_copier.html",
        copier=found.copier,
        ways=ways_of(hits, found.hours),
        edges=found.edges,
        hits=hits[:SHOWN_HITS],
        credit_share=credit_share,
    )


def ways_of(hits: Sequence[HitRecord], hours: Sequence[float]) -> Ways:
    """Kinds, credit and disguises of `hits`, and how `hours` of delay are distributed (pure)."""
    kinds = [(kind.value, sum(hit.kind is kind for hit in hits)) for kind in MatchKind]
    credits = [(credit.value, sum(hit.credit is credit for hit in hits)) for credit in Credit]
    bounds = (0.0, *DELAY_STEPS_H, float("inf"))
    delays = [sum(low <= hour < high for hour in hours) for low, high in pairwise(bounds)]
    return Ways(
        looked_into=len(hits),
        kinds=_counted(kinds),
        credits=_counted(credits),
        disguises=_counted(disguise([passage for hit in hits for passage in hit.passages])),
        delays=_counted([(str(place), count) for place, count in enumerate(delays)]),
        before=sum(hour < 0 for hour in hours),
    )


def credit_share(found: Copier) -> float:
    """Share of the copier's hits that credit the source."""
    return (found.linked + found.named) / found.hits if found.hits else 0.0


def _counted(found: Sequence[tuple[str, int]]) -> tuple[Counted, ...]:
    counts = [count for _key, count in found]
    return tuple(Counted(key, count, share) for (key, count), share in zip(found, shares(counts), strict=True))
