"""The domain that somebody registered, of a host: by the public suffix list that comes with tldextract. Pure."""

import ipaddress
from functools import lru_cache
from typing import Final

from tldextract import TLDExtract

LONGEST_NAME: Final = 253
"""Characters of a host name (RFC 1035)."""


def registered_domain(host: str) -> str | None:
    """Return the registered domain of a host in its ASCII form, a port left out; None for an address, a name without a
    dot, and names under a suffix that nobody delegates.

    >>> registered_domain("news.copier.com.cn:8080")
    'copier.com.cn'
    >>> registered_domain("10.0.0.1")
    """
    name = name_of(host)
    if not 0 < len(name) <= LONGEST_NAME or is_address(name):
        return None
    return _suffixes()(name).top_domain_under_public_suffix or None


def name_of(host: str) -> str:
    """Return the host without its port, in lower case; of an IPv6 address without its brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    name = host if host.count(":") > 1 else host.partition(":")[0]
    return name.strip().rstrip(".").lower()


def is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=1)
def _suffixes() -> TLDExtract:
    # The list inside the package: nothing is fetched, and nothing is written.
    return TLDExtract(cache_dir=None, suffix_list_urls=(), fallback_to_snapshot=True)
