"""The evidence: what is kept, and that every change to it shows."""

import gzip
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, text

from crawler.evidence.keeper import Keeper, NewVersion
from crawler.evidence.record_files import EvidenceFolder
from crawler.evidence.retention import prune
from storage.cases import findings
from storage.engine import transaction
from storage.evidence import chain_store
from storage.pages import saving
from storage.records.cases import CaseFinding
from storage.records.evidence import EvidenceKind, EvidenceRule, Head, Keep
from storage.types import CaseKind, CaseQueue, Credit, Standing
from tests.support.evidence.evidence import AT, a_response, opened_keeper, verified
from tests.support.factories import a_site, an_article, commit, text_of

LATER = AT + timedelta(days=31)


@pytest.fixture
def keeper(clean_database_url: str, tmp_path: Path) -> Iterator[Keeper]:
    with opened_keeper(clean_database_url, tmp_path) as keeper:
        yield keeper


def keep(keeper: Keeper, *numbers: int) -> None:
    for number in numbers:
        response = a_response(number)
        keeper.keep_version(response, url=response.url, text=text_of(number))


def the_head(engine: Engine) -> Head:
    with transaction(engine) as session:
        found = chain_store.head(session)
    assert found is not None
    return found


def run(engine: Engine, statement: str) -> None:
    with engine.begin() as connection:
        connection.execute(text(statement))


def file_of(keeper: Keeper, number: int) -> Path:
    with transaction(keeper.engine) as session:
        (entry,) = chain_store.entries_of_url(session, a_response(number).url)
    assert entry.record is not None
    return keeper.folder.file_of(entry.record)


def test_what_was_kept_is_as_it_was(keeper: Keeper, tmp_path: Path) -> None:
    commit(keeper.engine, [an_article(a_response(1).url, text_of(1))])
    keep(keeper, 1, 2, 3)

    seen, problems = verified(keeper.engine, tmp_path)

    assert problems == []
    assert (seen.entries, seen.files, seen.texts, seen.texts_gone, seen.unnamed) == (3, 3, 1, 2, 0)
    assert seen.head == the_head(keeper.engine)


def test_a_version_is_kept_once(keeper: Keeper) -> None:
    keep(keeper, 1)

    assert keeper.keep_version(a_response(1, at=LATER), url=a_response(1).url, text=text_of(1)) is None
    assert keeper.keep_version(a_response(1, at=LATER), url=a_response(1).url, text=text_of(2)) is not None


def test_an_entry_says_what_was_answered(keeper: Keeper) -> None:
    entry = keeper.keep_capture(a_response(certificate=b"der"), url="https://copier.example/1", why="case 7", whom="甲")

    said = json.loads(entry.body)
    assert (said["status"], said["peer"], said["why"], said["whom"]) == (200, "192.0.2.7", "case 7", "甲")
    assert (said["at"], said["n"]) == ("2026-05-04T08:01:00.000000+00:00", 1)
    assert len(said["certificate"]) == 64


def test_a_body_seen_before_takes_no_room_twice(keeper: Keeper, tmp_path: Path) -> None:
    body = bytes(range(256)) * 400
    first = keeper.keep_capture(a_response(1, body=body), url="https://copier.example/1")
    second = keeper.keep_capture(a_response(2, body=body), url="https://copier.example/2")

    assert second.refers == first.record
    assert second.record is not None
    assert keeper.folder.file_of(second.record).stat().st_size < 1_000
    assert verified(keeper.engine, tmp_path)[1] == []


def versions(*numbers: int, **fields: Any) -> list[NewVersion]:
    return [NewVersion(a_response(number, **fields), a_response(number).url, text_of(number)) for number in numbers]


