"""Alerts about possible retellings: only for those who ask, never among copies, and gone with the decision."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, select

from admin.alerts.channel_registry import kind_of, read_address
from admin.alerts.message_text import Item, Place, make_message, speaking
from storage.alerts import channels, history, rules
from storage.alerts.rules import fits
from storage.engine import transaction
from storage.jobs import alert_events
from storage.meaning import retelling_list
from storage.meaning.retelling_alerts import ids_of_text, raise_retelling_events
from storage.models.alerts import Alert
from storage.records.alerts import AlertKind, AlertState, EventRecord, MessageRecord, RuleTerms
from storage.records.cases import Actor
from storage.records.retellings import RetellingRecord
from storage.sites import sites
from storage.types import CaseKind, CaseQueue, Credit, Dismissal, Relation, Severity
from tests.support.case_actions import a_case
from tests.support.desk_client import add_person, store_hit
from tests.support.meaning.retellings import OUR_SIDE, THEIR_SIDE, store_retelling, stored_retelling
from zhiwen.alerts.dispatcher import compose, route_all

ASKED = RuleTerms("asked", frozenset(AlertKind), digest_at=None)
PLACE = Place("https://desk.example", "Asia/Shanghai")
ZONE = "Asia/Shanghai"


def announced(engine: Engine, **fields: Any) -> RetellingRecord:
    found = stored_retelling(engine, **fields)
    with transaction(engine) as session:
        raise_retelling_events(session, [found.id])
    return found


def add_channel(engine: Engine, *terms: RuleTerms, language: str = "zh") -> None:
    with transaction(engine) as session:
        channel = channels.add_channel(session, "编辑部", read_address("https://hooks.example/x"), language=language)
        for one in terms:
            rules.add_rule(session, channel.id, one)


def composed(engine: Engine, now: datetime | None = None) -> list[MessageRecord]:
    route_all(engine, ZONE, now=now)
    compose(engine, PLACE, now=now)
    with transaction(engine) as session:
        return history.list_messages(session)


def test_nobody_is_notified_who_did_not_ask(engine: Engine) -> None:
    add_channel(engine, RuleTerms("as it comes", digest_at=None))
    announced(engine)

    assert composed(engine) == []


def test_who_asks_reads_what_is_similar_and_that_it_is_no_copy(engine: Engine) -> None:
    add_channel(engine, ASKED)
    found = announced(engine)

    (message,) = composed(engine)

    assert message.subject == "[指纹] 抄写公司 有一篇文字与《老桥量了七天》内容相似"
    assert "我方 75% 的句子相似，3 个数字中有 2 个一致" in message.text
    assert "相似不等于抄袭" in message.text
    assert re.findall(r"https?://\S+", message.text) == [f"https://desk.example/retellings/{found.id}"]
    assert "转载了" not in message.text


def test_similarities_come_apart_from_copies(engine: Engine) -> None:
    add_channel(engine, replace(ASKED, digest_at="08:30"), language="en")
    announced(engine)
    announced(engine, copy=replace(THEIR_SIDE, url="https://b.example/", title="Another", text=THEIR_SIDE.text + "完"))
    with transaction(engine) as session:
        a_case(session, 1)

    messages = composed(engine)
    assert messages == [], "a digest waits"
    later = composed(engine, datetime.now(UTC) + timedelta(days=2))

    assert len(later) == 2
    about = next(message for message in later if "Possible" in message.subject)
    assert about.text.rstrip().endswith("https://desk.example/retellings")
    assert about.subject == "[Zhiwen] Possible retellings: 2"
    assert "Similar does not mean copied" in about.text


def test_a_pair_is_announced_once_and_only_where_one_is_ours(engine: Engine) -> None:
    found = announced(engine)
    nobody = stored_retelling(
        engine,
        copy=replace(THEIR_SIDE, url="https://c.example/"),
        source=replace(OUR_SIDE, url="https://d.example/", site="别报", owner="别社", role=THEIR_SIDE.role),
    )
    elsewhere = stored_retelling(
        engine, copy=replace(THEIR_SIDE, url="https://e.example/"), relation=Relation.BOTH_FROM_THIRD
    )

    with transaction(engine) as session:
        assert ids_of_text(session, found.source.text_id) == [found.id, nobody.id, elsewhere.id]
        assert raise_retelling_events(session, [found.id, nobody.id, elsewhere.id]) == 0
        store_hit(session, copy=replace(THEIR_SIDE, url="https://f.example/"), source=OUR_SIDE)
        hit = store_retelling(session, copy=replace(THEIR_SIDE, url="https://f.example/"))
        assert raise_retelling_events(session, [hit.id]) == 0, "a hit is notified as what it is"


def test_one_that_was_dismissed_before_its_digest_is_no_news(engine: Engine) -> None:
    add_channel(engine, ASKED)
    found = announced(engine)
    person = add_person(engine)
    route_all(engine, ZONE)
    with transaction(engine) as session:
        retelling_list.dismiss_retelling(session, found.id, Dismissal.NOT_A_COPY, actor=Actor(person.id, person.name))

    assert composed(engine) == []
    with transaction(engine) as session:
        assert session.scalars(select(Alert.state)).all() == [AlertState.DROPPED]


@pytest.mark.parametrize("is_first", [True, False])
def test_a_hold_on_a_site_holds_its_retellings(engine: Engine, is_first: bool) -> None:
    add_channel(engine, ASKED)
    announced(engine)
    if is_first:
        hold(engine)
    route_all(engine, ZONE)
    if not is_first:
        hold(engine)

    assert [message.subject for message in composed(engine) if "相似" in message.subject] == []


def hold(engine: Engine) -> None:
    with transaction(engine) as session:
        site = sites.get_site(session, THEIR_SIDE.site or "")
        alert_events.hold(session, site.id, "looks wrong", since=datetime(2026, 1, 1, tzinfo=UTC))


DETAILS = {"retelling": 1, "match_kind": "retold", "queue": "copied", "other_site": 3, "other_owner": 4}
EVENT = EventRecord(1, AlertKind.RETELLING_FOUND, datetime(2026, 3, 1, tzinfo=UTC), None, 2, DETAILS)


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        (ASKED, True),
        (RuleTerms("unasked"), False),
        (replace(ASKED, queue=CaseQueue.WE_MAY_BE_COPIER), False),
        (replace(ASKED, queue=None), True),
        (replace(ASKED, site_id=2), True),
        (replace(ASKED, site_id=3), True),
        (replace(ASKED, site_id=4), False),
        (replace(ASKED, owner_id=4), True),
        (replace(ASKED, owner_id=5), False),
        (replace(ASKED, match_kinds=frozenset({CaseKind.RETOLD})), True),
        (replace(ASKED, match_kinds=frozenset({CaseKind.TRANSLATED, CaseKind.NEAR})), False),
        (replace(ASKED, least=Severity.GRAVE), False),
        (replace(ASKED, credits=frozenset({Credit.NONE})), False),
        (replace(ASKED, view_id=1), False),
    ],
)
def test_all_conditions_of_a_rule_have_to_hold(terms: RuleTerms, expected: bool) -> None:
    assert fits(terms, EVENT, None) is expected


HOSTILE = "<b>@all</b> https://evil.example [x](y)\n\u202e*"


def test_crawled_words_are_inert_and_a_message_fits_its_channel(engine: Engine) -> None:
    found = stored_retelling(
        engine, copy=replace(THEIR_SIDE, title=HOSTILE, owner=HOSTILE), source=replace(OUR_SIDE, title=HOSTILE)
    )
    item = Item(EVENT, retelling=found)

    for language in ("zh", "en"):
        with speaking(language):
            one = make_message([item], kind_of("webhook"), PLACE)
            many = make_message([item] * 40, kind_of("wecom"), PLACE)
        for message in (one, many):
            assert "<b>" not in message.text
            assert "@all" not in message.text
            assert "https://evil" not in message.text
            assert "\u202e" not in message.text
        limit = kind_of("wecom").digest_bytes
        assert limit is not None
        assert len(many.text.encode()) <= limit
        assert one.payload["events"][0]["retelling"]["our_title"] == HOSTILE.replace("\n", "\n")
