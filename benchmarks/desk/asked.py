"""Which pages of the desk are asked for: every list with its common filters, and one of everything. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from benchmarks.common.made_up_store import site_name
from benchmarks.common.made_up_texts import COMMON, RARE
from benchmarks.desk.case_rows import CaseRows
from benchmarks.desk.rows import RUNS_A_SITE
from benchmarks.desk.world import OUR_SITES, World

NOWHERE: Final = "鑫淼犇"
"""Stands in no title."""
_MIDDLING: Final = 7
"""The number of a word that is neither in every title nor rare."""


@dataclass(frozen=True, slots=True)
class Asked:
    """`is_promised`: a list or the side by side, of which a bound is promised; the others are told beside them."""

    name: str
    path: str
    is_promised: bool = True


def asked_of(world: World, cases: CaseRows) -> Iterator[Asked]:
    """In the order of the desk's menu."""
    most = max(world.copied, key=lambda page: (world.copied[page], -page))
    case = max(range(len(cases.cases)), key=lambda number: len(cases.cases[number].copies))
    large, small = site_name(OUR_SITES + 1), site_name(world.sites)
    yield Asked("overview", "/")
    yield from _cases(large, small)
    yield Asked("case", f"/cases/{len(cases.cases) // 2}")
    yield Asked("case, most pages", f"/cases/{case + 1}")
    yield from _hits(large, small)
    yield Asked("side by side", f"/hits/{world.matches // 2}")
    yield Asked("side by side, last", f"/hits/{world.matches}")
    yield from _pages(large)
    yield Asked("page, most copied", f"/pages/{most}")
    yield Asked("page, not copied", f"/pages/{world.pages - 1}")
    yield Asked("version", f"/pages/{most}/versions/{most}")
    yield Asked("story, most copied", f"/pages/{most}/story")
    yield Asked("sites", "/sites")
    yield Asked("site", f"/sites/{OUR_SITES + 1}")
    yield Asked("owners", "/owners")
    yield Asked("owner", f"/owners/{world.owner_of_site(OUR_SITES + 1)}")
    yield Asked("licences", "/licences")
    yield Asked("runs", "/runs")
    yield Asked("runs of a site", _path("/runs", site=large))
    yield Asked("run", f"/runs/{RUNS_A_SITE * world.sites // 2}")
    yield Asked("quality", "/quality")
    yield Asked("people", "/people")
    yield Asked("audit log", "/audit")
    yield Asked("audit log, by act", _path("/audit", act="case.move"))
    yield Asked("audit log, by text", _path("/audit", text="#777"))
    yield Asked("check", "/check")
    yield Asked("submissions", "/submissions")
    copy = next(copy for copy in world.copies if copy.ours == most and copy.their_text == copy.theirs)
    yield Asked("why, most copied", _path("/why", left=str(copy.ours), right=str(copy.theirs)), is_promised=False)


def _cases(large: str, small: str) -> Iterator[Asked]:
    yield Asked("cases", "/cases")
    yield Asked("cases, all, page 150", _path("/cases", tab="all", page="150"))
    for order in ("oldest", "largest", "share", "score"):
        yield Asked(f"cases by {order}", _path("/cases", tab="all", sort=order))
    yield Asked("cases by deadline", _path("/cases", tab="notified", sort="deadline"))
    yield Asked("cases, overdue", _path("/cases", tab="notified", overdue="1"))
    yield Asked("cases, grave", _path("/cases", severity="grave"))
    yield Asked("cases, kind, credit, share", _path("/cases", kind="near", credit="none", share="50"))
    yield Asked("cases, mistaken", _path("/cases", tab="all", verdict="wrong"))
    yield Asked("cases, nobody's", _path("/cases", assignee="@nobody"))
    yield Asked("cases of an owner", _path("/cases", tab="all", owner="第3家传媒公司"))
    yield Asked("cases on our site", _path("/cases", tab="all", site=site_name(1)))
    yield Asked("cases on a large site", _path("/cases", tab="all", site=large))
    yield Asked("cases on a small site", _path("/cases", tab="all", site=small))
    for said, word in _words():
        yield Asked(f"cases with {said}", _path("/cases", tab="all", text=word))


def _hits(large: str, small: str) -> Iterator[Asked]:
    yield Asked("hits", "/hits")
    yield Asked("hits, page 100", _path("/hits", page="100"))
    yield Asked("hits, kind, credit", _path("/hits", kind="mosaic", credit="linked"))
    yield Asked("hits, share", _path("/hits", share="90"))
    yield Asked("hits from ours", _path("/hits", role="original"))
    yield Asked("hits from others", _path("/hits", role="watched"))
    yield Asked("hits of an owner", _path("/hits", owner="第3家传媒公司"))
    yield Asked("hits on our site", _path("/hits", site=site_name(1)))
    yield Asked("hits on a large site", _path("/hits", site=large))
    yield Asked("hits on a small site", _path("/hits", site=small))
    for said, word in _words():
        yield Asked(f"hits with {said}", _path("/hits", text=word))


def _pages(large: str) -> Iterator[Asked]:
    yield Asked("pages", "/pages")
    yield Asked("pages of a site", _path("/pages", site=large))
    for said, word in _words():
        yield Asked(f"pages with {said}", _path("/pages", text=word))
    yield Asked("pages with the commonest word, of a site", _path("/pages", text=COMMON[0], site=large))


def _words() -> tuple[tuple[str, str], ...]:
    return (
        ("the commonest word", COMMON[0]),
        ("a common word", COMMON[_MIDDLING]),
        ("a piece of every address", "example"),
        ("a rare word", RARE),
        ("a word of nowhere", NOWHERE),
    )


def _path(path: str, **fields: str) -> str:
    return f"{path}?{urlencode(fields)}"