def test_versions_kept_together_make_one_chain_in_their_order(keeper: Keeper, tmp_path: Path) -> None:
    keep(keeper, 1)

    kept = keeper.keep_versions(versions(3, 1, 2, 3))

    assert [entry and (entry.number, entry.url) for entry in kept] == [
        (2, a_response(3).url),
        None,
        (3, a_response(2).url),
        None,
    ]
    seen, problems = verified(keeper.engine, tmp_path)
    assert (seen.entries, seen.files, problems) == (3, 3, [])


def test_a_body_that_several_kept_together_have_is_written_once(keeper: Keeper, tmp_path: Path) -> None:
    body = bytes(range(256)) * 400

    first, second = keeper.keep_versions(versions(1, 2, body=body))

    assert first is not None
    assert second is not None
    assert (first.refers, second.refers) == (None, first.record)
    assert [file.stat().st_size < 1_000 for file in (file_of(keeper, 1), file_of(keeper, 2))] == [False, True]
    (third,) = keeper.keep_versions(versions(3, body=body))
    assert third is not None
    assert third.refers == first.record


def test_of_versions_kept_together_one_that_cannot_be_written_leaves_no_entry_of_any(
    keeper: Keeper, tmp_path: Path
) -> None:
    keep(keeper, 1, 2)
    file = file_of(keeper, 2)
    run(keeper.engine, "TRUNCATE evidence")
    file.unlink()
    file.parent.rmdir()
    file.parent.write_text("a file where the folder should be")

    with pytest.raises(OSError, match=file.parent.name):
        keeper.keep_versions(versions(1, 2))

    with transaction(keeper.engine) as session:
        assert chain_store.head(session) is None


