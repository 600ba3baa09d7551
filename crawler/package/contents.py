"""Checks that the members of a package agree with each other: keys, lists of hashes, links of the chain. Pure."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Final

from crawler.package.manifest import Manifest
from crawler.package.problems import Problem
from crawler.package.signatures import (
    CERTIFIED,
    INSTALLATION_KEY,
    PACKAGE_KEY,
    BadSignature,
    check_installation,
    from_pem,
)
from crawler.package.writer import SUMS

CHAIN_SUMS: Final = "case/CHAIN.SHA256"
_LINE: Final = re.compile(r"([0-9a-f]{64})  (\S+)")
_ENTRY: Final = re.compile(r"chain/(\d{10})\.entry")


def problems_of_contents(manifest: Manifest, kept: Mapping[str, bytes], public: bytes | None) -> Iterator[Problem]:
    """`kept`: the contents of those members, by name; `public`: the key that signed the manifest, as DER."""
    hashes = {one.path: one.sha256.hex() for one in manifest.listed}
    if public is None or hashes.get(PACKAGE_KEY) != hashlib.sha256(public).hexdigest():
        yield Problem(PACKAGE_KEY, "it is not the key that signed the package")
    try:
        installation_key(kept, public)
    except BadSignature as error:
        yield Problem(CERTIFIED, str(error))
    rest = {name: digest for name, digest in hashes.items() if name != SUMS}
    if _sums(kept.get(SUMS, b"")) != rest:
        yield Problem(SUMS, "it does not list the members as the manifest does")
    for name, digest in _sums(kept.get(CHAIN_SUMS, b"")).items():
        if hashes.get(name) != digest:
            yield Problem(name, "it is not the file whose hash is in the chain")
    yield from _broken_links(hashes, kept)


def installation_key(kept: Mapping[str, bytes], public: bytes | None) -> bytes:
    """The installation's key (32 bytes), which signed that of the package (DER). Raises BadSignature."""
    if public is None or INSTALLATION_KEY not in kept or CERTIFIED not in kept:
        raise BadSignature("no key of an installation signed the package")
    found = from_pem(kept[INSTALLATION_KEY])
    check_installation(found, kept[CERTIFIED], public)
    return found


def _broken_links(hashes: Mapping[str, str], kept: Mapping[str, bytes]) -> Iterator[Problem]:
    """Entries whose first line is not the hash of the entry before, where both are in the package."""
    for name, content in kept.items():
        found = _ENTRY.fullmatch(name)
        before = None if found is None else hashes.get(f"chain/{int(found[1]) - 1:010}.entry")
        if before is not None and content.partition(b"\n")[0] != before.encode():
            yield Problem(name, "it does not follow the entry before it")


def _sums(content: bytes) -> dict[str, str]:
    lines = content.decode("utf-8", "replace").splitlines()
    found = [_LINE.fullmatch(line) for line in lines]
    return {one[2]: one[1] for one in found if one is not None}
