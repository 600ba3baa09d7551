"""The one zip that given members make: uncompressed, in order, without gaps, comments or optional fields. Pure.

Each byte of such a zip follows from the names, contents and the time of the package, so a check can state which byte
is wrong, and has nothing to unpack. The format is that of PKWARE's APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16.
"""

import struct
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

LOCAL: Final = struct.Struct("<4s5H3L2H")
_ENTRY: Final = struct.Struct("<4s6H3L5H2L")
_END: Final = struct.Struct("<4s4H2LH")
_LOCAL_MARK: Final = b"PK\x03\x04"
_ENTRY_MARK: Final = b"PK\x01\x02"
_END_MARK: Final = b"PK\x05\x06"
_VERSION: Final = 20
_MADE_ON_UNIX: Final = 3 << 8 | _VERSION
_MODE: Final = 0o100644 << 16
_EARLIEST_YEAR: Final = 1980


@dataclass(frozen=True, slots=True)
class Part:
    """A member as the zip describes it. `size` in bytes; `crc`: CRC-32."""

    name: str
    size: int
    crc: int

    @property
    def span(self) -> int:
        """Bytes of its header and its content together."""
        return LOCAL.size + len(self.name) + self.size


@dataclass(frozen=True, slots=True)
class LocalHeader:
    """What the header before a member's content says; nothing of it is believed before it is compared."""

    name: str
    size: int
    crc: int


def local_header(part: Part, at: datetime) -> bytes:
    date, time = dos_time(at)
    fixed = (_LOCAL_MARK, _VERSION, 0, 0, time, date, part.crc, part.size, part.size, len(part.name), 0)
    return LOCAL.pack(*fixed) + part.name.encode("ascii")


def directory_entry(part: Part, at: datetime, *, offset: int) -> bytes:
    """The member's entry in the central directory. `offset`: where its local header begins."""
    date, time = dos_time(at)
    sizes = (part.crc, part.size, part.size, len(part.name))
    fixed = (_ENTRY_MARK, _MADE_ON_UNIX, _VERSION, 0, 0, time, date, *sizes, 0, 0, 0, 0, _MODE, offset)
    return _ENTRY.pack(*fixed) + part.name.encode("ascii")


def end_record(count: int, *, size: int, offset: int) -> bytes:
    """The end of the zip: number of entries, bytes of the central directory, and where it begins."""
    return _END.pack(_END_MARK, 0, 0, count, count, size, offset, 0)


def whole_size(parts: list[Part]) -> int:
    """Bytes of the zip that these members make."""
    return sum(part.span + _ENTRY.size + len(part.name) for part in parts) + _END.size


def read_local_header(data: bytes) -> LocalHeader | None:
    """The header at the start of `data`; None if there is none. Reads name and sizes alone."""
    if len(data) < LOCAL.size:
        return None
    mark, _, _, _, _, _, crc, _, size, length, _ = LOCAL.unpack_from(data)
    name = data[LOCAL.size : LOCAL.size + length]
    if mark != _LOCAL_MARK or len(name) != length:
        return None
    return LocalHeader(name.decode("ascii", "replace"), size, crc)


def name_length(data: bytes) -> int:
    """Bytes of the name in the header at the start of `data`, as it says; 0 if there is no whole header."""
    return 0 if len(data) < LOCAL.size else LOCAL.unpack_from(data)[9]


def dos_time(at: datetime) -> tuple[int, int]:
    """Date and time as zips have them: UTC, in steps of two seconds, from 1980 on."""
    utc = at.astimezone(UTC)
    date = max(utc.year - _EARLIEST_YEAR, 0) << 9 | utc.month << 5 | utc.day
    return date, utc.hour << 11 | utc.minute << 5 | utc.second // 2
