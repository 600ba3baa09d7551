"""Checks a package byte for byte: the file has to be the one zip that its manifest describes.

Nothing is unpacked, and nothing that the zip says of itself is believed: sizes and places follow from the manifest. A
bomb, a path that leads elsewhere or a second member of a name is a fault like any other.
"""

import hashlib
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Final

from crawler.package.digest_check import check_digest, digest_size
from crawler.package.manifest import BadManifest, Listed, Manifest, read_datapackage
from crawler.package.members import DATAPACKAGE, DIGEST, MOST_MANIFEST_BYTES
from crawler.package.problems import Problem
from crawler.package.zip_layout import (
    LOCAL,
    Part,
    directory_entry,
    end_record,
    local_header,
    name_length,
    read_local_header,
    whole_size,
)

MOST_PROBLEMS: Final = 50
_BLOCK: Final = 1 << 18
_KEPT_BYTES: Final = 32_000_000
"""Of the members whose content is looked into, together: keys, lists of hashes, chain entries."""
_LOOKED_INTO: Final = ("keys/", "chain/", "SHA256SUMS", "case/CHAIN.SHA256")


@dataclass(slots=True)
class Checked:
    """What was found of a file. It is sound if there are no problems."""

    sha256: bytes
    size: int
    manifest: Manifest | None = None
    signed_by: bytes | None = None
    """The public key (32 bytes) of the installation that signed the package, if its signature holds."""
    is_whole_signed: bool = False
    """Whether a detached signature of the whole file was given and holds."""
    problems: list[Problem] = field(default_factory=list)

    def add(self, member: str | None, message: str) -> None:
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(member, message))


