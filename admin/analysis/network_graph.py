"""The copying network as a picture: sources at the left, copiers at the right, bands between them (pure)."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import networkx as nx

from admin.web.downloads import xml_text
from storage.analytics.copying import Edge

MOST_PARTIES: Final = 14
"""Parties with a row of their own on each side; the others share the last row."""
WIDTH: Final = 1_000
NAMES: Final = 250
"""Width of the column of names on each side."""
BAR: Final = 14
GAP: Final = 12
LEAST: Final = 18
"""Least height of a row, so that the name fits."""
TALLEST: Final = 420
"""Total height of the bars of one side, without gaps."""
OTHERS: Final = ""


@dataclass(frozen=True, slots=True)
class PartyBar:
    """One party on one side. `key` is OTHERS for the row of all parties without a row of their own."""

    key: str
    name: str
    is_ours: bool
    hits: int
    y: float
    height: float

    @property
    def middle(self) -> float:
        return self.y + self.height / 2


@dataclass(frozen=True, slots=True)
class Band:
    """Hits between two parties as an SVG path. `credited`: share of the hits that credit the source."""

    source: PartyBar
    copier: PartyBar
    hits: int
    credited: float
    path: str


@dataclass(frozen=True, slots=True)
class NetworkPicture:
    sources: tuple[PartyBar, ...]
    copiers: tuple[PartyBar, ...]
    bands: tuple[Band, ...]
    height: float


def network_picture(edges: Sequence[Edge]) -> NetworkPicture:
    """The network drawn: widths are proportional to hits, the largest parties come first."""
    sources = _bars([(edge.source_key, edge.source_name, edge.source_is_ours, edge.hits) for edge in edges])
    copiers = _bars([(edge.copier_key, edge.copier_name, edge.copier_is_ours, edge.hits) for edge in edges])
    left, right = {bar.key: bar for bar in sources}, {bar.key: bar for bar in copiers}
    together: dict[tuple[str, str], tuple[int, int]] = {}
    for edge in edges:
        pair = _row(edge.source_key, left), _row(edge.copier_key, right)
        hits, credited = together.get(pair, (0, 0))
        together[pair] = (hits + edge.hits, credited + edge.credited)
    taken = {"left": dict.fromkeys(left, 0.0), "right": dict.fromkeys(right, 0.0)}
    order = {key: place for place, key in enumerate([*left, *right])}
    bands = []
    for (source, copier), (hits, credited) in sorted(
        together.items(), key=lambda item: (left[item[0][0]].y, right[item[0][1]].y, order[item[0][0]])
    ):
        one, other = left[source], right[copier]
        from_height, to_height = one.height * hits / one.hits, other.height * hits / other.hits
        path = _ribbon(one.y + taken["left"][source], from_height, other.y + taken["right"][copier], to_height)
        taken["left"][source] += from_height
        taken["right"][copier] += to_height
        bands.append(Band(one, other, hits, credited / hits, path))
    height = max((bar.y + bar.height for bar in (*sources, *copiers)), default=0.0)
    return NetworkPicture(sources, copiers, tuple(bands), round(height, 1))


def _row(key: str, side: Mapping[str, PartyBar]) -> str:
    """The key of the row that a party of this side is in."""
    return key if key in side else OTHERS


def _bars(parties: Sequence[tuple[str, str, bool, int]]) -> tuple[PartyBar, ...]:
    hits: dict[str, int] = {}
    known: dict[str, tuple[str, bool]] = {}
    for key, name, is_ours, count in parties:
        hits[key] = hits.get(key, 0) + count
        known[key] = (name, is_ours)
    ordered = sorted(hits, key=lambda key: (-hits[key], known[key][0]))
    rows = [(key, *known[key], hits[key]) for key in ordered[:MOST_PARTIES]]
    if beyond := sum(hits[key] for key in ordered[MOST_PARTIES:]):
        rows.append((OTHERS, "", False, beyond))
    total, y, bars = sum(hits.values()), 0.0, []
    for key, name, is_ours, count in rows:
        height = max(float(LEAST), TALLEST * count / total)
        bars.append(PartyBar(key, name, is_ours, count, round(y, 1), round(height, 1)))
        y += height + GAP
    return tuple(bars)


def _ribbon(from_y: float, from_height: float, to_y: float, to_height: float) -> str:
    left, right, bend = NAMES + BAR, WIDTH - NAMES - BAR, WIDTH / 2
    a, b, c, d = (round(value, 1) for value in (from_y, from_y + from_height, to_y, to_y + to_height))
    return f"M{left} {a}C{bend} {a} {bend} {c} {right} {c}V{d}C{bend} {d} {bend} {b} {left} {b}Z"


def graphml(edges: Sequence[Edge]) -> bytes:
    """The network as GraphML, for programs that analyse networks. Characters that XML does not allow are replaced."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    for edge in edges:
        for key, name, is_ours in (
            (edge.source_key, edge.source_name, edge.source_is_ours),
            (edge.copier_key, edge.copier_name, edge.copier_is_ours),
        ):
            graph.add_node(xml_text(key), label=xml_text(name), ours=is_ours)
        more = {} if edge.median_h is None else {"median_hours": float(edge.median_h)}
        graph.add_edge(
            xml_text(edge.source_key),
            xml_text(edge.copier_key),
            hits=edge.hits,
            articles=edge.articles,
            credited=edge.credited,
            first=edge.first_at.isoformat(),
            last=edge.last_at.isoformat(),
            **more,
        )
    out = io.BytesIO()
    nx.write_graphml_xml(graph, out, encoding="utf-8")
    return out.getvalue()


@dataclass(frozen=True, slots=True)
class Node:
    """A party of the network with its totals."""

    key: str
    name: str
    is_ours: bool
    copied: int
    """Hits in which others copied this party."""
    copies: int
    copied_by: int
    """Number of parties."""
    copies_from: int


def nodes(edges: Sequence[Edge]) -> list[Node]:
    """All parties, those with most hits on both sides first."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    names: dict[str, tuple[str, bool]] = {}
    for edge in edges:
        names[edge.source_key] = (edge.source_name, edge.source_is_ours)
        names[edge.copier_key] = (edge.copier_name, edge.copier_is_ours)
        graph.add_edge(edge.source_key, edge.copier_key, hits=edge.hits)
    found = [
        Node(
            key,
            *names[key],
            copied=int(graph.out_degree(key, weight="hits")),
            copies=int(graph.in_degree(key, weight="hits")),
            copied_by=int(graph.out_degree(key)),
            copies_from=int(graph.in_degree(key)),
        )
        for key in graph
    ]
    return sorted(found, key=lambda node: (-(node.copied + node.copies), node.name, node.key))
