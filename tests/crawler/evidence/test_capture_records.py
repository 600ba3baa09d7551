"""Records of captures in the chain: signed, complete, and every change to one shows. No browser is needed for that."""

import dataclasses
import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from crawler.browser.recording import SAVE_PAGE, TAKE_PICTURES
from crawler.evidence.keeper import Keeper, text_digest
from crawler.evidence.key_announcements import KeyRing, key_ring, renew
from crawler.evidence.pictures import picture_in
from crawler.evidence.record_reader import DamagedRecord
from crawler.evidence.recordings.capture_checks import problems_of_capture
from crawler.evidence.recordings.capture_file import members_in, pictures_named
from crawler.evidence.recordings.capture_record import Judged
from crawler.evidence.recordings.page_recording import PageRecorder, failed_parts
from crawler.evidence.signing_keys import KeyFiles
from storage.engine import transaction
from storage.evidence import chain_store, clock_checks, screenshots
from storage.evidence.clock_checks import ClockOffset
from storage.records.evidence import EvidenceEntry, EvidenceKind
from tests.crawler.evidence.test_page_recording import SCHEMA
from tests.support.evidence.evidence import AT, a_response, opened_keeper, verified
from tests.support.evidence.recordings import PNG, a_recording
from tests.support.factories import text_of

URL = a_response(1).url


@pytest.fixture
def keeper(clean_database_url: str, tmp_path: Path) -> Iterator[Keeper]:
    with opened_keeper(clean_database_url, tmp_path) as keeper:
        yield keeper


def kept(keeper: Keeper, number: int = 1) -> tuple[EvidenceEntry, bytes]:
    text = text_of(number)
    judged = Judged(text, text_digest(text), 1)
    entry = PageRecorder(keeper).keep(a_recording(number), a_response(number).url, judged=judged, why="case 7")
    return entry, keeper.folder.read(entry.record or b"") or b""


def ring_of(keeper: Keeper) -> KeyRing:
    with transaction(keeper.engine) as session:
        return key_ring(chain_store.key_entries(session))


def test_a_recording_is_one_signed_file_and_one_entry(keeper: Keeper, tmp_path: Path) -> None:
    entry, data = kept(keeper)

    assert (entry.kind, entry.url, entry.number) == (EvidenceKind.RECORDED, URL, 2)
    first, second, *rest = members_in(data)
    record = json.loads(first.content)
    assert list(Draft202012Validator(SCHEMA).iter_errors(record)) == []
    assert (record["text"]["share_shown"], record["why"], record["clock"]["offset_s"]) == (1.0, "case 7", None)
    assert record["page"]["headers"] == [["Content-Type", "text/html"], ["Server", "gün"]]
    assert record["signed_by"]["id"] == json.loads(second.content)["key"]
    assert [one.uri for one in rest] == [one["uri"] for one in record["members"]]
    assert [one.kind for one in rest][-2:] == ["response", "response"]
    seen, problems = verified(keeper.engine, tmp_path)
    assert (seen.proofs.recorded, seen.files, problems) == (1, 1, [])


def test_its_pictures_are_shown_one_by_one_as_those_of_old_screenshots(keeper: Keeper) -> None:
    old = keeper.keep_content(PNG, "image/png", url=URL, at=AT, kind=EvidenceKind.SCREENSHOT)
    with transaction(keeper.engine) as session:
        assert screenshots.newest_screenshot(session, URL) == old
    entry, data = kept(keeper)
    with transaction(keeper.engine) as session:
        assert screenshots.newest_screenshot(session, URL) == entry

    shown = [picture_in(data, max_bytes=1_000, number=number) for number in (1, 2, 3)]
    assert shown == [PNG, PNG + b"2", None]
    assert [pictures_named(start) for start in (data, data[:-9], data[:100], b"", PNG)] == [2, 2, 0, 0, 0]


def test_the_offset_of_the_clock_is_that_of_this_machine(keeper: Keeper) -> None:
    here = keeper.folder.name()
    with transaction(keeper.engine) as session:
        for folder, minutes, offset_s in ((here, 1, 9.0), (here, 5, -0.5), ("another", 9, 3.0)):
            at = AT + timedelta(minutes=minutes)
            clock_checks.add(session, ClockOffset(folder, at, offset_s, 1.1, "https://stamps.example/"))

    _, data = kept(keeper)

    clock = json.loads(next(members_in(data)).content)["clock"]
    assert (clock["offset_s"], clock["within_s"], clock["authority"]) == (-0.5, 1.1, "https://stamps.example/")


def members(data: bytes) -> list[bytes]:
    """The gzip members of a file."""
    starts = [place for place in range(len(data)) if data.startswith(b"\x1f\x8b\x08", place)]
    return [data[start:end] for start, end in zip(starts, [*starts[1:], len(data)], strict=True)]


