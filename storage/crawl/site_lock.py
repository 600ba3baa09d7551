"""One crawl of a site at a time, over all processes: an advisory lock, which ends with its connection."""

from typing import Final

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

LOCK_CLASS: Final = 0x5A48_5753
"""The first half of the key: one number for all locks of this kind."""

SITE_KEYS: Final = 0x7FFF_FFFF
"""The second half is the site's number, modulo this: it has 31 bits."""

_TRY: Final = text("SELECT pg_try_advisory_lock(:class, :site)")
_ALIVE: Final = text("SELECT 1")


class SiteLock:
    """A site's lock, on a connection of its own. Every method blocks."""

    def __init__(self, engine: Engine, site_id: int) -> None:
        self._engine = engine
        self._key = {"class": LOCK_CLASS, "site": site_id % SITE_KEYS}
        self._connection: Connection | None = None

    def hold(self) -> bool:
        """Takes the lock if it is free, also again after the database was away. Returns whether it is ours."""
        if self._connection is not None and self._is_alive(self._connection):
            return True
        self.release()
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        if connection.execute(_TRY, self._key).scalar_one():
            self._connection = connection
            return True
        connection.close()
        return False

    def release(self) -> None:
        """Frees the lock by closing its connection, even if the database does not answer."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()
            connection.close()

    @staticmethod
    def _is_alive(connection: Connection) -> bool:
        try:
            connection.execute(_ALIVE)
        except DBAPIError:
            return False
        return True
