"""Cases for tests: a page of ours, pages of a copier, what was kept of them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from crawler.evidence.keeper import Keeper
from crawler.evidence.record_files import EvidenceFolder
from storage.cases import findings
from storage.engine import transaction
from storage.matches import hits
from storage.records.cases import CaseFinding
from storage.records.pages import SavedPage
from storage.types import CaseQueue, Credit, MatchKind, Standing
from tests.support.desk_client import COPY, PASSAGES, SOURCE, Side, store_hit
from tests.support.evidence.evidence import a_response


@dataclass(frozen=True)
class StoredCase:
    id: int
    hit_id: int
    ours: SavedPage
    theirs: SavedPage


def store_case(engine: Engine, *, copy: Side = COPY, source: Side = SOURCE, **fields: Any) -> StoredCase:
    """A hit and the case that it makes; `fields` change what the judgement found."""
    with transaction(engine) as session:
        hit_id = store_hit(session, copy=copy, source=source, passages=PASSAGES)
        hit = hits.get_hit(session, hit_id)
        assert hit is not None
        ours = SavedPage(hit.source.page_id, 0, hit.source.text_id, False, False)
        theirs = SavedPage(hit.copy.page_id, 0, hit.copy.text_id, False, False)
        known: dict[str, Any] = {
            "queue": CaseQueue.COPIED,
            "our_page_id": ours.page_id,
            "our_text_id": ours.text_id,
            "their_page_id": theirs.page_id,
            "their_text_id": theirs.text_id,
            "other_key": f"host:{hit.copy.host}",
            "other_owner_id": None,
            "other_host": hit.copy.host,
            "kind": MatchKind.EMBEDDED,
            "chars": 28,
            "our_share": 0.71,
            "their_share": 0.62,
            "credit": Credit.NONE,
            "standing": Standing.UNLICENSED,
        }
        (case_id,) = findings.keep_findings(session, [CaseFinding(**(known | fields))])
    return StoredCase(case_id, hit_id, ours, theirs)


def keep_responses(engine: Engine, home: Path, *sides: Side) -> None:
    """What servers answered, as a crawl keeps it."""
    keeper = Keeper(engine, EvidenceFolder(home))
    for number, side in enumerate(sides, start=1):
        keeper.keep_version(a_response(number, url=side.url, body=side.text.encode()), url=side.url, text=side.text)