CHANGES: dict[str, tuple[Callable[[Keeper], object], str]] = {
    "a byte of a file": (
        lambda keeper: file_of(keeper, 2).write_bytes(gzip.compress(b"WARC/1.1 another")),
        "entry 2: its file was changed",
    ),
    "a file": (lambda keeper: file_of(keeper, 3).unlink(), "entry 3: its file is missing"),
    "an entry's words": (
        lambda keeper: run(keeper.engine, "UPDATE evidence SET body = replace(body, '200', '404') WHERE number = 2"),
        "entry 2: it was changed",
    ),
    "an entry's words and its hash": (
        lambda keeper: run(
            keeper.engine,
            "UPDATE evidence SET body = replace(body, '200', '404'), hash = sha256((encode(previous, 'hex') || chr(10) "
            "|| replace(body, '200', '404'))::bytea) WHERE number = 2",
        ),
        "entry 3: it does not follow",
    ),
    "an entry dropped": (
        lambda keeper: run(keeper.engine, "DELETE FROM evidence WHERE number = 2"),
        "entry 3: entries 2 to 2 are missing",
    ),
    "two entries exchanged": (
        lambda keeper: run(
            keeper.engine,
            "UPDATE evidence SET number = -1 WHERE number = 2; UPDATE evidence SET number = 2 WHERE number = 3;"
            "UPDATE evidence SET number = 3 WHERE number = -1",
        ),
        "entry 2: it does not follow",
    ),
    "an entry listed under another address": (
        lambda keeper: run(keeper.engine, "UPDATE evidence SET url = 'https://else.example/' WHERE number = 1"),
        "entry 1: it is listed otherwise than it says (url)",
    ),
    "a text in the store": (
        lambda keeper: run(keeper.engine, "UPDATE text SET body = body || '。'"),
        "entry 1: the text in the store is not the one",
    ),
    "the end cut off": (
        lambda keeper: run(keeper.engine, "DELETE FROM evidence WHERE number = 4"),
        "entry 4: it was noted and is not there: the chain ends at 3",
    ),
    "everything": (lambda keeper: run(keeper.engine, "DELETE FROM evidence"), "entry 4: it was noted and is not there"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_shows(keeper: Keeper, tmp_path: Path, change: str) -> None:
    commit(keeper.engine, [an_article(a_response(1).url, text_of(1))])
    keep(keeper, 1, 2, 3, 4)
    noted = the_head(keeper.engine)
    act, expected = CHANGES[change]

    act(keeper)

    _, problems = verified(keeper.engine, tmp_path, expected=noted)
    assert any(problem.startswith(expected) for problem in problems), problems


def test_a_chain_made_again_is_not_the_one_that_was_noted(keeper: Keeper, tmp_path: Path) -> None:
    keep(keeper, 1, 2)
    noted = the_head(keeper.engine)
    run(keeper.engine, "DELETE FROM evidence")

    keep(keeper, 1, 3)

    assert verified(keeper.engine, tmp_path)[1] == []
    assert verified(keeper.engine, tmp_path, expected=noted)[1] == ["entry 2: its hash is not the one that was noted"]


def test_writers_at_the_same_time_make_one_chain(keeper: Keeper, tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as at_once:
        list(at_once.map(lambda number: keep(keeper, number), range(40)))

    seen, problems = verified(keeper.engine, tmp_path)
    assert (seen.entries, seen.files, problems) == (40, 40, [])


def test_files_go_when_they_are_old_and_the_chain_tells_of_it(keeper: Keeper, tmp_path: Path) -> None:
    keep(keeper, 1, 2)
    old = file_of(keeper, 1)

    assert prune(keeper.engine, keeper.folder, now=AT + timedelta(days=29)).files == 0
    assert prune(keeper.engine, keeper.folder, now=LATER).files == 2
    assert prune(keeper.engine, keeper.folder, now=LATER).files == 0

    seen, problems = verified(keeper.engine, tmp_path)
    assert (seen.entries, seen.files, seen.removed, seen.left_over, problems) == (3, 0, 2, 0, [])
    assert not old.exists()


def test_a_file_that_went_without_being_recorded_is_missing(keeper: Keeper, tmp_path: Path) -> None:
    keep(keeper, 1, 2)
    file_of(keeper, 1).unlink()
    run(keeper.engine, "UPDATE evidence SET removed_by = 2 WHERE number = 1")

    assert [problem[:25] for problem in verified(keeper.engine, tmp_path)[1]] == ["entry 1: its file is miss"]


def test_a_removal_that_was_interrupted_is_finished(keeper: Keeper, tmp_path: Path) -> None:
    keep(keeper, 1)
    data, digest = file_of(keeper, 1).read_bytes(), bytes.fromhex(file_of(keeper, 1).name.partition(".")[0])
    prune(keeper.engine, keeper.folder, now=LATER)
    keeper.folder.write(data, digest)
    assert verified(keeper.engine, tmp_path)[0].left_over == 1

    assert prune(keeper.engine, keeper.folder, now=LATER).left_over == 1
    assert verified(keeper.engine, tmp_path)[0].left_over == 0


def test_what_other_evidence_needs_goes_with_it_and_not_before(keeper: Keeper, tmp_path: Path) -> None:
    keeper.keep_capture(a_response(1), url="https://copier.example/1")
    keeper.keep_capture(a_response(2, body=a_response(1).body, at=LATER), url="https://copier.example/2")

    assert prune(keeper.engine, keeper.folder, now=LATER).files == 0
    assert prune(keeper.engine, keeper.folder, now=LATER + timedelta(days=31)).files == 2
    assert verified(keeper.engine, tmp_path)[1] == []


def test_what_is_under_a_case_stays(keeper: Keeper, tmp_path: Path) -> None:
    mine, theirs = an_article("https://mine.example/1", text_of(1)), an_article(a_response(1).url, text_of(1))
    ours, copy = commit(keeper.engine, [mine, theirs])
    keep(keeper, 1, 2)
    finding = CaseFinding(
        queue=CaseQueue.COPIED,
        our_page_id=ours.page_id,
        our_text_id=ours.text_id,
        their_page_id=copy.page_id,
        their_text_id=copy.text_id,
        other_key="host:copier.example",
        other_owner_id=None,
        other_host="copier.example",
        kind=CaseKind.IDENTICAL,
        chars=600,
        our_share=1.0,
        their_share=1.0,
        credit=Credit.NONE,
        standing=Standing.UNLICENSED,
    )
    with transaction(keeper.engine) as session:
        findings.keep_findings(session, [finding])

    assert prune(keeper.engine, keeper.folder, now=LATER).files == 1
    assert file_of(keeper, 1).exists()
    assert verified(keeper.engine, tmp_path)[1] == []


@pytest.mark.parametrize(
    ("rule", "files", "left_after_31_days"),
    [
        (EvidenceRule(), 1, 0),
        (EvidenceRule(raw_days=40), 1, 1),
        (EvidenceRule(raw_days=None), 1, 1),
        (EvidenceRule(raw_days=0), 1, 0),
        (EvidenceRule(Keep.TEXT), 0, 0),
        (EvidenceRule(Keep.HASH), 0, 0),
    ],
    ids=str,
)
def test_each_site_has_its_rule(keeper: Keeper, rule: EvidenceRule, files: int, left_after_31_days: int) -> None:
    with transaction(keeper.engine) as session:
        site = a_site(session, "copier")
        chain_store.set_rule(session, site.id, EvidenceRule(Keep.RAW, 1))
        chain_store.set_rule(session, site.id, rule)
    response = a_response(1)
    commit(keeper.engine, [an_article(response.url, text_of(1), site_id=site.id)])

    entry = keeper.keep_version(response, url=response.url, text=text_of(1), site_id=site.id)

    assert entry is not None
    assert len(list(keeper.folder.digests())) == files
    assert ("headers" in json.loads(entry.body)) == (rule.keep is Keep.TEXT)
    prune(keeper.engine, keeper.folder, now=LATER)
    assert len(list(keeper.folder.digests())) == left_after_31_days


def test_evidence_outlives_the_page_and_its_site(keeper: Keeper, tmp_path: Path) -> None:
    commit(keeper.engine, [an_article(a_response(1).url, text_of(1))])
    keep(keeper, 1)
    with transaction(keeper.engine) as session:
        saving.remove_page(session, a_response(1).url)

    seen, problems = verified(keeper.engine, tmp_path)
    assert (seen.entries, seen.texts_gone, problems) == (1, 1, [])


def test_a_disk_that_cannot_be_written_leaves_no_entry(keeper: Keeper, tmp_path: Path) -> None:
    (tmp_path / "evidence").write_text("a file where the folder should be")

    with pytest.raises(OSError, match="evidence"):
        keep(keeper, 1)

    with transaction(keeper.engine) as session:
        assert chain_store.head(session) is None


def test_a_file_without_an_entry_is_counted_and_no_crime(keeper: Keeper, tmp_path: Path) -> None:
    keep(keeper, 1)
    EvidenceFolder(tmp_path).write(b"interrupted", bytes(32))

    seen, problems = verified(keeper.engine, tmp_path)
    assert (seen.unnamed, problems) == (1, [])


def test_what_could_not_be_had_and_what_was_given_are_in_the_chain(keeper: Keeper, tmp_path: Path) -> None:
    failed = keeper.keep_failure("https://gone.example/", AT, why="gone", whom="甲")
    given = keeper.keep_content(b"<p>x", "text/html", url="https://a.example/", at=AT, text="x\x00y", whom="甲\ud800")

    assert (failed.kind, given.kind) == (EvidenceKind.FAILED, EvidenceKind.GIVEN)
    assert verified(keeper.engine, tmp_path)[1] == []


@pytest.mark.parametrize("wrong", ["", "1", "1:ab", "x:" + "0" * 64, "0:" + "0" * 64, "1:" + "z" * 64])
def test_a_head_is_a_number_and_a_hash(wrong: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # its words are the parsers' own
        Head.parse(wrong)
    noted = Head(3, bytes(range(32)))
    assert Head.parse(str(noted)) == noted
