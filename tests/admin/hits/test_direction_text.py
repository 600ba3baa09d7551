"""Every reason that the matcher can give is said in the reader's language."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask
from flask_babel import Babel, force_locale

from admin.hits.direction_text import code_and_facts, reason_in_words
from matcher.provenance.copy_damage import CopyDamage
from matcher.provenance.direction import direction_between
from matcher.provenance.page_facts import PageFacts
from storage.records.pages import Declared
from storage.types import DateOrigin, FoundBy, Precision, SiteRole

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def in_chinese() -> Iterator[None]:
    app = Flask("admin")
    Babel(app, default_timezone="Asia/Shanghai")
    with app.test_request_context(), force_locale("zh"):
        yield


def page(name: str, **facts: object) -> PageFacts:
    plain = PageFacts(
        url=f"https://{name}.example/1",
        host=f"{name}.example",
        site_name=name,
        author="",
        title="",
        role=None,
        found_by=FoundBy.SPIDER,
        first_seen_at=NOON,
        declared=Declared(),
        credit_lines=(),
        credit_links=(),
        canonical_link=None,
    )
    return replace(plain, **facts)  # type: ignore[arg-type]  # each test names the facts it is about


def dated(at: datetime) -> Declared:
    return Declared(at, Precision.MINUTE, DateOrigin.JSON_LD)


REASONS = [
    *direction_between(page("one"), page("two")).reasons,
    *direction_between(page("one"), page("two", credit_links=("https://one.example/1",))).reasons,
    *direction_between(page("one"), page("two", credit_lines=("来源： one\n第二行",))).reasons,
    *direction_between(page("one", declared=dated(NOON)), page("two", declared=dated(NOON - timedelta(9)))).reasons,
    *direction_between(page("one"), page("two", first_seen_at=NOON + timedelta(hours=5))).reasons,
    *direction_between(page("one"), page("two", first_seen_at=NOON + timedelta(days=5))).reasons,
    *direction_between(page("one"), page("two", role=SiteRole.ORIGINAL)).reasons,
    *direction_between(page("one"), page("two"), CopyDamage(9, 1, 20)).reasons,
    *direction_between(page("one"), page("two"), CopyDamage(left_cut=True)).reasons,
    *direction_between(page("one"), page("two", text="来源：网络，侵删")).reasons,
    *direction_between(page("one", text="江城晚报记者从水利局获悉"), page("two", site_name="江城晚报")).reasons,
]


def test_the_matcher_gives_a_reason_in_every_case() -> None:
    assert len(REASONS) == 11


@pytest.mark.parametrize("reason", REASONS)
def test_each_reason_is_known_and_said_in_chinese(reason: str, in_chinese: None) -> None:
    said = reason_in_words(reason, {"https://one.example/1": "疑似抄袭文", "https://two.example/1": "原文"})

    assert code_and_facts(reason) is not None
    assert said.replace("https://one.example/1", "") != reason.replace("https://one.example/1", "")
    assert not {"the", "was", "is"} & set(said.split())


def test_dates_are_said_in_the_viewer_s_zone_and_as_exactly_as_they_were_stated(in_chinese: None) -> None:
    day = Declared(NOON - timedelta(days=9), Precision.DAY, DateOrigin.JSON_LD)
    (reason,) = direction_between(page("one", declared=dated(NOON)), page("two", declared=day)).reasons

    said = reason_in_words(reason, {"https://one.example/1": "疑似抄袭文", "https://two.example/1": "原文"})

    assert reason == "https://two.example/1 is dated 2026-02-20 12:00 UTC, https://one.example/1 2026-03-01 12:00 UTC"
    assert said == "原文标注的日期是 2026-02-20，疑似抄袭文是 2026-03-01 20:00"
    assert "2026-02-20 12:00 UTC" in reason_in_words(str(reason), {}), "as stored by an earlier version"


def test_an_unknown_reason_stays_as_it_is(in_chinese: None) -> None:
    assert code_and_facts("the moon was full") is None
    assert reason_in_words("the moon was full", {}) == "the moon was full"


def test_a_percent_sign_in_an_address_is_no_placeholder(in_chinese: None) -> None:
    reason = "https://one.example/%(page)s%s%%E6 credits the other: 100 % %(evidence)s"

    assert reason_in_words(reason, {}) == "https://one.example/%(page)s%s%%E6注明了对方：100 % %(evidence)s"


def test_a_hostile_reason_is_read_in_no_time(in_chinese: None) -> None:
    """Patterns that backtrack would take minutes here."""
    assert code_and_facts("x" * 200_000) is None
    assert code_and_facts("x is dated " + "1 " * 100_000) is None
    assert code_and_facts(("x was first seen 1 days before " * 5_000) + "\n") is None
