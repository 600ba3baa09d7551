"""The record of one capture as JSON: what was asked, answered and shown, by which program, and what was left out.

docs/schemas/capture-record.schema.json describes it. Pure.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Final

from crawler.browser.recording import Recording
from crawler.evidence.record_reader import KeptRecord
from crawler.evidence.recordings.certificate_chains import Validation, fingerprint, validated
from crawler.evidence.signing_keys import SigningKey
from crawler.evidence.text_share import found_in, pieces_of
from storage.evidence.clock_checks import ClockOffset

KIND: Final = "zhiwen capture record"
VERSION: Final = 1
SCHEMA: Final = "capture-record.schema.json"
_COUNTS: Final = ("popups", "dialogs", "downloads", "crashes", "requests_not_listed")


@dataclass(frozen=True, slots=True)
class Judged:
    """The text that was read from the page, and the entry of the response that it was read from."""

    text: str
    digest: bytes
    entry: int


@dataclass(frozen=True, slots=True)
class Member:
    """A WARC record of the same file. `digest`: SHA-256 of its content; `size`: bytes of that."""

    role: str
    uri: str
    digest: bytes
    size: int


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a recording itself does not know. `url`: of the page. `clock`: None if it was never checked."""

    url: str
    program: Mapping[str, str | None]
    machine: Mapping[str, Any]
    browser: Mapping[str, Any]
    clock: ClockOffset | None
    judged: Judged | None
    why: str | None
    whom: str | None


def record_json(found: Recording, around: Circumstances, members: Sequence[Member], key: SigningKey) -> bytes:
    """The record as UTF-8: these bytes are signed."""
    facts = found.facts
    record: dict[str, Any] = {
        **{"record": KIND, "version": VERSION, "schema": SCHEMA, "url": around.url, "shown_url": facts["url"]},
        **{"started_at": facts["started_at"], "ended_at": facts["ended_at"], "seconds": facts["seconds"]},
        **{"why": around.why, "whom": around.whom, "signed_by": {"id": key.id, "public": key.public.hex()}},
        "steps": facts["steps"],
        "text": _text(found, around.judged),
        "pictures": facts["pictures"],
        "left_out": _left_out(found),
        "page": _page(facts["requests"]),
        "dns": facts["lookups"],
        "tls": _tls(found),
        "certificate_problem": facts["certificate_problem"],
        "requests": facts["requests"],
        "counts": {name: facts[name] for name in _COUNTS},
        "network_bytes": facts["network_bytes"],
        "bounds": asdict(found.bounds),
        "clock": _clock(around.clock),
        "program": dict(around.program),
        "machine": dict(around.machine),
        "browser": dict(around.browser),
        "profile": facts["profile"],
        "members": [
            {"role": one.role, "uri": one.uri, "sha256": one.digest.hex(), "bytes": one.size} for one in members
        ],
    }
    return json.dumps(record, ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode()


def _text(found: Recording, judged: Judged | None) -> dict[str, Any] | None:
    """`share_shown`: of pieces of the judged text, those in the text that the browser shows."""
    if judged is None:
        return None
    pieces = pieces_of(judged.text)
    shown = found_in(pieces, KeptRecord("resource", "", b"", found.text.encode())) or 0
    return {
        "sha256": judged.digest.hex(),
        "characters": len(judged.text),
        "entry": judged.entry,
        "share_shown": round(shown.bit_count() / len(pieces), 4) if pieces else None,
    }


def _page(requests: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """The answer that the page is: of the first document, after its redirects."""
    documents = [one for one in requests if one["type"] == "document" and one["answer"] is not None]
    first = next((one for one in documents if one["redirected_from"] is None), None)
    if first is None:
        return None
    following = {one["redirected_from"]: one for one in documents if one["redirected_from"] is not None}
    last = first
    while last["number"] in following:
        last = following.pop(last["number"])
    return {
        **{"request": last["number"], "url": last["url"], "remote_address": last["remote_address"]},
        **{"status": last["answer"]["status"], "headers": last["answer"]["headers"]},
    }


def _tls(found: Recording) -> list[dict[str, Any]]:
    at = datetime.fromisoformat(found.facts["started_at"]).astimezone(UTC)
    shown = []
    for one in found.facts["tls"]:
        chain = found.certificates.get(one["origin"], ())
        check: Validation = validated(one["origin"], chain, at)
        certificates = [hashlib.sha256(certificate).hexdigest() for certificate in chain]
        result = {"valid": check.is_valid, "why": check.why, "roots": check.roots}
        shown.append({**one, "certificates": certificates, "validation": result})
    return shown


def _left_out(found: Recording) -> list[str]:
    """What is not in the file, a line each."""
    facts = found.facts
    lines = [
        (f"pictures: {facts['pictures']['left_out']}", facts["pictures"]["left_out"]),
        (f"page as MHTML: {facts['mhtml_left_out']}", facts["mhtml_left_out"]),
        (f"text shown: {facts['text_left_out']}", facts["text_left_out"]),
        (f"requests: {facts['requests_not_listed']} more were refused", facts["requests_not_listed"]),
    ]
    bodies = sum(one["left_out"] is not None for one in facts["requests"])
    lines.append((f"responses: the bodies of {bodies}, see their requests", bodies))
    return [line for line, is_so in lines if is_so]


def _clock(clock: ClockOffset | None) -> dict[str, Any]:
    """The offset of this machine's clock; null means: not known."""
    if clock is None:
        return {"offset_s": None, "within_s": None, "checked_at": None, "authority": None}
    return {
        **{"offset_s": clock.offset_s, "within_s": clock.within_s},
        **{"checked_at": clock.at.astimezone(UTC).isoformat(), "authority": clock.authority},
    }


def certificate_uri(certificate: bytes) -> str:
    return f"urn:zhiwen:certificate:{fingerprint(certificate) or hashlib.sha256(certificate).hexdigest()}"
