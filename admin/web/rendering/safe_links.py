"""Checks of untrusted URLs: which may become links, and where a login may redirect to."""

from urllib.parse import urlsplit

_LINKABLE_SCHEMES = frozenset({"http", "https"})


def is_linkable(url: str) -> bool:
    """Whether `url` is a plain web address. Hidden characters and other schemes make it text."""
    if not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        return False
    try:
        parts = urlsplit(url)
        return parts.scheme in _LINKABLE_SCHEMES and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        return False


def local_path(target: str | None, *, otherwise: str) -> str:
    """`target` if it is a path of this site, else `otherwise`: a login must not redirect elsewhere."""
    if not target or not target.isprintable() or "\\" in target:
        return otherwise
    if not target.startswith("/") or target.startswith("//"):
        return otherwise
    try:
        parts = urlsplit(target)
    except ValueError:
        return otherwise
    return otherwise if parts.scheme or parts.netloc else target
