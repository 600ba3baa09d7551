"""The requested pages of the desk: every list with its common filters, and one page of each kind."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from benchmarks.common.made_up_store import site_name
from benchmarks.common.made_up_texts import COMMON, RARE
from benchmarks.desk.case_rows import CaseRows
from benchmarks.desk.rows import RUNS_A_SITE
from benchmarks.desk.world import OUR_SITES, World
from storage.types import CaseState

PAGES: Final = Path(__file__).with_name("data") / "pages.txt"
"""Lines of a name and a path, in the order of the desk's menu, with the fields of `_values`."""
NOWHERE: Final = "鑫淼犇"
"""A word of no title."""
_MIDDLING: Final = 7
"""Index of a word that is neither in every title nor rare."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A requested page. `is_promised`: its time has a bound (lists, side by side); others are only reported."""

    name: str
    path: str
    is_promised: bool = True


def asked_of(world: World, cases: CaseRows) -> Iterator[Asked]:
    most = max(world.copied, key=lambda page: (world.copied[page], -page))
    values = _values(world, cases, most)
    for line in PAGES.read_text("utf-8").splitlines():
        name, _, path = line.partition(" | ")
        yield Asked(name, quote(path.format_map(values), safe="/?=&%"))
    copy = next(copy for copy in world.copies if copy.ours == most and copy.their_text == copy.theirs)
    yield Asked("why, most copied", f"/why?left={copy.ours}&right={copy.theirs}", is_promised=False)


def _values(world: World, cases: CaseRows, most: int) -> dict[str, object]:
    site = OUR_SITES + 1
    return {
        "most": most,
        "last_page": world.pages - 1,
        "case": len(cases.cases) // 2,
        "confirmed_case": 1
        + next(
            number
            for number, one in enumerate(cases.cases)
            if one.state is CaseState.CONFIRMED and not one.strongest.theirs_is_source
        ),
        "largest_case": 1 + max(range(len(cases.cases)), key=lambda number: len(cases.cases[number].copies)),
        "match": world.matches // 2,
        "last_match": world.matches,
        "site": site,
        "owner": world.owner_of_site(site),
        "run": RUNS_A_SITE * world.sites // 2,
        "ours": site_name(1),
        "large": site_name(site),
        "small": site_name(world.sites),
        "commonest": COMMON[0],
        "common": COMMON[_MIDDLING],
        "rare": RARE,
        "nowhere": NOWHERE,
    }
