"""Database addresses, with the password where every program hides it: before the host, not in the query. Pure."""

from typing import Final
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

DRIVER: Final = "postgresql+psycopg2"
"""Explicit, since plain `postgresql://` means another driver to SQLAlchemy 2.1."""
_SCHEMES: Final = ("postgresql", "postgres")

SECRETS: Final = ("sslpassword",)
"""Further secret parameters of libpq, which an address has no other place for."""


def with_password_in_place(address: str) -> str:
    """Move `?user=…&password=…` before the host. An address that cannot be parsed is returned unchanged."""
    try:
        parts = urlsplit(address)
        named = parse_qsl(parts.query, keep_blank_values=True)
    except ValueError:
        return address
    found = dict(named)
    if "password" not in found:
        return address
    who, _, place = parts.netloc.rpartition("@")
    # The query has precedence, as in libpq.
    user = quote(found["user"], safe="") if "user" in found else who.partition(":")[0]
    others = urlencode([(name, value) for name, value in named if name not in ("user", "password")], quote_via=quote)
    whole = f"{user}:{quote(found['password'], safe='')}@{place}"
    # Built by hand: with an empty host, as for a socket, urlunsplit would drop the slashes.
    path = urlunsplit(("", "", parts.path, others, ""))
    return f"{parts.scheme}://{whole}{path}"


def with_driver(address: str) -> str:
    """Return a Postgres address with our driver; an address of another scheme is returned unchanged."""
    scheme, separator, rest = address.partition("://")
    return f"{DRIVER}{separator}{rest}" if separator and scheme in _SCHEMES else address


def without_driver(address: str) -> str:
    """Return the address as libpq reads it."""
    return address.replace(f"{DRIVER}://", "postgresql://", 1)


def secrets_in_query(address: str) -> list[str]:
    """Return the names of query parameters that would show a secret."""
    return [name for name, _ in parse_qsl(urlsplit(address).query) if name in SECRETS]
