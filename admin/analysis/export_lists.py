"""The copying network as exports: its parties and its edges."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from flask_babel import lazy_gettext as _l

from admin.analysis.network_graph import Node, nodes
from admin.exports.downloads import Column, ExportList, Rows
from storage.analytics import copying
from storage.analytics.copying import CopyingFilter, Edge

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

PERIODS: Final = (30, 90, 365)
"""Days; any other value means all time."""


def requested_filter(arguments: Mapping[str, str]) -> CopyingFilter:
    """The period and scope that a query string names."""
    days = arguments.get("days", "")
    since = datetime.now(UTC) - timedelta(days=int(days)) if days in map(str, PERIODS) else None
    return CopyingFilter(since=since, ours=arguments.get("of") == "ours")


def fields_of(arguments: Mapping[str, str]) -> dict[str, str]:
    """The fields of a query string that were understood, for links that repeat them."""
    found = {"days": arguments.get("days", ""), "of": arguments.get("of", "")}
    known = {"days": {str(days) for days in PERIODS}, "of": {"ours"}}
    return {name: value for name, value in found.items() if value in known[name]}


def _edges(session: "Session", arguments: Mapping[str, str], limit: int) -> Rows[Edge]:
    return Rows(copying.edges(session, requested_filter(arguments), limit=limit))


def _nodes(session: "Session", arguments: Mapping[str, str], limit: int) -> Rows[Node]:
    return Rows(nodes(copying.edges(session, requested_filter(arguments), limit=limit)))


EDGES: Final[ExportList[Edge]] = ExportList(
    "network-edges",
    _l("Who copies whom"),
    (
        Column("source", _l("Copied from"), lambda edge: edge.source_name),
        Column("source_key", _l("Key of the source"), lambda edge: edge.source_key),
        Column("copier", _l("Copier"), lambda edge: edge.copier_name),
        Column("copier_key", _l("Key of the copier"), lambda edge: edge.copier_key),
        Column("hits", _l("Matches"), lambda edge: edge.hits),
        Column("articles", _l("Articles"), lambda edge: edge.articles),
        Column("credited", _l("With credit"), lambda edge: edge.credited),
        Column("median_hours", _l("Median hours after"), lambda edge: _rounded(edge.median_h)),
        Column("first_at", _l("First found"), lambda edge: edge.first_at),
        Column("last_at", _l("Last found"), lambda edge: edge.last_at),
    ),
    _edges,
)

NODES: Final[ExportList[Node]] = ExportList(
    "network-nodes",
    _l("Parties of the network"),
    (
        Column("key", _l("Key"), lambda node: node.key),
        Column("name", _l("Name"), lambda node: node.name),
        Column("ours", _l("ours"), lambda node: node.is_ours),
        Column("copied", _l("Matches as source"), lambda node: node.copied),
        Column("copied_by", _l("Copiers (owners)"), lambda node: node.copied_by),
        Column("copies", _l("Matches as copier"), lambda node: node.copies),
        Column("copies_from", _l("Sources copied"), lambda node: node.copies_from),
    ),
    _nodes,
)

LISTS: Final = (EDGES, NODES)


def _rounded(hours: float | None) -> float | None:
    return None if hours is None else round(float(hours), 1)
