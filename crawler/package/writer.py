"""Writes a package: the manifest first, then the members in its order, so that a cut file still names what it lacks."""

import hashlib
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Final

from crawler.evidence.signing_keys import SigningKey
from crawler.package.manifest import About, Listed, datapackage, written
from crawler.package.members import DATAPACKAGE, DIGEST, MOST_BYTES, MOST_MEMBERS, Member, is_sound
from crawler.package.signatures import OneTimeKey
from crawler.package.zip_layout import Part, directory_entry, end_record, local_header, whole_size

SUMS: Final = "SHA256SUMS"
_BLOCK: Final = 1 << 18


class NotPackaged(Exception):
    """The members cannot be packaged; the message says why."""


@dataclass(frozen=True, slots=True)
class Written:
    """The finished file. `size` in bytes."""

    name: str
    sha256: bytes
    size: int


@dataclass(frozen=True, slots=True)
class _Measured:
    member: Member
    part: Part
    sha256: bytes


def write_package(file: IO[bytes], members: Sequence[Member], about: About, signer: SigningKey) -> Written:
    """Write the package into an empty file. Adds keys, SHA256SUMS and the manifest; each member is read twice.

    Raises NotPackaged, and FileNotFoundError if a member was removed meanwhile.
    """
    key = OneTimeKey()
    measured = [_measured(member) for member in (*members, *key.members(signer))]
    sums = "".join(f"{one.sha256.hex()}  {one.member.name}\n" for one in measured)
    measured.append(_measured(Member(SUMS, sums.encode())))
    listed = [Listed(one.member.name, one.sha256, one.part.size) for one in measured]
    manifest = datapackage(about, listed)
    digest = key.digest_file(manifest, created=written(about.created), software=about.software)
    whole = [_measured(Member(DATAPACKAGE, manifest)), _measured(Member(DIGEST, digest)), *measured]
    _require_sound(whole)
    counted = _Counted(file)
    _write(counted, whole, about)
    return Written(f"{about.name}.wacz", counted.digest.digest(), counted.size)


def _write(out: "_Counted", measured: Sequence[_Measured], about: About) -> None:
    entries: list[bytes] = []
    for one in measured:
        entries.append(directory_entry(one.part, about.created, offset=out.size))
        out.write(local_header(one.part, about.created))
        digest = hashlib.sha256()
        for block in _blocks(one.member):
            digest.update(block)
            out.write(block)
        if digest.digest() != one.sha256:
            raise NotPackaged(f"{one.member.name} changed while it was packaged. Try again.")
    offset = out.size
    for entry in entries:
        out.write(entry)
    out.write(end_record(len(entries), size=out.size - offset, offset=offset))


def _require_sound(measured: Sequence[_Measured]) -> None:
    names = [one.member.name for one in measured]
    if len({name.lower() for name in names}) != len(names) or not all(map(is_sound, names)):
        raise NotPackaged("two members have one name, or a name cannot be unpacked everywhere")
    if len(names) > MOST_MEMBERS or whole_size([one.part for one in measured]) > MOST_BYTES:
        raise NotPackaged(f"it would have more than {MOST_MEMBERS:,} members or {MOST_BYTES:,} bytes")


def _measured(member: Member) -> _Measured:
    digest, crc, size = hashlib.sha256(), 0, 0
    for block in _blocks(member):
        digest.update(block)
        crc = zlib.crc32(block, crc)
        size += len(block)
    return _Measured(member, Part(member.name, size, crc), digest.digest())


def _blocks(member: Member) -> Iterator[bytes]:
    if isinstance(member.content, bytes):
        yield member.content
        return
    with member.content.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block


class _Counted:
    """A file that is written once, with its size and hash so far."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.size = 0
        self.digest = hashlib.sha256()

    def write(self, data: bytes) -> None:
        self._file.write(data)
        self.digest.update(data)
        self.size += len(data)
