"""Documents say who was first by what can be shown to others: not by a setting of our own (D32)."""

import io
import json
import math
import re
import zipfile
from dataclasses import replace

import pytest
from sqlalchemy import Engine
from sqlalchemy import text as sql

from admin.evidence.precedence import documented
from matcher.provenance.direction import ROLE
from storage.engine import transaction
from storage.matches import hits
from storage.matches.direction_reasons import Reason, ReasonCode, encoded
from storage.records.matches import HitRecord
from tests.support.cases import StoredCase, store_case
from tests.support.desk_client import COPY, SOURCE, client_of_person

OF_OURS = Reason(ReasonCode.ORIGINAL_SITE, page=SOURCE.url)
OF_THEIRS = Reason(ReasonCode.ORIGINAL_SITE, page=COPY.url)
SEEN = Reason(ReasonCode.SEEN_DAYS, page=SOURCE.url, other=COPY.url, count=3)


def confidence_of(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))


@pytest.fixture
def case(engine: Engine) -> StoredCase:
    return store_case(engine)


def judged(engine: Engine, case: StoredCase, log_odds: float, *reasons: str) -> HitRecord:
    with engine.begin() as connection:
        values = {"c": confidence_of(log_odds), "reasons": list(map(encoded, reasons))}
        connection.execute(sql("UPDATE page_match SET confidence = :c, reasons = :reasons"), values)
    with transaction(engine) as session:
        found = hits.get_hit(session, case.hit_id)
    assert found is not None
    return found


@pytest.mark.parametrize("setting", [OF_OURS, str(OF_OURS)], ids=["with its code", "as a bare sentence"])
def test_what_our_setting_added_is_taken_out_again(engine: Engine, case: StoredCase, setting: str) -> None:
    found = documented(judged(engine, case, 0.9 + ROLE, SEEN, setting))

    assert found.source_first == pytest.approx(confidence_of(0.9))
    assert list(map(str, found.reasons)) == [str(SEEN)]


def test_where_only_our_setting_speaks_nothing_is_known(engine: Engine, case: StoredCase) -> None:
    found = documented(judged(engine, case, ROLE, OF_OURS))

    assert found.source_first == 0.5
    assert [str(reason) for reason in found.reasons] == ["nothing shows which was first"]


def test_where_the_setting_spoke_against_the_source_the_rest_is_surer(engine: Engine, case: StoredCase) -> None:
    assert documented(judged(engine, case, 0.9 - ROLE, SEEN, OF_THEIRS)).source_first == pytest.approx(
        confidence_of(0.9)
    )


def test_where_the_setting_alone_outweighed_the_rest_the_document_says_the_rest(
    engine: Engine, case: StoredCase
) -> None:
    weak = Reason(ReasonCode.CUT, page=SOURCE.url)
    found = documented(judged(engine, case, 0.1, OF_OURS, weak))

    assert found.source_first == pytest.approx(confidence_of(0.1 - ROLE))


def test_other_reasons_stay_as_they_are(engine: Engine, case: StoredCase) -> None:
    hit = judged(engine, case, 0.9, SEEN, "a sentence of a version to come")

    assert (documented(hit).source_first, documented(hit).reasons) == (hit.confidence, hit.reasons)


@pytest.mark.parametrize(
    ("language", "setting", "unknown"),
    [("zh", "原创发布方", "现有线索不足以判断先后"), ("en", "original publisher", "do not settle who was first")],
)
def test_report_and_bundle_do_not_name_our_setting(
    engine: Engine, case: StoredCase, language: str, setting: str, unknown: str
) -> None:
    judged(engine, case, ROLE, OF_OURS)
    client = client_of_person(engine)

    page = client.get(f"/cases/{case.id}/report?language={language}").text
    with zipfile.ZipFile(io.BytesIO(client.get(f"/cases/{case.id}/evidence.zip").data)) as package:
        told = json.loads(package.read(f"alignment/{case.hit_id}.json"))
        whole = " ".join(package.read(name).decode("utf-8", "replace") for name in package.namelist())

    assert setting not in page
    assert setting not in whole
    assert "50%" in re.sub(r"<[^>]*>", "", page)
    assert told["direction"] == {"confidence": 0.5, "reasons": ["nothing shows which was first"]}
    assert unknown in page


def test_the_desk_still_shows_it(engine: Engine, case: StoredCase) -> None:
    judged(engine, case, ROLE, OF_OURS)

    assert "原创发布方" in client_of_person(engine).get(f"/hits/{case.hit_id}").text


def test_a_hit_is_not_changed(engine: Engine, case: StoredCase) -> None:
    hit = judged(engine, case, 0.9 + ROLE, SEEN, OF_OURS)
    documented(hit)

    assert hit == replace(hit, reasons=(SEEN, OF_OURS))
