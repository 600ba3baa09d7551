"""Where the desk counts requests: in the store, so that every process of it keeps one and the same limit."""

from typing import TYPE_CHECKING, Any, ClassVar, Final

from flask import Flask
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from limits.storage import Storage

from storage.accounts import request_limits
from storage.engine import transaction

if TYPE_CHECKING:
    from sqlalchemy import Engine

SCHEME: Final = "zhiwen"


def limiter_of(app: Flask, engine: "Engine") -> Limiter:
    """Limits by the address that asks. Who guesses passwords is remembered elsewhere, and for longer."""
    options: dict[str, Any] = {"engine": engine}
    return Limiter(get_remote_address, app=app, storage_uri=f"{SCHEME}://", storage_options=options)


class StoredCounts(Storage):
    """Counts in fixed stretches of time."""

    STORAGE_SCHEME: ClassVar[list[str] | None] = [SCHEME]  # type: ignore[misc]  # of the class in the library, too

    def __init__(self, uri: str | None = None, wrap_exceptions: bool = False, **options: Any) -> None:
        super().__init__(uri, wrap_exceptions)
        self._engine: Engine = options["engine"]

    @property
    def base_exceptions(self) -> type[Exception]:
        return Exception

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        with transaction(self._engine) as session:
            return request_limits.count(session, key, seconds=expiry, amount=amount)

    def get(self, key: str) -> int:
        with transaction(self._engine) as session:
            return request_limits.counted(session, key)[0]

    def get_expiry(self, key: str) -> float:
        with transaction(self._engine) as session:
            ends_at = request_limits.counted(session, key)[1]
        return 0.0 if ends_at is None else ends_at.timestamp()

    def check(self) -> bool:
        return True

    def reset(self) -> int | None:
        with transaction(self._engine) as session:
            return request_limits.forget(session)

    def clear(self, key: str) -> None:
        with transaction(self._engine) as session:
            request_limits.forget(session, key)
