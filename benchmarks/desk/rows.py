"""The rows of the made-up store, table by table, in the order in which they can be put down. Pure."""

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Final, TypeAlias

from benchmarks.common.made_up_texts import Wording
from benchmarks.desk.copying import FEW_SENTENCES, SENTENCES, Made, made_copy
from benchmarks.desk.world import OUR_SITES, OURS_EVERY, Copy, World
from fingerprint.model import ALGORITHM_VERSION
from storage.records.matches import Evidence, Passage
from storage.types import MatchKind

Row: TypeAlias = tuple[object, ...]

NOW: Final = datetime.now(UTC).replace(microsecond=0)
_YEARS: Final = timedelta(days=3 * 365)
RUNS_A_SITE: Final = 60
AUDIT_LINES: Final = 50_000
WAITING: Final = 500
"""Pages that wait to be compared."""


@dataclass(frozen=True, slots=True)
class Table:
    """Columns, and rows with a value for each."""

    name: str
    columns: tuple[str, ...]
    rows: Iterable[Row]


class Rows:
    """Reads a world as rows. Each call of `tables` makes them anew, and lazily."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._wording = Wording(world.seed)
        self._by_their_page = {copy.theirs: copy for copy in world.copies}

    def tables(self) -> Iterator[Table]:
        yield Table("owner", ("id", "name", "complaint_address"), self._owners())
        columns: tuple[str, ...] = ("id", "name", "owner_id", "role", "hosts", "start_urls", "rights")
        yield Table("site", columns, self._sites())
        columns = ("site_id", "trigger", "started_at", "ended_at", "exit_reason", "counters", "refusal_samples")
        yield Table("crawl_run", columns, self._runs())
        columns = ("id", "url", "host", "site_id", "found_by", "first_seen_at", "last_seen_at", "gone_at")
        yield Table("page", columns, map(self._page, self._pages()))
        yield Table("text", ("id", "sha256", "body", "chars"), self._texts())
        yield Table("text_family", ("text_id", "family_id"), self._families())
        columns = (
            *("page_id", "text_id", "fetched_at", "is_current", "title", "author", "language", "published_at"),
            *("published_precision", "published_origin", "rights"),
        )
        yield Table("page_version", columns, map(self._version, self._pages()))
        columns = (
            *("id", "low_text_id", "high_text_id", "algorithm_version", "kind", "score", "low_share", "high_share"),
            *("longest", "passages", "evidence"),
        )
        yield Table("match", columns, self._matches())
        columns = (
            *("match_id", "low_page_id", "high_page_id", "source_page_id", "confidence", "reasons", "credit"),
            "credit_evidence",
        )
        yield Table("page_match", columns, self._page_matches())
        yield Table("audit_event", ("at", "actor", "act", "subject", "detail"), _audit_lines())

    def made(self, copy: Copy) -> Made:
        return made_copy(self._wording, copy)

    def body(self, text: int) -> str:
        """The text with this number."""
        copy = self._by_their_page.get(text)
        if copy is not None and copy.their_text == text:
            return self.made(copy).text
        return "".join(self._wording.sentences(text, SENTENCES if text in self._world.copied else FEW_SENTENCES))

    def _pages(self) -> range:
        return range(1, self._world.pages + 1)

    def _owners(self) -> Iterator[Row]:
        for owner in range(1, self._world.owners + 1):
            yield owner, f"第{owner}家传媒公司", f"legal@owner{owner}.example"

    def _sites(self) -> Iterator[Row]:
        for site in range(1, self._world.sites + 1):
            host = f"www.site{site:03}.example"
            role, rights = ("original", "own") if site <= OUR_SITES else ("watched", "unknown")
            yield site, site_name(site), self._world.owner_of_site(site), role, (host,), (f"https://{host}/",), rights

    def _runs(self) -> Iterator[Row]:
        chance = random.Random(self._world.seed)  # a made-up store
        for ago in range(RUNS_A_SITE, 0, -1):
            for site in range(1, self._world.sites + 1):
                at = NOW - timedelta(hours=6 * ago, minutes=chance.randrange(60))
                fetched = chance.randrange(200)
                counters = {"pages/fetched": fetched, "articles/new": fetched // 9, "refused/bad-status": fetched // 20}
                samples = {"bad-status": [f"https://www.site{site:03}.example/gone/{number}" for number in range(3)]}
                ended = at + timedelta(minutes=9)
                yield site, "schedule", _at(at), _at(ended), "finished", json.dumps(counters), json.dumps(samples)

    def _page(self, page: int) -> Row:
        host, site, seen = self._world.host_of(page), self._world.site_of[page], self._seen(page)
        url = f"https://{host}/{seen:%Y/%m/%d}/{page}.html"
        gone = _at(NOW) if page % 97 == 0 else None
        return page, url, host, site or None, "spider", _at(seen), _at(max(seen, NOW - timedelta(days=2))), gone

    def _seen(self, page: int) -> datetime:
        """A copy is found some hours or days after its source, whatever its number."""
        copy = self._by_their_page.get(page)
        if copy is None:
            return NOW - _YEARS + (_YEARS - timedelta(days=9)) * (page / self._world.pages)
        return self._seen(copy.ours) + timedelta(minutes=30 + (page * 7_919) % 12_000)

    def _texts(self) -> Iterator[Row]:
        for text in self._pages():
            if text not in self._world.shared_texts:
                body = self.body(text)
                yield text, rf"\x{sha256(body.encode()).hexdigest()}", body, len(body)

    def _families(self) -> Iterator[Row]:
        for text in self._pages():
            if text not in self._world.shared_texts:
                copy = self._by_their_page.get(text)
                yield text, copy.ours if copy and copy.kind is MatchKind.NEAR else text

    def _version(self, page: int) -> Row:
        copy, seen = self._by_their_page.get(page), self._seen(page)
        text = page if copy is None else copy.their_text
        # Most copies keep the title, so that a word finds both sides.
        title = self._wording.title(page if copy is None or page % 4 == 0 else copy.ours)
        rights = "own" if page % OURS_EVERY == 0 else "unknown"
        published = _at(seen - timedelta(minutes=20))
        return page, text, _at(seen), True, title, "本报记者", "zh", published, "minute", "meta", rights

    def _matches(self) -> Iterator[Row]:
        known: set[tuple[int, int]] = set()
        for number, copy in enumerate(self._world.copies, start=1):
            low, high = sorted((copy.ours, copy.their_text))
            if (low, high) in known:
                continue
            known.add((low, high))
            made = self.made(copy)
            ours_is_low = copy.ours <= copy.their_text
            shares = (made.source_share, made.copy_share) if ours_is_low else (made.copy_share, made.source_share)
            passages = made.passages if ours_is_low else tuple(passage.swapped() for passage in made.passages)
            yield (
                *(number, low, high, ALGORITHM_VERSION, copy.kind, score_of(copy), *shares),
                *(max(passage.left_end - passage.left_start for passage in passages), _json(passages)),
                json.dumps(asdict(Evidence(6, 9, 30, made.shared, 0))),
            )

    def _page_matches(self) -> Iterator[Row]:
        of_texts: dict[tuple[int, int], int] = {}
        for number, copy in enumerate(self._world.copies, start=1):
            match = of_texts.setdefault((copy.ours, copy.their_text), number)
            low, high = sorted((copy.ours, copy.theirs))
            source = copy.theirs if copy.theirs_is_source else copy.ours
            said = "" if copy.credit == "none" else "来源：第1家传媒公司"
            yield match, low, high, source, 0.9, ("nothing tells which came first",), copy.credit, said


def site_name(site: int) -> str:
    return f"第{site}号网站"


def score_of(copy: Copy) -> float:
    """Of no meaning, and spread over all bands."""
    return 1.0 if copy.kind is MatchKind.IDENTICAL else 0.4 + (copy.theirs * 7_919 % 600) / 1_000


def _audit_lines() -> Iterator[Row]:
    acts = ("case.move", "case.note", "case.assign", "site.edit", "account.log-in", "licence.add")
    for number in range(AUDIT_LINES):
        at = NOW - timedelta(minutes=10 * (AUDIT_LINES - number))
        yield _at(at), f"审核员{number % 5}", acts[number % len(acts)], f"#{number}", json.dumps({"to": "confirmed"})


def _json(passages: Iterable[Passage]) -> str:
    return json.dumps([asdict(passage) for passage in passages])


def _at(moment: datetime) -> str:
    return moment.isoformat()
