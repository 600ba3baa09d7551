"""Printed documents are complete: whole hashes, and columns wider than a character."""

import io
import re
from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from pypdf import PdfReader
from sqlalchemy import Engine

from storage.cases import detail, listing
from storage.cases.handout import texts_by_id
from storage.engine import transaction
from storage.evidence import chain_store
from tests.admin.evidence.test_views import client_at
from tests.support.cases import StoredCase, keep_responses, store_case
from tests.support.desk_client import COPY, SOURCE
from tests.support.requirements import needs_browser


def read_back(pdf: bytes) -> str:
    """The text of all pages without blanks: what lies beyond the edge of the paper is not among it."""
    return re.sub(r"\s", "", "".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages))


def hashes_of(engine: Engine, case: StoredCase) -> set[str]:
    """All that a report of the case names: files, texts and entries, and the end of the chain."""
    with transaction(engine) as session:
        stored = listing.get_case(session, case.id)
        assert stored is not None
        urls = [stored.our_url, *(page.their_url for page in detail.pages_of_case(session, case.id))]
        entries = chain_store.entries_of_urls(session, urls, limit=100)
        texts = texts_by_id(session, [case.ours.text_id, case.theirs.text_id])
        head = chain_store.head(session)
    named = [digest for entry in entries for digest in (entry.record, entry.text, entry.hash) if digest is not None]
    assert head is not None
    return {digest.hex() for digest in (*named, head.hash, *(body.sha256 for body in texts.values()))}


@needs_browser
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_printed_report_has_each_hash_whole(engine: Engine, tmp_path: Path, language: str) -> None:
    """The table of evidence was wider than the paper: its hashes lost their last eight to eleven digits (D3)."""
    case = store_case(engine)
    keep_responses(engine, tmp_path, COPY, SOURCE)

    text = read_back(client_at(engine, tmp_path).get(f"/cases/{case.id}/report.pdf?language={language}").data)

    wanted = hashes_of(engine, case)
    assert len(wanted) == 6
    assert [digest for digest in sorted(wanted) if digest not in text] == []


@needs_browser
@pytest.mark.parametrize(("language", "credit"), [("zh", "未注明"), ("en", "No credit")])
def test_the_narrow_columns_of_a_printed_statement_stay_on_one_line(
    engine: Engine, tmp_path: Path, language: str, credit: str
) -> None:
    """Beside a long address, credit, state and day had a character's width (D15)."""
    url = f"https://copier.example/{'a' * 180}/{'b' * 180}.html"
    case = store_case(engine, copy=replace(COPY, url=url))
    with transaction(engine) as session:
        stored = listing.get_case(session, case.id)
    assert stored is not None
    day = f"{stored.opened_at.astimezone(ZoneInfo('Asia/Shanghai')):%Y-%m-%d}"

    pdf = client_at(engine, tmp_path).get(f"/cases/{case.id}/statement?as=pdf&undecided=1&language={language}").data
    lines = PdfReader(io.BytesIO(pdf)).pages[0].extract_text().splitlines()

    assert any(credit in line for line in lines)
    assert any(day in line for line in lines[3:])
    assert url in re.sub(r"\s", "", "".join(lines))
