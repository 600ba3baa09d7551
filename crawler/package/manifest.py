"""The manifest of a package: datapackage.json (WACZ 1.1.1, Frictionless Data Package). Pure."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from crawler.package.members import DATAPACKAGE, DIGEST, MOST_BYTES, MOST_MEMBERS, is_sound

WACZ_VERSION: Final = "1.1.1"
_DATE: Final = "%Y-%m-%dT%H:%M:%SZ"
_HASH: Final = re.compile(r"sha256:[0-9a-f]{64}")


class BadManifest(Exception):
    """The bytes are no manifest of a package; the message says why."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A member as the manifest lists it. `size` in bytes."""

    path: str
    sha256: bytes
    size: int


@dataclass(frozen=True, slots=True)
class About:
    """What a manifest says of the whole package. `created`: whole seconds. `more`: fields of our own."""

    name: str
    title: str
    description: str
    created: datetime
    software: str
    main_page: tuple[str, datetime] | None = None
    more: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest that was read. `created` as written and as a time."""

    name: str
    written: str
    created: datetime
    software: str
    listed: tuple[Listed, ...]


def datapackage(about: About, listed: Iterable[Listed]) -> bytes:
    """datapackage.json. Letters that cannot be encoded become question marks."""
    known: dict[str, object] = {
        "profile": "data-package",
        "wacz_version": WACZ_VERSION,
        "name": about.name,
        "title": about.title,
        "description": about.description,
        "created": written(about.created),
        "software": about.software,
    }
    if about.main_page is not None:
        known |= {"mainPageUrl": about.main_page[0], "mainPageDate": written(about.main_page[1])}
    known |= about.more
    known["resources"] = [
        {"name": one.path.lower(), "path": one.path, "hash": f"sha256:{one.sha256.hex()}", "bytes": one.size}
        for one in listed
    ]
    return as_json(known)


def read_datapackage(data: bytes) -> Manifest:
    """Raises BadManifest."""
    shape = read_json(data)
    texts = {key: shape.get(key) for key in ("name", "created", "software", "wacz_version")}
    if not all(isinstance(value, str) for value in texts.values()):
        raise BadManifest("it lacks its name, version, time or program")
    if texts["wacz_version"] != WACZ_VERSION:
        raise BadManifest(f"it is of version {str(texts['wacz_version'])[:20]!r} of WACZ, and not {WACZ_VERSION}")
    try:
        created = datetime.strptime(str(texts["created"]), _DATE).replace(tzinfo=UTC)
    except ValueError as error:
        raise BadManifest("its time is not of the form 2026-01-31T08:00:00Z") from error
    return Manifest(
        str(texts["name"]), str(texts["created"]), created, str(texts["software"]), _listed(shape.get("resources"))
    )


def as_json(shape: object) -> bytes:
    return (json.dumps(shape, ensure_ascii=False, indent=1) + "\n").encode(errors="replace")


def read_json(data: bytes) -> dict[str, Any]:
    """The object that the bytes are. Raises BadManifest."""
    try:
        shape = json.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise BadManifest("it is not JSON") from error
    if not isinstance(shape, dict):
        raise BadManifest("it is no JSON object")
    return shape


def written(at: datetime) -> str:
    return at.astimezone(UTC).strftime(_DATE)


def _listed(resources: object) -> tuple[Listed, ...]:
    if not isinstance(resources, list) or not 0 < len(resources) <= MOST_MEMBERS:
        raise BadManifest(f"it lists no members, or more than {MOST_MEMBERS:,}")
    found = tuple(map(_one, resources))
    names = {one.path.lower() for one in found} | {DATAPACKAGE, DIGEST}
    if len(names) != len(found) + 2:
        raise BadManifest("it lists a member twice")
    if sum(one.size for one in found) > MOST_BYTES:
        raise BadManifest(f"it lists more than {MOST_BYTES:,} bytes")
    return found


def _one(resource: object) -> Listed:
    known = resource if isinstance(resource, dict) else {}
    path, digest, size = (known.get(key) for key in ("path", "hash", "bytes"))
    if not isinstance(path, str) or not is_sound(path):
        raise BadManifest(f"it lists a member under an unusable name: {str(path)[:80]!a}")
    if not isinstance(digest, str) or not _HASH.fullmatch(digest):
        raise BadManifest(f"it lists {path} without its SHA-256")
    if not isinstance(size, int) or isinstance(size, bool) or not 0 <= size <= MOST_BYTES:
        raise BadManifest(f"it lists {path} without its size")
    return Listed(path, bytes.fromhex(digest[7:]), size)
