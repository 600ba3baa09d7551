"""How a story spread, as a picture and a table: who published when, and copied from whom (pure)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from storage.matches.story_pages import Story, StoryLink, StoryPage
from storage.records.pages import PageRecord
from storage.types import Precision

WIDTH: Final = 1_000
LEFT: Final = 190
"""Where the time axis begins; owners' names are before it."""
RIGHT: Final = WIDTH - 30
LANE_HEIGHT: Final = 30
MOST_LANES: Final = 30
"""Owners with a row of their own; the others share the last row."""
TICKS: Final = 4


@dataclass(frozen=True, slots=True)
class Teller:
    """A page of the story. `at`: declared time of publication, else first seen (`is_declared`: which of the two)."""

    page: PageRecord
    at: datetime
    is_declared: bool
    in_family: bool
    lane: int
    x: float
    y: float
    is_origin: bool
    source: StoryLink | None
    """The link with the highest confidence among those that name a source."""


@dataclass(frozen=True, slots=True)
class Arc:
    """From source to copy, as the data of an SVG path."""

    link: StoryLink
    path: str


@dataclass(frozen=True, slots=True)
class StoryPicture:
    """`tellers` in order of time; `lanes`: owners, earliest first, empty for a shared row."""

    tellers: tuple[Teller, ...]
    lanes: tuple[str, ...]
    arcs: tuple[Arc, ...]
    ticks: tuple[tuple[float, datetime], ...]
    height: int

    @property
    def tick_precision(self) -> Precision:
        """Dates, unless several ticks fall on the same one."""
        times = [at for _x, at in self.ticks]
        is_short = not times or times[-1] - times[0] < timedelta(days=len(times))
        return Precision.MINUTE if is_short else Precision.DAY


def story_picture(story: Story) -> StoryPicture:
    sources = _surest_sources(story.links)
    ordered = sorted(story.pages, key=lambda one: (_time(one.page), one.page.id))
    lanes = _lanes(ordered)
    origin = _origin(ordered, story.links)
    first, last = (_time(ordered[0].page), _time(ordered[-1].page)) if ordered else (None, None)
    tellers = tuple(
        Teller(
            page=one.page,
            at=_time(one.page),
            is_declared=one.page.declared.at is not None,
            in_family=one.in_family,
            lane=lanes[_owner(one.page)],
            x=_place(_time(one.page), first, last),
            y=lanes[_owner(one.page)] * LANE_HEIGHT + LANE_HEIGHT / 2,
            is_origin=one.page.id == origin,
            source=sources.get(one.page.id),
        )
        for one in ordered
    )
    rows = 1 + max(lanes.values(), default=-1)
    return StoryPicture(
        tellers, _lane_names(lanes, rows), tuple(_arcs(tellers)), _ticks(first, last), rows * LANE_HEIGHT
    )


def _time(page: PageRecord) -> datetime:
    return page.declared.at or page.first_seen_at


def _owner(page: PageRecord) -> str:
    return page.owner_name or page.site_name or page.host or page.url


def _lanes(ordered: Iterable[StoryPage]) -> dict[str, int]:
    """Row of each owner, in the order of their first page."""
    lanes: dict[str, int] = {}
    for one in ordered:
        lanes.setdefault(_owner(one.page), min(len(lanes), MOST_LANES - 1))
    return lanes


def _lane_names(lanes: dict[str, int], rows: int) -> tuple[str, ...]:
    by_row: list[list[str]] = [[] for _ in range(rows)]
    for name, row in lanes.items():
        by_row[row].append(name)
    return tuple(names[0] if len(names) == 1 else "" for names in by_row)


def _surest_sources(links: Sequence[StoryLink]) -> dict[int, StoryLink]:
    """For each copying page, the link that explains most; of equal ones, that with the higher confidence."""
    found: dict[int, StoryLink] = {}
    for link in sorted(links, key=lambda link: (-round(link.score, 2), -link.confidence, link.hit_id)):
        found.setdefault(link.copy_page_id, link)
    return found


def _origin(ordered: Sequence[StoryPage], links: Sequence[StoryLink]) -> int | None:
    """The page that most others copied and that copied from none; of equals the earliest. None where there is none."""
    copies = {link.copy_page_id for link in links}
    given: dict[int, int] = {}
    for link in links:
        given[link.source_page_id] = given.get(link.source_page_id, 0) + 1
    heads = [one.page.id for one in ordered if one.page.id not in copies and one.page.id in given]
    return max(heads, key=lambda page_id: given[page_id], default=None)


def _place(at: datetime, first: datetime | None, last: datetime | None) -> float:
    if first is None or last is None or first == last:
        return (LEFT + RIGHT) / 2
    share: float = (at - first) / (last - first)
    return round(LEFT + share * (RIGHT - LEFT), 1)


def _arcs(tellers: Iterable[Teller]) -> Iterable[Arc]:
    by_page = {teller.page.id: teller for teller in tellers}
    for teller in by_page.values():
        source = by_page.get(teller.source.source_page_id) if teller.source is not None else None
        if teller.source is not None and source is not None:
            middle = round((source.x + teller.x) / 2, 1)
            path = f"M{source.x} {source.y}C{middle} {source.y} {middle} {teller.y} {teller.x} {teller.y}"
            yield Arc(teller.source, path)


def _ticks(first: datetime | None, last: datetime | None) -> tuple[tuple[float, datetime], ...]:
    if first is None or last is None:
        return ()
    if last - first < timedelta(minutes=TICKS):
        return (((LEFT + RIGHT) / 2, first),)
    times = [first + (last - first) * number / (TICKS - 1) for number in range(TICKS)]
    return tuple((_place(at, first, last), at) for at in times)
