"""The rows of the generated store, table by table, in the order of insertion. Pure."""

import json
import random
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Final

from benchmarks.common.made_up_store import Row, Table, page_row, site_host, site_row, text_row, version_row
from benchmarks.common.made_up_texts import Wording
from benchmarks.desk.copying import FEW_SENTENCES, SENTENCES, Made, made_copy
from benchmarks.desk.world import OUR_SITES, OURS_EVERY, Copy, World
from fingerprint.model import ALGORITHM_VERSION
from storage.records.matches import Evidence
from storage.types import FoundBy, MatchKind

NOW: Final = datetime.now(UTC).replace(microsecond=0)
_YEARS: Final = timedelta(days=3 * 365)
RUNS_A_SITE: Final = 60
AUDIT_LINES: Final = 50_000
WAITING: Final = 500
"""Pages in the backlog."""


class Rows:
    """Converts a world to rows. Each call of `tables` generates them again, lazily."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._wording = Wording(world.seed)
        self._by_their_page = {copy.theirs: copy for copy in world.copies}

    def tables(self) -> Iterator[Table]:
        yield Table("owner", self._owners())
        yield Table("site", self._sites())
        yield Table("crawl_run", self._runs())
        yield Table("page", map(self._page, self._pages()))
        yield Table("text", self._texts())
        yield Table("text_family", self._families())
        yield Table("page_version", map(self._version, self._pages()))
        yield Table("match", self._matches())
        yield Table("page_match", self._page_matches())
        yield Table("audit_event", _audit_lines())

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
            yield {"id": owner, "name": f"第{owner}家传媒公司", "complaint_address": f"legal@owner{owner}.example"}

    def _sites(self) -> Iterator[Row]:
        for site in range(1, self._world.sites + 1):
            yield site_row(site, owner=self._world.owner_of_site(site), is_ours=site <= OUR_SITES)

    def _runs(self) -> Iterator[Row]:
        chance = random.Random(self._world.seed)  # a made-up store
        for ago in range(RUNS_A_SITE, 0, -1):
            for site in range(1, self._world.sites + 1):
                at = NOW - timedelta(hours=6 * ago, minutes=chance.randrange(60))
                fetched = chance.randrange(200)
                counters = {"pages/fetched": fetched, "articles/new": fetched // 9, "refused/bad-status": fetched // 20}
                samples = {"bad-status": [f"https://{site_host(site)}/gone/{number}" for number in range(3)]}
                yield {
                    "site_id": site,
                    "trigger": "schedule",
                    "started_at": at,
                    "ended_at": at + timedelta(minutes=9),
                    "exit_reason": "finished",
                    "counters": json.dumps(counters),
                    "refusal_samples": json.dumps(samples),
                }

    def _page(self, page: int) -> Row:
        seen = self._seen(page)
        row = page_row(
            page,
            host=self._world.host_of(page),
            path=f"{seen:%Y/%m/%d}/{page}.html",
            site=self._world.site_of[page] or None,
            found_by=FoundBy.SPIDER,
            seen=seen,
            last_seen=max(seen, NOW - timedelta(days=2)),
        )
        return {**row, "gone_at": NOW if page % 97 == 0 else None}

    def _seen(self, page: int) -> datetime:
        """First sight of a page: a copy is found some hours or days after its source, whatever its id."""
        copy = self._by_their_page.get(page)
        if copy is None:
            return NOW - _YEARS + (_YEARS - timedelta(days=9)) * (page / self._world.pages)
        return self._seen(copy.ours) + timedelta(minutes=30 + (page * 7_919) % 12_000)

    def _texts(self) -> Iterator[Row]:
        for text in self._pages():
            if text not in self._world.shared_texts:
                yield text_row(text, self.body(text))

    def _families(self) -> Iterator[Row]:
        for text in self._pages():
            if text not in self._world.shared_texts:
                copy = self._by_their_page.get(text)
                family = copy.ours if copy and copy.kind is MatchKind.NEAR else text
                yield {"text_id": text, "family_id": family}

    def _version(self, page: int) -> Row:
        copy, seen = self._by_their_page.get(page), self._seen(page)
        return version_row(
            page,
            text=page if copy is None else copy.their_text,
            seen=seen,
            # Most copies keep the title, so that a word finds both sides.
            title=self._wording.title(page if copy is None or page % 4 == 0 else copy.ours),
            author="本报记者",
            published=seen - timedelta(minutes=20),
            rights="own" if page % OURS_EVERY == 0 else "unknown",
        )

    def _matches(self) -> Iterator[Row]:
        known: set[tuple[int, int]] = set()
        for number, copy in enumerate(self._world.copies, start=1):
            low, high = sorted((copy.ours, copy.their_text))
            if (low, high) in known:
                continue
            known.add((low, high))
            made = self.made(copy)
            ours_is_low = copy.ours <= copy.their_text
            passages = made.passages if ours_is_low else tuple(passage.swapped() for passage in made.passages)
            yield {
                "id": number,
                "low_text_id": low,
                "high_text_id": high,
                "algorithm_version": ALGORITHM_VERSION,
                "kind": copy.kind,
                "score": score_of(copy),
                "low_share": made.source_share if ours_is_low else made.copy_share,
                "high_share": made.copy_share if ours_is_low else made.source_share,
                "longest": max(passage.left_end - passage.left_start for passage in passages),
                "passages": json.dumps([asdict(passage) for passage in passages]),
                "evidence": json.dumps(asdict(Evidence(6, 9, 30, made.shared, 0))),
            }

    def _page_matches(self) -> Iterator[Row]:
        of_texts: dict[tuple[int, int], int] = {}
        for number, copy in enumerate(self._world.copies, start=1):
            yield {
                "match_id": of_texts.setdefault((copy.ours, copy.their_text), number),
                "low_page_id": min(copy.ours, copy.theirs),
                "high_page_id": max(copy.ours, copy.theirs),
                "source_page_id": copy.theirs if copy.theirs_is_source else copy.ours,
                "confidence": 0.9,
                "reasons": ("nothing shows which was first",),
                "credit": copy.credit,
                "credit_evidence": "" if copy.credit == "none" else "来源：第1家传媒公司",
            }


def score_of(copy: Copy) -> float:
    """An arbitrary score; all score bands occur."""
    return 1.0 if copy.kind is MatchKind.IDENTICAL else 0.4 + (copy.theirs * 7_919 % 600) / 1_000


def _audit_lines() -> Iterator[Row]:
    acts = ("case.move", "case.note", "case.assign", "site.edit", "account.log-in", "licence.add")
    for number in range(AUDIT_LINES):
        yield {
            "at": NOW - timedelta(minutes=10 * (AUDIT_LINES - number)),
            "actor": f"审核员{number % 5}",
            "act": acts[number % len(acts)],
            "subject": f"#{number}",
            "detail": json.dumps({"to": "confirmed"}),
        }
