"""The evidence of a case as a zip, written while it is sent, with bounded memory.

Two lists make it verifiable with `sha256sum -c` alone: SHA256SUMS (nothing was changed since the bundle was made), and
CHAIN.SHA256, whose hashes are those that the chain of evidence holds.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from admin.evidence.bundle_readme import readme_text
from admin.evidence.case_json import alignment, case_shape, retelling
from admin.evidence.dossier import Dossier
from admin.identity.dates import made_in_words
from crawler.evidence.record_files import SUFFIX, EvidenceFolder
from crawler.package.members import Member
from storage.evidence.hash_chain import folder_of
from storage.records.evidence import EvidenceEntry

BLOCK_BYTES: Final = 1 << 18
MOST_BYTES: Final = 500_000_000
"""In bytes: captured responses in one bundle, newest first; a hundred pages with captures take a tenth of it."""


@dataclass(frozen=True, slots=True)
class Plan:
    members: tuple[Member, ...]
    left_out: tuple[str, ...]
    """Reasons why expected files are missing, a line each."""
    made: str
    """Time of creation in the viewer's zone: the zip is written after the request has ended."""


def plan_of(dossier: Dossier, reports: Mapping[str, str], folder: EvidenceFolder | None) -> Plan:
    """The files of the bundle. `reports`: the report as HTML, by language. Reads sizes of files, but no contents."""
    kept, left_out = _records(dossier, folder)
    entries = [Member(f"chain/{entry.number:010}.entry", hashed_bytes(entry)) for entry in dossier.entries]
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
        *(
            Member(f"retelling/{copy.retelling.id}.json", _json(retelling(dossier, copy)))
            for copy in dossier.copies
            if copy.retelling is not None
        ),
        *entries,
        *kept,
    ]
    members.append(Member("CHAIN.SHA256", _chain_list(dossier, {member.name for member in members})))
    return Plan(tuple(members), tuple(left_out), made_in_words(dossier.made_at))


def stream(plan: Plan, dossier: Dossier) -> Iterator[bytes]:
    """The zip in blocks. Files that vanished meanwhile are listed in the README, which is the last but one."""
    sink = _Sink()
    sums: list[str] = []
    missing = list(plan.left_out)
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as package:
        for member in plan.members:
            try:
                yield from _written(package, sink, member, sums)
            except FileNotFoundError:
                missing.append(f"{member.name}: removed while this was made")
        readme = readme_text(dossier, missing, template="bundle_readme", made=plan.made)
        yield from _written(package, sink, Member("README.txt", readme.encode()), sums)
        yield from _written(package, sink, Member("SHA256SUMS", "".join(sums).encode()), [])
    yield sink.take()


def _written(package: zipfile.ZipFile, sink: "_Sink", member: Member, sums: list[str]) -> Iterator[bytes]:
    content = member.content
    digest = hashlib.sha256()
    # Files that are compressed already are stored.
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
    """A sink for the zip: not seekable, holds what was written until it is taken."""

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
    """Captured responses, newest first, up to MOST_BYTES."""
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
            place = folder_of(entry)
            left_out.append(
                f"{name}: not on this machine (entry {entry.number}){f', kept in {place}' if place else ''}"
            )
        elif size > room:
            left_out.append(f"{name}: too large for one bundle (entry {entry.number}, {size:,} bytes)")
        else:
            kept[entry.record] = Member(name, file)
            room -= size
    return list(kept.values()), left_out


def hashed_bytes(entry: EvidenceEntry) -> bytes:
    """The exact bytes whose SHA-256 is the hash of the entry."""
    return f"{entry.previous.hex()}\n{entry.body}".encode()


def _chain_list(dossier: Dossier, names: set[str]) -> bytes:
    """SHA256SUMS lines with the hashes of the chain: of its entries, and of the files and texts that they name."""
    lines = [f"{entry.hash.hex()}  chain/{entry.number:010}.entry\n" for entry in dossier.entries]
    for entry in dossier.entries:
        named = {f"warc/{entry.record.hex()}{SUFFIX}": entry.record} if entry.record else {}
        named |= {f"texts/{entry.text.hex()}.txt": entry.text} if entry.text else {}
        lines += [f"{digest.hex()}  {name}\n" for name, digest in named.items() if name in names]
    return "".join(dict.fromkeys(lines)).encode()


def _json(shape: object) -> bytes:
    return json.dumps(shape, ensure_ascii=False, indent=1, default=str).encode(errors="replace")
