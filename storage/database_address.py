"""A database's address with its password where every program hides it: before the host, not in the query. Pure."""

from typing import Final
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

DRIVER: Final = "postgresql+psycopg2"
"""Named in full: plain `postgresql://` means another driver to SQLAlchemy 2.1."""
_SCHEMES: Final = ("postgresql", "postgres")

SECRETS: Final = ("sslpassword",)
"""Further parameters of libpq that are secret and have no other place in an address."""


def with_password_in_place(address: str) -> str:
    """The same address; `?user=…&password=…` stand before the host. One that cannot be read stays as it is."""
    try:
        parts = urlsplit(address)
        named = parse_qsl(parts.query, keep_blank_values=True)
    except ValueError:
        return address
    found = dict(named)
    if "password" not in found:
        return address
    who, _, place = parts.netloc.rpartition("@")
    # What the query says holds, as in libpq.
    user = quote(found["user"], safe="") if "user" in found else who.partition(":")[0]
    others = urlencode([(name, value) for name, value in named if name not in ("user", "password")], quote_via=quote)
    whole = f"{user}:{quote(found['password'], safe='')}@{place}"
    # Written out: with an empty place, as for a socket, urlunsplit would leave the slashes away.
    path = urlunsplit(("", "", parts.path, others, ""))
    return f"{parts.scheme}://{whole}{path}"


def with_driver(address: str) -> str:
    """The address of a Postgres with the driver that Zhiwen brings; an address of another scheme stays as it is."""
    scheme, separator, rest = address.partition("://")
    return f"{DRIVER}{separator}{rest}" if separator and scheme in _SCHEMES else address


def without_driver(address: str) -> str:
    """The address as libpq reads it."""
    return address.replace(f"{DRIVER}://", "postgresql://", 1)


def secrets_in_query(address: str) -> list[str]:
    """The names of parameters that would be shown with a secret in them."""
    return [name for name, _ in parse_qsl(urlsplit(address).query) if name in SECRETS]