class LayoutCheck:
    """One pass over a file. `kept`: contents that are looked into later; `signed_by`: key of the package, as DER."""

    def __init__(self, file: IO[bytes], checked: Checked) -> None:
        self.kept: dict[str, bytes] = {}
        self.signed_by: bytes | None = None
        self._file, self._checked = file, checked
        self._place = 0
        self._parts: list[Part] = []
        self._spare = _KEPT_BYTES
        self._surplus = 0
        """Bytes by which the file is longer than its manifest says; negative: shorter."""

    def check(self) -> None:
        raw, manifest = self._manifest()
        if manifest is None:
            return
        digest_bytes = digest_size(manifest)
        sizes = [Part(DATAPACKAGE, len(raw), 0), Part(DIGEST, digest_bytes, 0)]
        sizes += [Part(one.path, one.size, 0) for one in manifest.listed]
        self._surplus = self._checked.size - whole_size(sizes)
        if not self._header(Part(DATAPACKAGE, len(raw), zlib.crc32(raw)), manifest):
            self._checked.add(DATAPACKAGE, "its header in the zip was changed")
        if self._digest(digest_bytes, raw, manifest) and self._members(manifest) and not self._checked.problems:
            self._directory(manifest)

    def _manifest(self) -> tuple[bytes, Manifest | None]:
        """The manifest, which is the first member; None if it cannot be used."""
        header = read_local_header(self._read(0, LOCAL.size + len(DATAPACKAGE)))
        data = (
            b"" if header is None else self._read(LOCAL.size + len(DATAPACKAGE), header.size + 1, MOST_MANIFEST_BYTES)
        )
        try:
            if header is None or header.name != DATAPACKAGE:
                raise BadManifest("the file does not begin with it: it is no package of Zhiwen, or was changed")
            if len(data) <= header.size or zlib.crc32(data[:-1]) != header.crc:
                raise BadManifest(f"it was changed, cut off, or has more than {MOST_MANIFEST_BYTES:,} bytes")
            self._checked.manifest = read_datapackage(data[:-1])
        except BadManifest as error:
            self._checked.add(DATAPACKAGE, str(error))
        return data[:-1], self._checked.manifest

    def _digest(self, size: int, raw: bytes, manifest: Manifest) -> bool:
        """Check datapackage-digest.json. Returns whether the manifest, and where this file ends, can be relied on."""
        data = self._read(self._place + LOCAL.size + len(DIGEST), size)
        found = check_digest(data, raw, manifest)
        is_sound = self._header(Part(DIGEST, size, zlib.crc32(data)), manifest)
        if isinstance(found, Problem):
            self._checked.add(found.member, found.message)
            return found.member == DIGEST and self._surplus == 0
        self.signed_by = found
        if not is_sound:
            self._checked.add(DIGEST, "its header in the zip was changed")
        return is_sound or self._surplus == 0

    def _members(self, manifest: Manifest) -> bool:
        """Check the listed members. Returns whether the places of all of them are known."""
        for one in manifest.listed:
            if not self._member(one, manifest) and self._surplus:
                self._checked.add(None, "the members after it are not where the manifest says, and were not checked")
                return False
        return True

    def _member(self, one: Listed, manifest: Manifest) -> bool:
        begin, place = self._place + LOCAL.size + len(one.path), self._place
        crc, size, digest = 0, 0, hashlib.sha256()
        content: list[bytes] | None = self._room_for(one)
        for block in self._blocks(begin, one.size):
            crc, size = zlib.crc32(block, crc), size + len(block)
            digest.update(block)
            if content is not None:
                content.append(block)
        if content is not None:
            self.kept[one.path] = b"".join(content)
        is_header_sound = self._header(Part(one.path, one.size, crc), manifest)
        if size != one.size:
            self._checked.add(one.path, "the file ends before it, or within it")
        elif digest.digest() != one.sha256:
            self._checked.add(*self._difference(one.path, self._name_at(place), manifest))
        elif not is_header_sound:
            self._checked.add(one.path, "its header in the zip was changed")
        return is_header_sound and digest.digest() == one.sha256

    def _difference(self, wanted: str, found: str | None, manifest: Manifest) -> tuple[str, str]:
        """The member at fault, and what is wrong. `found`: the name where `wanted` should begin."""
        if found is None or found == wanted:
            return wanted, "it was changed"
        names = {DATAPACKAGE, DIGEST, *(one.path for one in manifest.listed)}
        if self._surplus > 0 and found in names:
            return found, f"it is in the zip twice, once before {wanted}"
        return wanted, f"{found!a} is in its place"

    def _room_for(self, one: Listed) -> list[bytes] | None:
        if not one.path.startswith(_LOOKED_INTO) or one.size > self._spare:
            return None
        self._spare -= one.size
        return []

    def _directory(self, manifest: Manifest) -> None:
        """Check the central directory and the end of the zip."""
        start, offset = self._place, 0
        if (found := self._name_at(start)) is not None:
            self._checked.add(found, "it is in the zip and not in the manifest")
            return
        for part in self._parts:
            wanted = directory_entry(part, manifest.created, offset=offset)
            if self._read(self._place, len(wanted)) != wanted:
                self._checked.add(part.name, "its entry in the directory of the zip was changed or cut off")
                if self._surplus:
                    return
            offset += part.span
            self._place += len(wanted)
        end = end_record(len(self._parts), size=self._place - start, offset=start)
        if self._read(self._place, len(end)) != end:
            self._checked.add(None, "the record at the end of the zip was changed or cut off")
        elif (more := self._checked.size - self._place - len(end)) > 0:
            self._checked.add(None, f"{more:,} bytes follow the end of the zip")

    def _header(self, part: Part, manifest: Manifest) -> bool:
        """Whether the header of the next member is right; goes on to the place behind that member."""
        wanted = local_header(part, manifest.created)
        is_sound = self._read(self._place, len(wanted)) == wanted
        self._parts.append(part)
        self._place += part.span
        return is_sound

    def _name_at(self, place: int) -> str | None:
        """The name in the header at a place; None if there is no header."""
        fixed = self._read(place, LOCAL.size)
        header = read_local_header(fixed + self._read(place + LOCAL.size, name_length(fixed), 1_000))
        return None if header is None else header.name

    def _read(self, place: int, size: int, most: int = 1 << 20) -> bytes:
        self._file.seek(place)
        return self._file.read(min(size, most))

    def _blocks(self, place: int, size: int) -> Iterator[bytes]:
        self._file.seek(place)
        while size > 0 and (block := self._file.read(min(size, _BLOCK))):
            yield block
            size -= len(block)
