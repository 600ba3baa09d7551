"""The analysis: its picture, its files, and its pages with nothing, with hits, and with hostile names."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from io import BytesIO
from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine

from admin.analysis.export_lists import fields_of, requested_filter
from admin.analysis.network_graph import LEAST, MOST_PARTIES, OTHERS, graphml, network_picture, nodes
from admin.analysis.quality_views import DAYS, columns, requested_rule, steps_of
from admin.analysis.views import ways_of
from matcher.cases.case_rule import CaseRule
from storage.analytics.copying import Edge
from storage.analytics.precision import AtThreshold, SitePrecision
from storage.analytics.threshold_preview import Rule
from storage.engine import transaction
from tests.support.cases import store_case
from tests.support.desk_client import COPY, SOURCE, client_of_person, store_hit

NOW = datetime(2026, 3, 1, tzinfo=UTC)
PAGES = ("/analysis", "/analysis/fingerprints", "/analysis/precision", "/analysis/thresholds")


def edge(source: str, copier: str, hits: int = 1, *, credited: int = 0, median_h: float | None = None) -> Edge:
    return Edge(source, f"{source} 报", True, copier, f"{copier} 网", False, hits, 1, credited, median_h, NOW, NOW)


def test_a_picture_has_a_bar_for_each_party_and_a_band_for_each_pair() -> None:
    picture = network_picture([edge("a", "x", 6, credited=6), edge("a", "y", 3), edge("b", "x", 1)])

    assert [(bar.key, bar.hits) for bar in picture.sources] == [("a", 9), ("b", 1)]
    assert [(bar.key, bar.hits) for bar in picture.copiers] == [("x", 7), ("y", 3)]
    assert {(band.source.key, band.copier.key, band.hits, band.credited) for band in picture.bands} == {
        ("a", "x", 6, 1.0),
        ("a", "y", 3, 0.0),
        ("b", "x", 1, 0.0),
    }


def test_those_beyond_the_bound_share_a_row() -> None:
    picture = network_picture([edge("a", f"x{number}", 100 - number) for number in range(MOST_PARTIES + 5)])

    assert len(picture.copiers) == MOST_PARTIES + 1
    others = picture.copiers[-1]
    assert (others.key, others.hits) == (OTHERS, sum(100 - MOST_PARTIES - number for number in range(5)))
    assert len(picture.bands) == MOST_PARTIES + 1


@given(
    st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("stuvwxyz"), st.integers(1, 10**6)), max_size=40)
)
def test_bars_neither_overlap_nor_lose_hits(told: list[tuple[str, str, int]]) -> None:
    picture = network_picture([edge(source, copier, hits) for source, copier, hits in told])

    total = sum(hits for _source, _copier, hits in told)
    for side in (picture.sources, picture.copiers):
        assert sum(bar.hits for bar in side) == total
        assert all(bar.height >= LEAST for bar in side)
        assert all(after.y >= before.y + before.height for before, after in pairwise(side))
    assert sum(band.hits for band in picture.bands) == total


def test_nothing_makes_an_empty_picture() -> None:
    assert network_picture([]).bands == ()
    assert len(nx.read_graphml(BytesIO(graphml([])))) == 0


def test_graphml_is_xml_whatever_names_there_are() -> None:
    hostile = replace(edge("a", "x", 5, credited=2, median_h=3.5), copier_name='</data>\x00\x0b\ud800"<script>&')

    graph = nx.read_graphml(BytesIO(graphml([hostile])))

    assert list(graph.nodes) == ["a", "x"]
    assert graph.nodes["x"]["label"] == '</data>\ufffd\ufffd\ufffd"<script>&'
    told = graph.edges["a", "x"]
    assert (told["hits"], told["credited"], told["median_hours"]) == (5, 2, 3.5)


def test_nodes_say_what_flows_in_and_out() -> None:
    found = {node.key: node for node in nodes([edge("a", "x", 6), edge("x", "y", 2), edge("b", "x", 1)])}

    assert (found["x"].copied, found["x"].copies) == (2, 7)
    assert (found["x"].copied_by, found["x"].copies_from) == (1, 2)


def test_delays_fall_into_their_stretches() -> None:
    ways = ways_of([], [-3.0, 0.0, 0.5, 1.0, 30.0, 900.0])

    assert [(one.key, one.count) for one in ways.delays] == [
        *(("0", 2), ("1", 1), ("2", 0), ("3", 1), ("4", 0), ("5", 1)),
    ]
    assert ways.before == 1


@pytest.mark.parametrize(
    ("asked", "rule"),
    [
        ({}, Rule(150, 0.3)),
        ({"chars": "400", "share": "60", "score": "80"}, Rule(400, 0.6, 0.8)),
        ({"chars": "-1", "share": "101", "score": "x"}, Rule(150, 0.3)),
        ({"chars": "9" * 30, "share": "٣"}, Rule(150, 0.3)),
    ],
)
def test_what_is_not_understood_of_a_rule_stays_as_it_is(asked: dict[str, str], rule: Rule) -> None:
    assert requested_rule(asked, CaseRule()) == rule


def test_steps_say_how_sure_and_how_much_is_kept() -> None:
    found = steps_of(SitePrecision("县报", (AtThreshold(0.0, 8, 2), AtThreshold(0.9, 4, 0))))

    assert found.decided == 10
    assert [(step.precision.value, step.kept) for step in found.steps] == [(0.8, 1.0), (1.0, 0.5)]
    assert found.steps[1].precision.low < 0.6


def test_a_chart_has_every_day() -> None:
    first = date(2026, 1, 1)
    found = columns([(first + timedelta(days=3), 4, 1), (first + timedelta(days=5), 2, 0)], first)

    assert len(found) == DAYS
    assert (found[3].up_height, found[3].down_height, found[5].up_height, found[4].up_height) == (50, 50, 25, 0)


def test_a_query_string_asks_for_what_is_offered_and_nothing_else() -> None:
    assert requested_filter({"days": "7", "of": "theirs"}).since is None
    assert requested_filter({"days": "30", "of": "ours"}).ours
    assert fields_of({"days": "30", "of": "<b>", "x": "y"}) == {"days": "30"}


def test_empty_pages_say_what_to_do(engine: Engine) -> None:
    client = client_of_person(engine)

    answers = {path: client.get(path) for path in PAGES}

    assert {answer.status_code for answer in answers.values()} == {200}
    assert "暂无可绘制的关系" in answers["/analysis"].text
    assert "案件" in answers["/analysis/precision"].text
    for path in ("/analysis/thresholds", "/analysis/fingerprints"):
        assert "前往站点" in answers[path].text, path
    assert client.get("/analysis/copiers/owner:1").status_code == 404


def test_pages_show_who_copies_whom_and_no_markup_of_strangers(engine: Engine) -> None:
    store_case(engine)
    name = '<script>alert(1)</script>"\u202e'
    with transaction(engine) as session:
        store_hit(
            session, copy=replace(COPY, url="https://x.example/1", site="恶", owner=name, title=name), source=SOURCE
        )
    client = client_of_person(engine)

    page = client.get("/analysis").text
    copier = client.get("/analysis/copiers/host:nobody.example")

    assert "<script>alert" not in page
    assert "抄写公司" in page
    assert page.count('class="band') == 2
    assert copier.status_code == 404
    for path in PAGES:
        assert client.get(path).status_code == 200, path
    found = client.get("/analysis/network.graphml")
    assert "attachment" in found.headers["Content-Disposition"]
    assert "县报社" in client.get("/exports/network-edges.csv").text
    assert client.get("/exports/network-nodes.json").status_code == 200


def test_trying_a_rule_changes_nothing(engine: Engine) -> None:
    case = store_case(engine)
    client = client_of_person(engine)

    strict = client.get("/analysis/thresholds?chars=5000&share=99").text

    assert f"/cases/{case.id}" in strict
    assert client.get(f"/cases/{case.id}").status_code == 200
