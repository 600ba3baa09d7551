"""The benchmark of young stores: what it plants is where it says, and the same seed plants the same."""

from pathlib import Path
from random import Random

import pytest
from sqlalchemy import Engine

from benchmarks.young.corpus import NoSites, SitePage, in_parts, read_pages
from benchmarks.young.report import COLUMNS, report_of, rows
from benchmarks.young.run import Request, run_young, shows_copy
from benchmarks.young.world import FAMILIES, Planted, PoolTooSmall, draw
from storage.records.differences import Differences
from storage.records.matches import Passage
from tests.support.factories import text_of

POOL = tuple(
    SitePage(f"site{number % 4}", f"https://site.example/{number}", "", text_of(number, chars=900))
    for number in range(100)
)


def test_the_same_seed_plants_the_same_and_each_piece_stands_where_it_says() -> None:
    world = draw(POOL, 30, Random(1), validating=False)  # noqa: S311  # repeatable, nothing secret

    assert world == draw(POOL, 30, Random(1), validating=False)  # noqa: S311
    assert world != draw(POOL, 30, Random(2), validating=False)  # noqa: S311
    assert len({page.url for page in world}) == len(world) > 30
    footers: dict[str, set[str]] = {}
    for page in world:
        kinds = [kind for _, _, kind in page.pieces]
        assert "footer" in kinds
        footers.setdefault(page.site, set()).update(
            page.text[start:end] for start, end, kind in page.pieces if kind == "footer"
        )
    assert all(len(found) == 1 for found in footers.values()), "a host has one footer"
    assert len({text for found in footers.values() for text in found}) < len(footers), "two hosts share it"


def test_every_copy_is_of_a_page_of_another_host() -> None:
    world = draw(POOL, 40, Random(1), validating=True)  # noqa: S311  # repeatable, nothing secret
    originals = {page.url: page for page in world if not page.copy_of}

    copies = [page for page in world if page.copy_of]

    assert len({page.copy_of for page in copies}) >= 5
    assert all(page.family in FAMILIES and originals[page.copy_of].site != page.site for page in copies)


def test_each_copied_stretch_stands_where_it_says_in_copy_and_source() -> None:
    for seed in range(4):
        world = draw(POOL, 40, Random(seed), validating=False)  # noqa: S311  # repeatable, nothing secret
        by_url = {page.url: page for page in world}
        copies = [page for page in world if page.copy_of]
        assert all(copy.copied for copy in copies)
        for copy in copies:
            source = by_url[copy.copy_of]
            body = source.text[source.body_at :]
            if copy.family in {"lead", "print-view", "two-parts", "frame", "passage-150"}:
                assert all(copy.text[start:end] == body[first:last] for start, end, first, last in copy.copied)


def test_a_copy_is_found_by_a_passage_of_what_was_copied_alone() -> None:
    """A hit that rests on the footers of both hosts, or on other words of the copier, is no find of the copy."""
    source = Planted("https://a.invalid/1", "a", "", ((500, 600, "footer"),), body_at=0)
    copy = Planted(
        "https://b.invalid/1", "b", "", ((700, 800, "footer"),), 0, ((100, 250, 30, 180),), source.url, "lead"
    )

    def passage(left: int, right: int, *, chars: int = 60, is_boilerplate: bool = False) -> Passage:
        same = Differences()
        return Passage(left, left + chars, right, right + chars, 1.0, same, is_boilerplate=is_boilerplate)

    found = passage(120, 50)
    wrong = [passage(700, 500, chars=100), passage(300, 200), passage(60, 200, chars=55), passage(120, 300)]

    assert shows_copy(copy, source, [*wrong, found])
    assert shows_copy(source, copy, [found.swapped()])
    assert not shows_copy(copy, source, [*wrong, passage(120, 50, is_boilerplate=True)])


def test_too_few_pages_and_a_folder_without_sites_are_reported(tmp_path: Path) -> None:
    with pytest.raises(PoolTooSmall, match="The sites hold 70 pages"):
        draw(POOL[:70], 30, Random(1), validating=False)  # noqa: S311  # repeatable, nothing secret
    with pytest.raises(NoSites, match="holds no sites"):
        read_pages(tmp_path, None, progress=lambda *_: None)


def test_sites_are_read_once_and_long_articles_cut(tmp_path: Path) -> None:
    site = tmp_path / "sites" / "one"
    site.mkdir(parents=True)
    body = "".join(f"<p>{text_of(number, chars=400)}</p>" for number in range(12))
    (site / "index.html").write_text(f"<html><body><article><h1>标题</h1>{body}</article></body></html>", "utf-8")
    cache = tmp_path / "cache.jsonl"

    found = read_pages(tmp_path / "sites", cache, progress=lambda *_: None)

    assert [page.site for page in found] == ["one"]
    assert read_pages(tmp_path / "nowhere", cache, progress=lambda *_: None) == found
    assert len(in_parts(found)) == 2


def test_a_store_is_measured_and_empty_afterwards(engine: Engine) -> None:
    request = Request(sizes=(12,), seed=1, validating=None)

    first, again = (run_young(engine, POOL, request, progress=lambda *_: None) for _ in range(2))

    (line,), (other,) = first, again
    assert (line.pages, line.accused, line.found) == (other.pages, other.accused, other.found)
    assert line.planted.total() == 6
    assert line.recall > 0.5
    assert line.left_alone == 1.0
    assert len(rows(first)[0]) == len(COLUMNS)
    shown = report_of(first, sites="copies", part="all", seed=1)
    assert isinstance(shown.value, dict)
    assert shown.value["lines"][0]["stores"] == line.draws
    assert shown.value["lines"][0]["planted"] == line.planted
