"""Request limits by address, counted in the database so that all processes of the desk share them."""

from typing import TYPE_CHECKING, Any, ClassVar, Final

from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from limits.storage import Storage

from admin.web.services import current_services
from storage.accounts import request_limits
from storage.engine import transaction

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Engine

SCHEME: Final = "zhiwen"


class StoredCounts(Storage):
    """Counts in fixed windows. `engine` returns the engine of the database that holds them."""

    STORAGE_SCHEME: ClassVar[list[str] | None] = [SCHEME]  # type: ignore[misc]  # of the class in the library, too

    def __init__(self, uri: str | None = None, wrap_exceptions: bool = False, **options: Any) -> None:
        super().__init__(uri, wrap_exceptions)
        self._engine: Callable[[], Engine] = options["engine"]

    @property
    def base_exceptions(self) -> type[Exception]:
        return Exception

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        with transaction(self._engine()) as session:
            return request_limits.count(session, key, seconds=expiry, amount=amount)

    def get(self, key: str) -> int:
        with transaction(self._engine()) as session:
            return request_limits.counted(session, key)[0]

    def get_expiry(self, key: str) -> float:
        with transaction(self._engine()) as session:
            ends_at = request_limits.counted(session, key)[1]
        return 0.0 if ends_at is None else ends_at.timestamp()

    def check(self) -> bool:
        return True

    def reset(self) -> int | None:
        with transaction(self._engine()) as session:
            return request_limits.forget(session)

    def clear(self, key: str) -> None:
        with transaction(self._engine()) as session:
            request_limits.forget(session, key)


_OPTIONS: Final[dict[str, Any]] = {"engine": lambda: current_services().engine}
limiter: Final = Limiter(get_remote_address, storage_uri=f"{SCHEME}://", storage_options=_OPTIONS)
"""Limits by client address. Failed passwords are counted elsewhere (`admin.auth.login_attempts`), and for longer."""
