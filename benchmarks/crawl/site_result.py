"""The result of two crawls of one site, kept in a file so that a site need not be crawled again."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

HEAD: Final = (
    f"{'site':28}{'pages':>7}{'pages/s':>9}{'MB':>6}{'stored':>8}{'labelled':>10}{'kept':>7}{'share':>7}"
    f"{'asked':>10}{'again (304)':>12}"
)


@dataclass(frozen=True, slots=True)
class Crawled:
    """One site after two crawls. `labelled` are files of articles that its own links reach, `stored` all that became a
    page; `missed` says of labelled ones why they did not.
    """

    name: str
    pages: int
    labelled: frozenset[Path]
    stored: frozenset[Path]
    missed: Mapping[Path, str]
    seconds: float
    megabytes: float
    first: Counter[int]
    second: Counter[int]
    """Requests of each crawl by the status of their answers."""

    @property
    def kept(self) -> int:
        return len(self.labelled & self.stored)

    @property
    def row(self) -> str:
        share = self.kept / len(self.labelled) if self.labelled else 1.0
        again = f"{self.second.total()} ({self.second[304]})"
        rate = self.pages / self.seconds
        return (
            f"{self.name[:28]:28}{self.pages:7}{rate:9.1f}{self.megabytes:6.0f}{len(self.stored):8}"
            f"{len(self.labelled):10}{self.kept:7}{share:7.3f}{self.first.total():10}{again:>12}"
        )

    def as_line(self) -> str:
        """One line of JSON: paths as text, sets as sorted lists."""
        row = asdict(self) | {"labelled": sorted(map(str, self.labelled)), "stored": sorted(map(str, self.stored))}
        row |= {"missed": {str(file): why for file, why in self.missed.items()}}
        return json.dumps(row | {"first": self.first, "second": self.second}, ensure_ascii=False)


def crawled_before(kept_in: Path) -> dict[str, Crawled]:
    """The sites with a line in `kept_in`, by name; none if there is no such file."""
    if not kept_in.exists():
        return {}
    found = map(_from_line, kept_in.read_text("utf-8").splitlines())
    return {one.name: one for one in found}


def _from_line(line: str) -> Crawled:
    row = json.loads(line)
    row |= {name: frozenset(map(Path, row[name])) for name in ("labelled", "stored")}
    row |= {name: _by_status(row[name]) for name in ("first", "second")}
    return Crawled(**row | {"missed": {Path(file): why for file, why in row["missed"].items()}})


def _by_status(counts: Mapping[str, int]) -> Counter[int]:
    return Counter({int(status): count for status, count in counts.items()})
