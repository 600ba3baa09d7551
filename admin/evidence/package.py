"""The evidence of a case as a package that others replay and check: a WACZ with all that the bundle has.

The bundle's files are one folder deep here, since the validator of web archives takes no others.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import IO, Final

from admin.evidence.bundle import hashed_bytes, plan_of
from admin.evidence.bundle_readme import readme_text
from admin.evidence.dossier import Dossier
from admin.identity.dates import local_time
from crawler.evidence.record_files import SUFFIX, EvidenceFolder
from crawler.evidence.signing_keys import SigningKey
from crawler.package.capture_records import record_members
from crawler.package.contents import CHAIN_SUMS
from crawler.package.manifest import About
from crawler.package.members import Member
from crawler.package.replay_index import (
    INDEX,
    PAGES,
    IndexedRecord,
    NotIndexed,
    ReplayPage,
    index_of,
    pages_of,
    records_of,
    replayable,
)
from crawler.package.writer import Written, write_package
from storage.evidence.timestamps import StampRecord
from storage.records.evidence import EvidenceEntry, EvidenceKind

README: Final = "case/README.txt"
_ARCHIVE: Final = "archive/"
_OF_RECORDS: Final = "warc/"
"""Where the bundle has what is under `archive` here."""
_OF_PAGES: Final = (EvidenceKind.STORED, EvidenceKind.CAPTURED)


@dataclass(frozen=True, slots=True)
class Proofs:
    """What shows who made a package, and when its evidence existed: the key, its announcements, stamps of the chain."""

    key: SigningKey
    announcements: tuple[EvidenceEntry, ...]
    stamps: tuple[StampRecord, ...]
    witnesses: Mapping[str, bytes] = field(default_factory=dict)
    """Lists of files with what witnesses answered, and countersigned heads, by the names of the files."""


def write_case(
    file: IO[bytes], dossier: Dossier, reports: Mapping[str, str], folder: EvidenceFolder, proofs: Proofs
) -> Written:
    """Write the package of a case into an empty file. `reports`: the report as HTML, by language.

    Raises NotPackaged, and FileNotFoundError if evidence was removed meanwhile.
    """
    plan = plan_of(dossier, reports, folder)
    missing = list(plan.left_out)
    members = [_moved(member) for member in plan.members]
    indexed, members = _indexed(members, missing)
    pages = _pages(dossier, indexed)
    members += [Member(INDEX, index_of(indexed)), Member(PAGES, pages_of(pages))]
    known = {member.name for member in members}
    members += [member for member in _announcements(proofs.announcements) if member.name not in known]
    stamps = stamps_of(dossier.entries, proofs.stamps)
    members += [member for stamp in stamps for member in _stamp(stamp)]
    members += [Member(f"witnesses/{name}", data) for name, data in proofs.witnesses.items()]
    members += _capture_records(dossier.entries, members)
    readme = readme_text(
        dossier,
        missing,
        template="package_readme",
        made=plan.made,
        key=proofs.key.id,
        stamps=str(len(stamps)),
        newest=str(stamps[-1].head.number) if stamps else "—",
        file=f"{name_of(dossier)}.wacz",
    )
    members.append(Member(README, readme.encode(errors="replace")))
    return write_package(file, members, _about(dossier, pages, proofs.key), proofs.key)


def name_of(dossier: Dossier) -> str:
    """The name of the package without its suffix: case, and when it was made, in the viewer's zone."""
    return f"zhiwen-case-{dossier.case.id}-{local_time(dossier.made_at):%Y%m%d-%H%M%S}"


def stamps_of(entries: Iterable[EvidenceEntry], stamps: Sequence[StampRecord]) -> list[StampRecord]:
    """Of each entry the earliest stamp of the chain that covers it, in order."""
    found: dict[int, StampRecord] = {}
    known = sorted(stamps, key=lambda stamp: stamp.head.number)
    for entry in entries:
        first = next((stamp for stamp in known if stamp.head.number >= entry.number), None)
        if first is not None:
            found.setdefault(first.head.number, first)
    return [found[number] for number in sorted(found)]


