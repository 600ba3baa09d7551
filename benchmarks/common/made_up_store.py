"""Rows of generated stores by name, and their insertion into a database by COPY."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias

from storage.postgres.copy_rows import copy_rows
from storage.types import FoundBy

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

Row: TypeAlias = Mapping[str, object]
"""A value by column. The rows of a table have the same columns in the same order."""

CHUNK: Final = 20_000
"""Rows a COPY: some ten megabytes in memory."""


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    rows: Iterable[Row]


def copy_table(session: "Session", table: Table) -> None:
    """Appends the rows inside the session's transaction. `rows` may be lazy: only a chunk is held at a time."""
    rows = iter(table.rows)
    while chunk := list(islice(rows, CHUNK)):
        copy_rows(session, table.name, chunk[0], (tuple(row.values()) for row in chunk))


def site_host(site: int) -> str:
    return f"www.site{site:03}.example"


def site_name(site: int) -> str:
    return f"第{site}号网站"


def site_row(number: int, *, owner: int, is_ours: bool = False) -> Row:
    host = site_host(number)
    return {
        "id": number,
        "name": site_name(number),
        "owner_id": owner,
        "role": "original" if is_ours else "watched",
        "hosts": (host,),
        "start_urls": (f"https://{host}/",),
        "rights": "own" if is_ours else "unknown",
    }


def page_row(
    number: int, *, host: str, path: str, site: int | None, found_by: FoundBy, seen: datetime, last_seen: datetime
) -> Row:
    return {
        "id": number,
        "url": f"https://{host}/{path}",
        "host": host,
        "site_id": site,
        "found_by": found_by,
        "first_seen_at": seen,
        "last_seen_at": last_seen,
    }


def text_row(number: int, body: str) -> Row:
    return {"id": number, "sha256": rf"\x{sha256(body.encode()).hexdigest()}", "body": body, "chars": len(body)}


def version_row(
    page: int, *, text: int, seen: datetime, published: datetime | None, title: str, author: str, rights: str
) -> Row:
    """The only version of a page, with its number."""
    return {
        "id": page,
        "page_id": page,
        "text_id": text,
        "fetched_at": seen,
        "is_current": True,
        "title": title,
        "author": author,
        "language": "zh",
        "published_at": published,
        "published_precision": "minute" if published else "none",
        "published_origin": "meta" if published else "none",
        "rights": rights,
    }
