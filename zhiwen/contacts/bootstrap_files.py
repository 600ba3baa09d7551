"""IANA's tables of RDAP servers, kept in the home for a week; without them, the built-in ones."""

import os
from collections.abc import Callable
from pathlib import Path
from time import time
from typing import Final

from crawler.contacts.rdap_bootstrap import BadBootstrap, Bootstrap, bootstrap_of, built_in

FOLDER: Final = "rdap"
DOMAINS: Final = "dns.json"
ADDRESSES: Final = ("ipv4.json", "ipv6.json")
KEPT_S: Final = 7 * 86_400.0
"""IANA's files change a few times a month, and RFC 9224 asks for caching."""


def kept_bootstrap(home: Path, base: str, get: Callable[[str], bytes | None]) -> Bootstrap:
    """Return the tables of the address `base` as they are kept, read again if they are old; else the built-in ones.

    `get` returns the content of an address, None if it cannot be read. An old copy is better than none.
    """
    folder = home / FOLDER
    names = (DOMAINS, *ADDRESSES)
    if any(_age_s(folder / name) > KEPT_S for name in names):
        _renew(folder, base, names, get)
    try:
        domains, *addresses = ((folder / name).read_bytes() for name in names)
        return bootstrap_of(domains, addresses=tuple(addresses))
    except (OSError, BadBootstrap):
        return built_in()


def _renew(folder: Path, base: str, names: tuple[str, ...], get: Callable[[str], bytes | None]) -> None:
    """All files or none: those of one day belong together."""
    fresh: dict[str, bytes] = {}
    for name in names:
        content = get(f"{base.rstrip('/')}/{name}")
        if content is None:
            return
        fresh[name] = content
    try:
        bootstrap_of(fresh[DOMAINS], addresses=tuple(fresh[name] for name in ADDRESSES))
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in fresh.items():
            beside = folder / f"{name}.{os.getpid()}"
            beside.write_bytes(content)
            beside.replace(folder / name)
    except (BadBootstrap, OSError):
        return


def _age_s(path: Path) -> float:
    try:
        return time() - path.stat().st_mtime
    except OSError:
        return float("inf")