def _moved(member: Member) -> Member:
    """The same member at its place in a package."""
    name, content = member.name, member.content
    if name.startswith(_OF_RECORDS):
        return Member(f"{_ARCHIVE}{name.removeprefix(_OF_RECORDS)}", content)
    if isinstance(content, bytes) and name == "CHAIN.SHA256":
        return Member(CHAIN_SUMS, content.replace(f"  {_OF_RECORDS}".encode(), f"  {_ARCHIVE}".encode()))
    return member if "/" in name else Member(f"case/{name}", content)


def _indexed(members: Sequence[Member], missing: list[str]) -> tuple[list[IndexedRecord], list[Member]]:
    """The records in the files, and the members without files that vanished; notes what lacks."""
    found: list[IndexedRecord] = []
    kept: list[Member] = []
    for member in members:
        if not isinstance(member.content, Path):
            kept.append(member)
            continue
        try:
            found += records_of(member.content, member.name.removeprefix(_ARCHIVE))
        except FileNotFoundError:
            missing.append(f"{member.name}: removed while this was made")
            continue
        except NotIndexed as error:
            missing.append(f"{member.name}: is here and cannot be replayed ({error})")
        kept.append(member)
    return found, kept


def _pages(dossier: Dossier, indexed: Iterable[IndexedRecord]) -> list[ReplayPage]:
    """The pages of the case as they were answered, copies first, the newest answer of each first."""
    titles = {copy.page.url: copy.page.title for copy in dossier.copies}
    titles[dossier.our_page.url] = dossier.our_page.title
    order = {url: number for number, url in enumerate(titles)}
    files = {
        f"{entry.record.hex()}{SUFFIX}": entry.url
        for entry in dossier.entries
        if entry.record is not None and entry.kind in _OF_PAGES and entry.url in titles
    }
    shown = [record for record in replayable(indexed) if record.file in files]
    shown.sort(key=lambda record: (order[files[record.file]], -record.at.timestamp()))
    return [ReplayPage(record.url, record.at, titles[files[record.file]]) for record in shown]


def _capture_records(entries: Iterable[EvidenceEntry], members: Sequence[Member]) -> list[Member]:
    """The signed records of captures whose files are among the members, by the numbers of their entries."""
    files = {member.name: member.content for member in members}
    found: list[Member] = []
    for entry in entries:
        path = None if entry.record is None else files.get(f"{_ARCHIVE}{entry.record.hex()}{SUFFIX}")
        if entry.kind is EvidenceKind.RECORDED and isinstance(path, Path):
            found += record_members(path, f"{entry.number:010}")
    return found


def _announcements(entries: Iterable[EvidenceEntry]) -> list[Member]:
    return [Member(f"chain/{entry.number:010}.entry", hashed_bytes(entry)) for entry in entries]


def _stamp(stamp: StampRecord) -> list[Member]:
    """What was stamped, what the authority answered, and its certificates."""
    name = f"stamps/{stamp.head.number:010}"
    return [
        Member(f"{name}.head", str(stamp.head).encode("ascii")),
        Member(f"{name}.tsr", stamp.response),
        Member(f"{name}.pem", stamp.certificates.encode()),
    ]


def _about(dossier: Dossier, pages: Sequence[ReplayPage], key: SigningKey) -> About:
    main = (pages[0].url, pages[0].at) if pages else None
    more = {
        "case": dossier.case.id,
        "made_by": dossier.made_by,
        "chain_head": None if dossier.head is None else str(dossier.head),
        "key_id": key.id,
    }
    return About(
        name=name_of(dossier),
        title=f"{dossier.our_page.title.strip() or dossier.our_page.url} ⇄ {dossier.case.other_name}",
        description=f"案件 {dossier.case.id} 的证据包 / Evidence of case {dossier.case.id}: {README}",
        created=dossier.made_at.replace(microsecond=0),
        software=f"Zhiwen {version('zhiwen')}",
        main_page=main,
        more={"zhiwen": more},
    )
