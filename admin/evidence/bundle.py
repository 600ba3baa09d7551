"""The evidence of a case as one zip, written while it is sent: bounded in memory, whatever the files hold.

Two lists make it checkable with `sha256sum -c` alone: SHA256SUMS (nothing was changed since it was made), and
CHAIN.SHA256, whose hashes are not those of this moment but the ones that the chain of evidence holds.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from admin.evidence.bundle_readme import readme
from admin.evidence.case_json import alignment, case_shape
from admin.evidence.dossier import Dossier
from admin.identity.dates import made_in_words
from crawler.evidence.record_files import SUFFIX, EvidenceFolder
from storage.records.evidence import EvidenceEntry

BLOCK_BYTES: Final = 1 << 18
MOST_BYTES: Final = 500_000_000
"""Of kept responses in one bundle, the newest first; a hundred pages with their captures are a tenth of it."""


@dataclass(frozen=True, slots=True)
class Member:
    """A file of the bundle. `content`: what is in it, or where it stands."""

    name: str
    content: bytes | Path


@dataclass(frozen=True, slots=True)
class Plan:
    members: tuple[Member, ...]
    left_out: tuple[str, ...]
    """Why something that a reader would look for is not there, each in a line."""
    made: str
    """When, in the zone of whoever asks for it: a zip is written when the request and its zone are gone."""


def plan_of(dossier: Dossier, reports: Mapping[str, str], folder: EvidenceFolder | None) -> Plan:
    """What goes in. `reports`: the report as HTML, by language. Looks at sizes of files and reads none."""
    kept, left_out = _records(dossier, folder)
    entries = [Member(f"chain/{entry.number:010}.entry", _hashed(entry)) for entry in dossier.entries]
    texts = {body.sha256.hex(): body.body for body in dossier.texts.values()}
    members = [
        Member("case.json", _json(case_shape(dossier))),
        *(Member(f"report.{language}.html", page.encode()) for language, page in reports.items()),
        *(Member(f"texts/{digest}.txt", text.encode()) for digest, text in texts.items()),
        *(
            Member(f"alignment/{copy.hit.id}.json", _json(alignment(dossier, copy)))
            for copy in dossier.copies
            if copy.hit is not None
        ),
        *entries,
        *kept,
    ]
    members.append(Member("CHAIN.SHA256", _chain_list(dossier, {member.name for member in members})))
    return Plan(tuple(members), tuple(left_out), made_in_words(dossier.made_at))


def stream(plan: Plan, dossier: Dossier) -> Iterator[bytes]:
    """The zip in pieces. A file that went in the meantime is named in the README, which comes last but one."""
    sink = _Sink()
    sums: list[str] = []
    missing = list(plan.left_out)
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as package:
        for member in plan.members:
            try:
                yield from _written(package, sink, member, sums)
            except FileNotFoundError:
                missing.append(f"{member.name}: removed while this was made")
        yield from _written(
            package, sink, Member("README.txt", readme(dossier, missing, made=plan.made).encode()), sums
        )
        yield from _written(package, sink, Member("SHA256SUMS", "".join(sums).encode()), [])
    yield sink.take()


def _written(package: zipfile.ZipFile, sink: "_Sink", member: Member, sums: list[str]) -> Iterator[bytes]:
    content = member.content
    digest = hashlib.sha256()
    # What is packed already is stored as it is.
    about = zipfile.ZipInfo(member.name)
    about.compress_type = zipfile.ZIP_STORED if isinstance(content, Path) else zipfile.ZIP_DEFLATED
    about.external_attr = 0o644 << 16
    opened = content.open("rb") if isinstance(content, Path) else io.BytesIO(content)
    with opened as file, package.open(about, "w") as out:
        while block := file.read(BLOCK_BYTES):
            digest.update(block)
            out.write(block)
            yield sink.take()
    yield sink.take()
    sums.append(f"{digest.hexdigest()}  {member.name}\n")


class _Sink(io.RawIOBase):
    """Where the zip goes: it cannot seek, and holds what was written until somebody takes it."""

    def __init__(self) -> None:
        self._blocks: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, block: object) -> int:
        data = bytes(block)  # type: ignore[call-overload]  # whatever holds bytes
        self._blocks.append(data)
        return len(data)

    def take(self) -> bytes:
        taken, self._blocks = b"".join(self._blocks), []
        return taken


def _records(dossier: Dossier, folder: EvidenceFolder | None) -> tuple[list[Member], list[str]]:
    """The kept responses, newest first while there is room."""
    kept: dict[bytes, Member] = {}
    left_out: list[str] = []
    room = MOST_BYTES
    for entry in reversed(dossier.entries):
        if entry.record is None or entry.record in kept:
            continue
        name = f"warc/{entry.record.hex()}{SUFFIX}"
        if entry.removed_by is not None:
            left_out.append(f"{name}: removed by rule, see entry {entry.removed_by}")
            continue
        file = None if folder is None else folder.file_of(entry.record)
        size = file.stat().st_size if file is not None and file.is_file() else None
        if file is None or size is None:
            left_out.append(f"{name}: not on this machine (entry {entry.number})")
        elif size > room:
            left_out.append(f"{name}: too large for one bundle (entry {entry.number}, {size:,} bytes)")
        else:
            kept[entry.record] = Member(name, file)
            room -= size
    return list(kept.values()), left_out


def _hashed(entry: EvidenceEntry) -> bytes:
    """The very bytes whose SHA-256 is the hash of the entry."""
    return f"{entry.previous.hex()}\n{entry.body}".encode()


def _chain_list(dossier: Dossier, names: set[str]) -> bytes:
    """Hashes as the chain holds them: of its entries, and of the files and texts that they name."""
    lines = [f"{entry.hash.hex()}  chain/{entry.number:010}.entry\n" for entry in dossier.entries]
    for entry in dossier.entries:
        named = {f"warc/{entry.record.hex()}{SUFFIX}": entry.record} if entry.record else {}
        named |= {f"texts/{entry.text.hex()}.txt": entry.text} if entry.text else {}
        lines += [f"{digest.hex()}  {name}\n" for name, digest in named.items() if name in names]
    return "".join(dict.fromkeys(lines)).encode()


def _json(shape: object) -> bytes:
    return json.dumps(shape, ensure_ascii=False, indent=1, default=str).encode(errors="replace")
