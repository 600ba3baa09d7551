"""One process at a time at work on an article: an advisory lock, which ends with its connection."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

LOCK_CLASS: Final = 0x5A48_5741
"""The first half of the key: one number for all locks of this kind."""
KEYS: Final = 0x7FFF_FFFF
"""The second half is the page's number, modulo this: it has 31 bits."""

_TRY: Final = text("SELECT pg_try_advisory_lock(:class, :page)")
_FREE: Final = text("SELECT pg_advisory_unlock(:class, :page)")


@contextmanager
def held_article(engine: Engine, page_id: int) -> Iterator[bool]:
    """Yield whether the article is ours until the block ends; False if another process is at work on it."""
    connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    lock = {"class": LOCK_CLASS, "page": page_id % KEYS}
    try:
        is_ours = bool(connection.execute(_TRY, lock).scalar_one())
        yield is_ours
        if is_ours:
            with suppress(DBAPIError):
                connection.execute(_FREE, lock)  # at once: a busy server takes a while to see that a connection ended
    finally:
        connection.invalidate()  # its end frees the lock, even if the database does not answer
        connection.close()
