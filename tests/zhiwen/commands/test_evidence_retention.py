"""The daily pruning of expired files."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Engine, text

from crawler.evidence.record_files import EvidenceFolder
from crawler.evidence.retention import prune
from fingerprint.compute import fingerprint_text
from storage.engine import transaction
from storage.evidence import chain_store
from storage.intake import submissions
from storage.records.evidence import EvidenceRule, Keep
from storage.records.submissions import NewSubmission
from tests.support.case_actions import a_case
from tests.support.evidence.evidence import AT, a_response, opened_keeper, verified
from tests.support.factories import a_site, an_article, save, text_of
from zhiwen.config.settings import Settings
from zhiwen.worker.jobs import Jobs


def hand_in(engine: Engine, body: str) -> int:
    expires_at = datetime.now(UTC) + timedelta(days=1)
    with transaction(engine) as session:
        new = NewSubmission("征文", "甲", "题", body, fingerprint_text(body), expires_at)
        return submissions.add_submission(session, new).id


def test_submissions_whose_time_is_over_are_deleted_and_no_others(
    engine: Engine, clean_database_url: str, tmp_path: Path
) -> None:
    over, kept = hand_in(engine, "到期的一篇。"), hand_in(engine, "还在的一篇。")
    with engine.begin() as connection:
        connection.execute(
            text("UPDATE submission SET created_at = now() - interval '2 days', expires_at = now() WHERE id = :id"),
            {"id": over},
        )

    Jobs(Settings(tmp_path), engine, clean_database_url).prune()

    with engine.begin() as connection:
        assert list(connection.execute(text("SELECT id FROM submission")).scalars()) == [kept]


def test_too_much_evidence_goes_oldest_first_but_what_has_to_stay(
    engine: Engine, clean_database_url: str, tmp_path: Path
) -> None:
    folder = EvidenceFolder(tmp_path)
    urls = ("https://forever.example/1", "https://copier1.example/a", a_response(3).url, a_response(4).url)
    with transaction(engine) as session:
        a_case(session, 1)
        site = a_site(session, "forever", host="forever.example")
        chain_store.set_rule(session, site.id, EvidenceRule(Keep.RAW, None))
        save(session, an_article("https://forever.example/1", text_of(7), site_id=site.id))
    with opened_keeper(clean_database_url, tmp_path) as keeper:
        responses = [a_response(number, url=url) for number, url in enumerate(urls, start=1)]
        entries = [keeper.keep_capture(response, url=response.url) for response in responses]
    sizes = [folder.size(entry.record) for entry in entries if entry.record is not None]

    bounded = prune(engine, folder, now=AT, most_bytes=sum(sizes) - 1)
    assert (bounded.files, folder.whole_size()) == (1, sum(sizes) - sizes[2])

    cannot = prune(engine, folder, now=AT, most_bytes=0)
    assert (cannot.files, folder.whole_size(), cannot.too_many_bytes) == (1, sizes[0] + sizes[1], sizes[0] + sizes[1])
    assert verified(engine, tmp_path)[1] == []
