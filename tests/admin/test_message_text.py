"""Content, time and recipients of alerts: everything about them that needs no store."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from flask_babel import gettext

from admin.alerts.addresses import NO_ADDRESS, UNKNOWN, BadAddress, without_secrets
from admin.alerts.apprise_service import LOCAL
from admin.alerts.channel_registry import KINDS, read_address
from admin.alerts.kinds import mail, webhook
from admin.alerts.message_text import Item, Place, make_message, speaking
from admin.alerts.plain_words import inert
from admin.alerts.problem_text import problem_in_words
from storage.alerts.outbox import DueAlert
from storage.alerts.routing import Notification, notifications_of
from storage.alerts.rules import CaseFacts, fits
from storage.alerts.timing import WAITS_S, next_digest, parse_time_of_day, wait_before_retry
from storage.records.alerts import AlertKind, EventRecord, RuleRecord, RuleTerms
from storage.records.cases import CaseRecord
from storage.types import CaseKind, CaseQueue, CaseState, Credit, Severity, Standing
from zhiwen.alerts.dispatcher import SINGLY, in_messages

NOW = datetime(2026, 5, 4, 8, 0, tzinfo=UTC)
PLACE = Place("https://desk.example", "Asia/Shanghai")
CASE = CaseRecord(
    7, 1, "https://ours.example/1", "owner:3", 3, "抄写公司", CaseQueue.COPIED, CaseState.NEW, False, None, None, "",
    NOW, NOW, None, 1, 1_234, 0.71, 0.8, CaseKind.NEAR, Credit.NONE, Standing.UNLICENSED, 0.9, Severity.GRAVE,
    "老桥修好了", "县报", None, "https://copier.example/1", "",
)  # fmt: skip
FACTS = CaseFacts(CASE, frozenset({1, 2}), "Asia/Tokyo", frozenset({5}), NOW)
OPENED = EventRecord(1, AlertKind.CASE_OPENED, NOW, 7, None, {})

ASSIGNED = EventRecord(
    9, AlertKind.MENTIONED, NOW, 7, None, {"account": 3, "name": "王编辑", "by": "李主任", "assigned": 1}
)

DIGESTS = [
    # after (UTC), time of day, zone, due (UTC)
    ("2026-05-04T00:29:59", "08:30", "Asia/Shanghai", "2026-05-04T00:30:00"),
    ("2026-05-04T00:30:00", "08:30", "Asia/Shanghai", "2026-05-05T00:30:00"),
    ("2026-05-04T12:00:00", "08:30", "America/New_York", "2026-05-04T12:30:00"),
    ("2026-03-07T20:00:00", "08:30", "America/New_York", "2026-03-08T12:30:00"),
    ("2026-10-31T20:00:00", "08:30", "America/New_York", "2026-11-01T13:30:00"),
    ("2026-03-08T05:00:00", "02:30", "America/New_York", "2026-03-08T07:30:00"),
    ("2026-11-01T04:00:00", "01:30", "America/New_York", "2026-11-01T05:30:00"),
    ("2026-11-01T05:30:00", "01:30", "America/New_York", "2026-11-02T06:30:00"),
    ("2026-12-31T23:00:00", "08:30", "Pacific/Kiritimati", "2027-01-01T18:30:00"),
    ("2026-05-04T00:00:00", "00:00", "UTC", "2026-05-05T00:00:00"),
    ("2026-05-04T02:44:00", "08:30", "Asia/Kathmandu", "2026-05-04T02:45:00"),
]


@pytest.mark.parametrize(("after", "at", "zone", "due"), DIGESTS)
def test_a_digest_is_due_when_clocks_there_next_show_its_time(after: str, at: str, zone: str, due: str) -> None:
    moment, expected = (datetime.fromisoformat(text).replace(tzinfo=UTC) for text in (after, due))
    assert next_digest(moment, time.fromisoformat(at), ZoneInfo(zone)) == expected


@pytest.mark.parametrize("zone", ["Asia/Shanghai", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia"])
@pytest.mark.parametrize("at", ["02:30", "08:30", "23:59"])
def test_there_is_one_digest_on_each_day_of_a_year(zone: str, at: str) -> None:
    moment, days = datetime(2026, 1, 1, tzinfo=UTC), set()
    for _day in range(365):
        moment = next_digest(moment, time.fromisoformat(at), ZoneInfo(zone))
        days.add(moment.astimezone(ZoneInfo(zone)).date())
    assert len(days) == 365


def test_times_of_day_and_waits() -> None:
    assert [parse_time_of_day(text) for text in ("8:30", " 08:30", "24:00", "8:60", "", "٨:30", "08:30:00")] == [
        time(8, 30), time(8, 30), None, None, None, None, None,
    ]  # fmt: skip
    waits = [wait_before_retry(attempts) for attempts in range(1, len(WAITS_S) + 2)]
    assert waits == [timedelta(seconds=wait) for wait in WAITS_S] + [None]
    assert list(WAITS_S) == sorted(WAITS_S)


TERMS = RuleTerms("a")
FITTING = [
    (TERMS, True),
    (replace(TERMS, enabled=False), False),
    (replace(TERMS, kinds=frozenset({AlertKind.DISK_LOW})), False),
    (replace(TERMS, queue=CaseQueue.WE_MAY_BE_COPIER), False),
    (replace(TERMS, queue=None), True),
    (replace(TERMS, site_id=2), True),
    (replace(TERMS, site_id=3), False),
    (replace(TERMS, owner_id=3), True),
    (replace(TERMS, owner_id=4), False),
    (replace(TERMS, least=Severity.GRAVE), True),
    (replace(TERMS, match_kinds=frozenset({CaseKind.NEAR})), True),
    (replace(TERMS, match_kinds=frozenset({CaseKind.MOSAIC})), False),
    (replace(TERMS, credits=frozenset({Credit.LINKED, Credit.NAMED})), False),
    (replace(TERMS, view_id=5), True),
    (replace(TERMS, view_id=6), False),
]


@pytest.mark.parametrize(("terms", "expected"), FITTING)
def test_all_conditions_of_a_rule_have_to_hold(terms: RuleTerms, expected: bool) -> None:
    assert fits(terms, OPENED, FACTS) is expected


def test_a_less_grave_case_is_not_for_who_asks_for_grave_ones() -> None:
    slight = replace(FACTS, record=replace(CASE, severity=Severity.SLIGHT))
    asked = [replace(TERMS, least=least) for least in (Severity.SLIGHT, Severity.MIDDLING, Severity.GRAVE)]
    assert [fits(terms, OPENED, slight) for terms in asked] == [True, False, False]


def test_news_of_a_site_are_for_who_asks_for_this_site_or_for_none() -> None:
    blind = EventRecord(2, AlertKind.SITE_BLIND, NOW, None, 1, {})
    asked = [TERMS, replace(TERMS, site_id=1), replace(TERMS, site_id=2), replace(TERMS, owner_id=9)]
    assert [fits(terms, blind, None) for terms in asked] == [True, True, False, True]
    assert not fits(TERMS, OPENED, None), "a case that is no more is told to nobody"


def test_of_several_rules_the_first_to_tell_a_channel_counts() -> None:
    rules = [
        RuleRecord(1, 10, "a", TERMS, None, None, None),
        RuleRecord(2, 10, "a", replace(TERMS, digest_at=None), None, None, None),
        RuleRecord(3, 11, "b", replace(TERMS, digest_at="16:59", time_zone="Asia/Shanghai"), None, None, None),
        RuleRecord(4, 12, "c", replace(TERMS, digest_at="08:30"), None, None, None),
        RuleRecord(5, 13, "d", replace(TERMS, owner_id=9), None, None, None),
    ]
    assert notifications_of(rules, OPENED, FACTS, now=NOW, time_zone="UTC") == [
        Notification(10, NOW, is_digest=False),
        Notification(11, datetime(2026, 5, 4, 8, 59, tzinfo=UTC), is_digest=True),
        Notification(12, datetime(2026, 5, 4, 23, 30, tzinfo=UTC), is_digest=True),
    ]


def test_a_zone_that_this_machine_does_not_know_is_the_installation_s() -> None:
    rules = [RuleRecord(1, 10, "a", replace(TERMS, time_zone="Mars/Olympus"), None, None, None)]
    (notification,) = notifications_of(rules, OPENED, FACTS, now=NOW, time_zone="UTC")
    assert notification.due_at == datetime(2026, 5, 4, 8, 30, tzinfo=UTC)


def a_due(number: int, kind: AlertKind = AlertKind.CASE_OPENED, *, is_digest: bool = False) -> DueAlert:
    return DueAlert(number, 1, is_digest, EventRecord(number, kind, NOW, 7, None, {}))


def test_what_is_reported_at_once_stands_alone_unless_it_is_much() -> None:
    few = [a_due(number) for number in range(SINGLY)]
    digest = [a_due(number, is_digest=True) for number in range(10, 13)]
    disk = a_due(20, AlertKind.DISK_LOW)
    assert list(in_messages([*few, *digest, disk])) == [[disk], *([one] for one in few), digest]
    many = [a_due(number) for number in range(SINGLY + 1)]
    assert list(in_messages(many)) == [many]
    assert list(in_messages([])) == []


@pytest.mark.parametrize(("name", "most"), [("wecom", 1_900), ("slack", 3_000), ("other", 3_000), ("mail", None)])
def test_a_message_to_a_chat_fits_it_and_says_how_many_more_there_are(name: str, most: int | None) -> None:
    items = [
        Item(replace(OPENED, id=number), replace(FACTS, record=replace(CASE, id=number, our_title="长" * 200)))
        for number in range(300)
    ]
    with speaking("zh"):
        message = make_message(items, KINDS[name], PLACE)
    listed = message.text.count("· 长")
    assert 0 < listed <= 100
    assert f"另有 {300 - listed} 件" in message.text
    assert most is None or len(message.text.encode()) <= most
    assert message.text.count("https://") == 1


def test_a_digest_groups_what_happened_with_the_gravest_first() -> None:
    slight = replace(FACTS, record=replace(CASE, our_title="轻", severity=Severity.SLIGHT))
    items = [
        Item(OPENED, slight),
        Item(replace(OPENED, id=2), FACTS),
        Item(replace(OPENED, id=3, kind=AlertKind.COPY_REMOVED), FACTS),
    ]
    with speaking("en"):
        message = make_message(items, webhook.KIND, PLACE)
    assert message.subject == "[Zhiwen] Case updates: 3"
    heads = [line for line in message.text.splitlines() if line[:1].isupper() and " · " in line]
    assert heads == ["New cases · 2", "Copies taken down · 1"]
    assert message.text.index("老桥修好了") < message.text.index("轻")
    assert message.payload["link"] == "https://desk.example/cases?tab=all&since=2026-05-04T08%3A00%3A00%2B00%3A00"
    assert [event["kind"] for event in message.payload["events"]] == ["case-opened", "case-opened", "copy-removed"]


@pytest.mark.parametrize(
    ("queue", "words"),
    [(CaseQueue.WE_MAY_BE_COPIER, "we may be the copier"), (CaseQueue.SHARED_PASSAGE, "shares a passage")],
)
def test_a_case_in_doubt_accuses_nobody(queue: CaseQueue, words: str) -> None:
    """“X copied …” was said of whoever was there first (D2)."""
    item = Item(OPENED, replace(FACTS, record=replace(CASE, queue=queue)))
    with speaking("en"):
        one = make_message([item], mail.KIND, PLACE)
        many = make_message([item, Item(replace(OPENED, id=2), FACTS)], mail.KIND, PLACE)

    assert words in one.subject
    assert "copied “" not in one.subject
    assert not {"Copier:", "Taken:", "Severity:", "Credit:"} & set(one.text.split())
    assert many.text.count(words) == 1
    assert [many.text.count(said) for said in ("No credit", "High")] == [1, 1], "of the other case"


OPERATION = [
    (AlertKind.SITE_BLIND, {"measure": "articles", "value": 2.0, "usual": 40.2}, "当日新文章：2 篇，平时约 40 篇"),
    (AlertKind.SITE_BLIND, {"measure": "empty", "value": 0.62, "usual": 0.031}, "未提取到文章的页面：62%，平时约 3%"),
    (
        AlertKind.DISK_LOW,
        {"machine": "a", "free": 2_000_000_000, "total": 40_000_000_000, "full_at": "2026-05-08T20:00:00+00:00"},
        "a：剩余 2.0 GB，共 40.0 GB\n预计 2026-05-09 左右用尽",
    ),
    (AlertKind.JOB_SET_ASIDE, {"task": "crawl", "problem": "<b>no"}, "任务：crawl\n＜b＞no"),
    (AlertKind.BACKUP_FAILED, {"measure": "nonsense", "value": "x", "problem": "no room"}, "no room"),
]


@pytest.mark.parametrize(("kind", "details", "said"), OPERATION)
def test_news_of_the_operation_say_what_was_noticed(kind: AlertKind, details: dict[str, object], said: str) -> None:
    event = EventRecord(1, kind, NOW, None, 4, details)
    with speaking("zh"):
        message = make_message([Item(event, site="县报")], mail.KIND, PLACE)
    assert said in message.text
    assert message.text.endswith("\n\nhttps://desk.example/sites/4")


def test_the_language_of_a_message_is_its_channel_s_alone() -> None:
    with speaking("en"):
        assert gettext("New cases") == "New cases"
        with speaking("zh"):
            assert gettext("New cases") == "新案件"
        assert gettext("New cases") == "New cases"


def test_crawled_text_is_inert() -> None:
    assert inert("a\r\nb\t c\u2028d") == "a b c⟪U+2028⟫d"
    assert inert("<@all> [x](https://evil.example) `*b*`") == "＜＠all＞ ［x］(https：//evil.example) ˋ＊b＊ˋ"
    assert len(inert("长" * 100)) == 60


ADDRESSES = {
    "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=693axxx6-7aoc-4bc4-97a0-0ec2sifa5aaa": "wecom",
    "https://oapi.dingtalk.com/robot/send?access_token=abcdefabcdef&secret=SECabc": "dingtalk",
    "https://open.feishu.cn/open-apis/bot/v2/hook/xxxxxxxx-1111-2222-3333-444444444444": "feishu",
    "https://hooks.slack.com/services/T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ": "slack",
    "ntfy://ntfy.example/topic": "other",
    "https://hooks.example/path?token=s3cr3t": "webhook",
    " http://127.0.0.1:8080/x\n": "webhook",
    "mailtos://user:s3cr3t@smtp.example:465?from=a@ours.example&to=b@ours.example": "mail",
}


def test_an_address_tells_its_kind_and_is_never_shown_whole() -> None:
    for text, kind in ADDRESSES.items():
        read = read_address(text)
        assert read.kind == kind, text
        tokens = ("693axxx6", "abcdefabcdef", "SECabc", "xxxxxxxx", "TIiajkd", "s3cr3t")
        assert not [token for token in tokens if token in read.shown + repr(read)], text


BAD = {
    "": NO_ADDRESS, "a\nb": NO_ADDRESS, "x" * 3_000: NO_ADDRESS,
    "nonsense": UNKNOWN, "ftp://files.example/": UNKNOWN, "https://[::1": UNKNOWN,
    "javascript:alert(1)": UNKNOWN, "file:///etc/passwd": UNKNOWN, "syslog://": LOCAL,
    "dbus://": LOCAL, "fcm://project@key/#topic?keyfile=/etc/passwd": LOCAL,
    "https://user:pass@hooks.example/": webhook.USER_IN_ADDRESS,
}  # fmt: skip


def test_what_is_no_channel_is_refused_by_name() -> None:
    found = {}
    for text in BAD:
        with pytest.raises(BadAddress) as refused:
            read_address(text)
        found[text] = refused.value.why
        assert not text.strip() or text not in str(refused.value)
    assert found == BAD


def test_a_mail_form_makes_an_address_whatever_stands_in_its_fields() -> None:
    fields = {"host": "smtp.example", "port": "465", "security": "ssl", "user": "a@b.example", "sender": "a@b.example"}
    address = mail.mail_address(**fields, password="p@:/?#& w", recipients="x@y.example；z@y.example")
    assert read_address(address).shown == "x@y.example, z@y.example · smtp.example"
    assert "p@" not in address


def test_failures_are_kept_without_secrets_and_said_in_words() -> None:
    address = "https://user:passw0rd@hooks.example/s3cr3t-path/x?token=s3cr3t%20value"
    said = f"Max retries exceeded with url: /s3cr3t-path/x?token=s3cr3t%20value ({address}) s3cr3t value, key9876"
    kept = without_secrets(said, address, "key9876")
    assert not [word for word in ("s3cr3t", "passw0rd", "key9876") if word in kept], kept
    with speaking("zh"):
        assert problem_in_words("It answered 503.") == "接收方返回状态码 503。"
        assert problem_in_words("URLError: 10.1.2.3 is not a public address; ZHIWEN_ALLOWED_NETWORKS names the …") == (
            "10.1.2.3 不是公网地址，请先在 ZHIWEN_ALLOWED_NETWORKS 中放行所在网段。"
        )
        unknown = "URLError: <urlopen error [Errno -2] Name or service not known>"
        assert problem_in_words(unknown) == "找不到该域名。"
        untrusted = "SSLError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed (_ssl.c:1006)"
        assert problem_in_words(untrusted) == "接收方的证书不可信。"
        assert problem_in_words("530 go away") == "530 go away"
        broken = "A Connection error occurred sending WeCom Bot notification."
        assert problem_in_words(broken) == "无法连接企业微信群机器人。"
        refused = "Failed to send DingTalk notification: Not Found, error=404."
        assert problem_in_words(refused) == "钉钉未接受消息（状态码 404）。"
        endless = "Failed to send " + "x" * 100_000
        assert problem_in_words(endless) == endless


@pytest.mark.parametrize(("language", "words"), [("en", "Found by: search (own, brave)"), ("zh", "搜索（own, brave）")])
def test_a_copy_that_a_search_service_found_says_so(language: str, words: str) -> None:
    found = replace(FACTS, search_services=("own", "brave"))
    with speaking(language):
        message = make_message([Item(OPENED, found)], KINDS[webhook.KIND.value], PLACE)
        silent = make_message([Item(OPENED, FACTS)], KINDS[webhook.KIND.value], PLACE)

    assert words in message.text
    assert message.payload["events"][0]["case"]["search_services"] == ["own", "brave"]
    assert silent.payload["events"][0]["case"]["search_services"] == []
    assert words.partition("own")[0] not in silent.text


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("event", [OPENED, ASSIGNED], ids=["case", "assigned"])
def test_a_chat_with_cards_gets_the_facts_of_a_case_and_a_button(language: str, event: EventRecord) -> None:
    with speaking(language):
        message = make_message([Item(event, FACTS)], KINDS["wecom"], PLACE)
        plain = make_message([Item(event, FACTS)], KINDS["feishu"], PLACE)

    card = message.payload["card"]
    assert card["link"] == "https://desk.example/cases/7"
    assert card["action"] == {"zh": "查看案件", "en": "Open case"}[language]
    assert card["facts"][0] == [{"zh": "文章", "en": "Article"}[language], "老桥修好了"]
    assert ["抄写公司"] in [[value] for _name, value in card["facts"]]
    assert message.text == plain.text
    assert all(f"{name}{separator}{value}" in message.text for name, value in card["facts"]
               for separator in [{"zh": "：", "en": ": "}[language]])  # fmt: skip
    assert plain.payload == {}


def test_a_digest_has_no_card() -> None:
    with speaking("zh"):
        message = make_message([Item(OPENED, FACTS), Item(replace(OPENED, id=2), FACTS)], KINDS["wecom"], PLACE)

    assert message.payload == {}


def test_many_assigned_cases_are_one_message_that_leads_to_the_list() -> None:
    many = replace(ASSIGNED, case_id=None, details={**ASSIGNED.details, "assigned": 1_200})
    with speaking("en"):
        message = make_message([Item(many)], KINDS["mail"], PLACE)

    assert message.subject.endswith("@王编辑: 李主任 assigned cases to you: 1,200")
    assert message.text == "\nhttps://desk.example/cases?assignee=@me"
