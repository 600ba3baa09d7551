"""Small builders for what tests keep as evidence."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from crawler.evidence.keeper import Keeper
from crawler.evidence.record_files import EvidenceFolder
from crawler.evidence.verify import Verified, verify
from crawler.warc.writer import RawResponse
from storage.engine import make_engine, transaction
from storage.records.evidence import Head
from tests.support.factories import text_of

AT = datetime(2026, 5, 4, 8, 0, tzinfo=UTC)


def a_response(number: int = 1, **fields: Any) -> RawResponse:
    defaults: dict[str, Any] = {
        "url": f"https://copier.example/{number}",
        "at": AT + timedelta(minutes=number),
        "status": 200,
        "headers": (("Content-Type", "text/html"), ("Server", "gün")),
        "body": f"<p>第{number}篇</p><p>{text_of(number)}</p>".encode(),
        "peer": "192.0.2.7",
    }
    return RawResponse(**(defaults | fields))


@contextmanager
def opened_keeper(database_url: str, home: Path) -> Iterator[Keeper]:
    engine = make_engine(database_url)
    try:
        yield Keeper(engine, EvidenceFolder(home))
    finally:
        engine.dispose()


def verified(engine: Engine, home: Path, *, expected: Head | None = None) -> tuple[Verified, list[str]]:
    problems: list[str] = []
    with transaction(engine) as session:
        seen = verify(
            session, EvidenceFolder(home), expected=expected, on_problem=lambda one: problems.append(str(one))
        )
    return seen, problems