def rewritten(member: bytes, old: bytes, new: bytes) -> bytes:
    assert len(old) == len(new)
    plain = gzip.decompress(member)
    assert old in plain
    return gzip.compress(plain.replace(old, new))


CHANGES: dict[str, tuple[Callable[[list[bytes]], list[bytes]], str]] = {
    "a word of the record": (
        lambda parts: [rewritten(parts[0], b'"why":"case 7"', b'"why":"case 8"'), *parts[1:]],
        "its signature does not hold",
    ),
    "the signature": (
        lambda parts: [parts[0], rewritten(parts[1], b'"signature": "', b'"signaturE": "'), *parts[2:]],
        "the signature in its file is not the one",
    ),
    "a picture": (
        lambda parts: [*parts[:2], rewritten(parts[2], b"\x89PNG", b"\x89GIF"), *parts[3:]],
        "member 1, urn:zhiwen:picture-1:",
    ),
    "a response": (
        lambda parts: [*parts[:-1], rewritten(parts[-1], b"body{}", b"body()")],
        f"member 6, {URL}/style.css, is not the one",
    ),
    "the address of a response": (
        lambda parts: [*parts[:-1], rewritten(parts[-1], b"/style.css", b"/stole.css")],
        "member 6 is ",
    ),
    "a member left out": (lambda parts: [*parts[:3], *parts[4:]], "member 2 is urn:zhiwen:text"),
    "the last member left out": (lambda parts: parts[:-1], "member 6, "),
    "a member twice": (lambda parts: [*parts, parts[-1]], "which its record does not name"),
    "two members exchanged": (lambda parts: [*parts[:2], parts[3], parts[2], *parts[4:]], "member 1 is"),
    "no members": (lambda parts: parts[:2], "member 1, urn:zhiwen:picture-1"),
    "nothing": (lambda parts: [], "no record with its signature"),
    "cut off": (lambda parts: [*parts[:-1], parts[-1][:-9]], "cut off"),
    "no archive": (lambda parts: [b"junk" * 99], "cannot be unpacked"),
}


def test_every_change_of_the_file_shows_and_names_the_member(keeper: Keeper) -> None:
    entry, data = kept(keeper)
    ring = ring_of(keeper)
    assert list(problems_of_capture(entry, data, ring)) == []

    for change, (act, expected) in CHANGES.items():
        changed = b"".join(act(members(data)))
        problems = [str(problem) for problem in problems_of_capture(entry, changed, ring)]
        assert any(expected in problem for problem in problems), (change, problems)


def test_a_record_is_of_its_page_and_signed_by_a_key_of_the_chain(keeper: Keeper) -> None:
    entry, data = kept(keeper)
    ring = ring_of(keeper)
    elsewhere = dataclasses.replace(entry, url="https://copier.example/2")
    earlier = dataclasses.replace(entry, number=1)
    unsigned = dataclasses.replace(entry, body=entry.body.replace("signatures", "signatureX"))

    def problems(of: EvidenceEntry, keys: KeyRing = ring) -> str:
        return "; ".join(problem.message for problem in problems_of_capture(of, data, keys))

    assert "the record of another page" in problems(elsewhere)
    assert "was not announced before it" in problems(earlier)
    assert "it names no signature" in problems(unsigned)
    assert "was not announced before it" in problems(entry, KeyRing())


def test_a_renewed_key_signs_what_follows_and_the_old_records_hold(keeper: Keeper, tmp_path: Path) -> None:
    kept(keeper, 1)
    new = renew(keeper.engine, KeyFiles(tmp_path), keeper.folder)
    entry, _ = kept(keeper, 2)

    assert json.loads(entry.body)["signatures"][0][0] == new.id
    seen, problems = verified(keeper.engine, tmp_path)
    assert (seen.proofs.recorded, problems) == (2, [])


@pytest.mark.parametrize("case", ["cut off", "empty member", "too large", "no archive"])
def test_what_is_no_file_of_a_capture_is_refused_with_bounded_memory(case: str) -> None:
    files = {
        "cut off": b"\x1f\x8b",
        "empty member": gzip.compress(b""),
        "too large": gzip.compress(bytes(70_000_000), 1),
        "no archive": bytes(500),
    }
    with pytest.raises(DamagedRecord):
        list(members_in(files[case]))


def test_a_part_whose_step_failed_is_named_and_a_busy_page_is_no_failure() -> None:
    def after(*steps: tuple[str, str]) -> str | None:
        return failed_parts(a_recording(steps=[{"step": name, "result": result} for name, result in steps]))

    assert after(("open the page", "done"), (TAKE_PICTURES, "done")) is None
    assert after(("wait for its requests", "not done within 5 s")) is None
    assert after((TAKE_PICTURES, "not done within 30 s"), (SAVE_PAGE, "Protocol error")) == (
        "take pictures: not done within 30 s; save the page: Protocol error"
    )
    assert failed_parts(replace(a_recording(), slices=())) == "no picture was taken"
