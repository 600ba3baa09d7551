"""What witnesses answered about the evidence of a case, as files that other programs check."""

import io
import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from crawler.evidence.signing_keys import public_pem
from storage.evidence import case_proofs, file_lists, heads, witnesses
from storage.records.witnesses import CountersignatureRecord, SignedStatement, WitnessKind, WitnessRecord, WitnessState

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

_ANSWERED: Final = (WitnessState.DONE, WitnessState.PENDING, WitnessState.FAILED)


def witness_files(session: "Session", case_id: int) -> dict[str, bytes]:
    """By name: the lists with files of a case, what authorities and calendars answered, and the countersigned head.

    `list-7.sha256` is a list; `list-7.stamp-3.tsr` with `….roots.pem` its RFC 3161 stamp; `list-7.ots-4.ots` a proof
    for OpenTimestamps; `head-12.….txt`, `.sig` and `.pem` a signed statement with the key. Docs: Witnesses.
    """
    records, last_entry = case_proofs.case_files(session, case_id)
    list_ids = sorted(set(file_lists.lists_of(session, records).values()))
    found: dict[str, bytes] = {}
    for number in list_ids:
        shown = file_lists.get_list(session, number)
        if shown is not None:
            found[f"list-{number}.sha256"] = shown.body.encode()
    for one in witnesses.witnesses_of_lists(session, list_ids):
        found.update(_of_witness(one))
    request = heads.first_covering(session, last_entry) if last_entry else None
    if request is not None:
        found.update(_of_head(request))
    return found


def witness_archive(session: "Session", case_id: int) -> bytes:
    """The same in one zip file; an empty one if no witness was asked."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in witness_files(session, case_id).items():
            archive.writestr(name, data)
    return packed.getvalue()


def _of_witness(one: WitnessRecord) -> Iterator[tuple[str, bytes]]:
    if one.proof is None or one.state not in _ANSWERED:
        return
    if one.kind is WitnessKind.STAMP:
        yield f"list-{one.list_id}.stamp-{one.id}.tsr", one.proof
        yield f"list-{one.list_id}.stamp-{one.id}.roots.pem", (one.certificates or "").encode()
    else:
        yield f"list-{one.list_id}.ots-{one.id}.ots", one.proof


def _of_head(request: CountersignatureRecord) -> Iterator[tuple[str, bytes]]:
    if request.answer is not None:
        yield from _signed(f"head-{request.head.number}.statement", request.statement)
        yield from _signed(f"head-{request.head.number}.answer", request.answer)


def _signed(name: str, signed: SignedStatement) -> Iterator[tuple[str, bytes]]:
    yield f"{name}.txt", signed.text.encode()
    yield f"{name}.sig", signed.signature
    yield f"{name}.pem", public_pem(signed.public_key).encode()
