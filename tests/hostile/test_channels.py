"""Alerts that are lost must not be called sent: every kind of channel, against a server that records what arrives."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from select import select
from typing import Protocol
from urllib.parse import parse_qs, unquote_to_bytes, urlsplit

import pytest

from admin.alerts.addresses import BadAddress
from admin.alerts.apprise_service import ON_SCREEN, make_service
from admin.alerts.cards import Fact, Said
from admin.alerts.channel_registry import KINDS, read_address
from admin.alerts.group_bot import problem_of
from admin.alerts.kinds.dingtalk import signature
from admin.alerts.orders import Order, Outcome
from crawler.processes.watched_process import ending_with_block
from tests.support.alert_receivers import mail_server
from tests.support.alert_world import World, world_of

ROOT = Path(__file__).parents[2]
WORDS = "alert-4711"
ID = "a6k4ABnck26hDh8AA3EDHoOVdDEUlw3nty7o"
UUID = "12345678-1234-1234-1234-123456789012"
ACCEPTED = {"ok": True, "errcode": 0, "code": 0, "status": "success", "result": {}, "id": "1", "requestId": "1"}

CHANNELS = {
    "wecom": ("wecom", f"https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key={UUID}"),
    "dingtalk": ("dingtalk", "https://oapi.dingtalk.com/robot/send?access_token=" + "ab12" * 16),
    "dingtalk-signed": (
        "dingtalk",
        "https://oapi.dingtalk.com/robot/send?access_token=" + "ab12" * 16 + "&secret=SEC" + "cd34" * 16,
    ),
    "feishu": ("feishu", f"https://open.feishu.cn/open-apis/bot/v2/hook/{UUID}"),
    "slack": ("slack", "https://hooks.slack.com/services/T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ"),
    "webhook": ("webhook", "https://program.example/hook"),
    "opsgenie": ("other", f"opsgenie://{UUID}"),
    "jira": ("other", f"jira://{UUID}"),
    "pagerduty": ("other", f"pagerduty://{ID}@{ID}"),
    "telegram": ("other", "tgram://123456789:abcdefg_hijklmnop/12315544/"),
    "discord": ("other", f"discord://{'1' * 18}/{ID}"),
    "bark": ("other", "barks://bark.example/device_key"),
    "gotify": ("other", "gotifys://gotify.example/" + "t" * 15),
    "ntfy": ("other", "ntfys://ntfy.example/topic"),
    "mattermost": ("other", "mmosts://mattermost.example/3ccdd113474722377935511fc85d3dd4"),
    "google-chat": ("other", "gchat://workspace/key/token"),
    "lark": ("lark", f"https://open.larksuite.com/open-apis/bot/v2/hook/{UUID}"),
    "lark-by-scheme": ("lark", "lark://abcdefgh"),
    "json": ("other", "jsons://receiver.example/path"),
    "xml": ("other", "xmls://receiver.example/path"),
    "form": ("other", "forms://receiver.example/path"),
    "serverchan": ("other", "schan://12345678"),
    "pushplus": ("other", "pushplus://" + "a" * 32),
    "pushover": ("other", f"pover://{'u' * 30}@{'a' * 30}"),
    "splunk": ("other", f"splunk://route@{UUID}/entity"),
}


ANSWERS = {"slack": b"ok", "pushplus": b'{"code": 200}'}


ANSWERS_WITHIN_S = 120


class Send(Protocol):
    def __call__(self, address: str, payload: Mapping[str, object] | None = None) -> Outcome: ...


@contextmanager
def sending(port: int, authority: Path | None = None) -> Iterator[Send]:
    """Sends one message after the other through the real child process; names lead to this port, and nowhere else."""
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.support.processes.alert_child_outside", str(port)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT,
        env={**os.environ, "REQUESTS_CA_BUNDLE": str(authority), "SSL_CERT_FILE": str(authority)},
    )  # fmt: skip
    with child, ending_with_block(child):
        to_child, from_child = child.stdin, child.stdout
        assert to_child is not None
        assert from_child is not None
        to_child.write(json.dumps({"networks": ["127.0.0.0/8"], "user_agent": "Zhiwen"}).encode() + b"\n")

        def send(address: str, payload: Mapping[str, object] | None = None) -> Outcome:
            read = read_address(address)
            order = Order(read.kind, read.full, "our secret", "key-1", "2026-03-01T00:00:00+00:00", f"Subject {WORDS}",
                          f"Text {WORDS}", payload or {"text": WORDS})  # fmt: skip
            to_child.write(order.to_line())
            to_child.flush()
            assert select([from_child], [], [], ANSWERS_WITHIN_S)[0], "no answer"
            return Outcome(**json.loads(from_child.readline()))

        yield send


@pytest.fixture(scope="module")
def everywhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with world_of(tmp_path_factory.mktemp("world")) as found:
        yield found


@pytest.fixture
def world(everywhere: World) -> World:
    everywhere.answer = json.dumps(ACCEPTED).encode()
    everywhere.seen.clear()
    return everywhere


@pytest.fixture(scope="module")
def send(everywhere: World) -> Iterator[Send]:
    with sending(everywhere.port, everywhere.authority) as send:
        yield send


def test_the_example_of_each_kind_is_an_address_of_it() -> None:
    assert {read_address(kind.example).kind for kind in KINDS.values()} == set(KINDS)
    for kind in KINDS.values():
        read = read_address(kind.example)
        assert read.kind == kind.value
        secrets = re.findall(r"[A-Z]{3,}", kind.example)
        assert not [secret for secret in secrets if secret in read.shown + repr(read)]


def arrived(world: World) -> bool:
    return any(WORDS.encode() in unquote_to_bytes(one.body) + one.path.encode() for one in world.seen)


@pytest.mark.parametrize("name", CHANNELS)
def test_m9_what_is_called_sent_has_arrived(name: str, world: World, send: Send) -> None:
    kind, address = CHANNELS[name]
    world.answer = ANSWERS.get(name, world.answer)
    assert read_address(address).kind == kind
    assert send(address) == Outcome(is_sent=True)
    assert arrived(world), world.seen


def test_m9_a_mail_that_is_called_sent_has_arrived() -> None:
    with mail_server() as mailbox, sending(mailbox.port) as send:
        assert send("mailto://mail.example?from=a@ours.example&to=b@ours.example").is_sent
        assert [WORDS in str(mail.get_content()) for mail in mailbox.mails] == [True]


@pytest.mark.parametrize("address", [f"opsgenie://{UUID}/?action=close", f"jira://{UUID}/?action=note"])
def test_m9_a_service_that_says_yes_and_does_nothing_has_not_sent(address: str, world: World, send: Send) -> None:
    outcome = send(address)
    assert (outcome.is_sent, world.seen) == (False, [])
    assert "nothing was sent" in outcome.problem


REFUSALS = {
    "wecom": {"errcode": 93000, "errmsg": "invalid webhook url"},
    "dingtalk": {"errcode": 310000, "errmsg": "keywords not in content"},
    "dingtalk-signed": {"errcode": 310000, "errmsg": "sign not match"},
    "feishu": {"code": 19001, "msg": "param invalid: incoming webhook access token invalid", "data": {}},
    "lark": {"code": 19024, "msg": "Key Words Not Found", "data": {}},
}


@pytest.mark.parametrize("name", REFUSALS)
def test_m9_a_bot_that_refuses_with_status_200_has_not_taken_it(name: str, world: World, send: Send) -> None:
    world.answer = json.dumps(REFUSALS[name]).encode()
    outcome = send(CHANNELS[name][1])
    assert not outcome.is_sent
    assert "It refused the message" in outcome.problem


CARD = Said(
    f"新案件：{WORDS}" * 3,
    (Fact("文章", "老桥修好了"), Fact("转载方", "抄写公司")),
    "https://desk.example/cases/7",
    "查看案件",
).card


def test_a_wecom_bot_gets_a_card_with_a_button(world: World, send: Send) -> None:
    assert send(CHANNELS["wecom"][1], {"card": CARD}) == Outcome(is_sent=True)

    (posted,) = world.seen
    body = json.loads(posted.body)
    shown = body["template_card"]
    assert (body["msgtype"], shown["card_type"]) == ("template_card", "text_notice")
    assert shown["card_action"] == {"type": 1, "url": "https://desk.example/cases/7"}
    assert shown["jump_list"] == [{"type": 1, "url": "https://desk.example/cases/7", "title": "查看案件"}]
    assert shown["horizontal_content_list"][1] == {"keyname": "转载方", "value": "抄写公司"}
    assert len(shown["main_title"]["title"]) == 26


def test_a_wecom_bot_that_refuses_the_card_gets_the_text_and_a_refusal_of_both_is_told(
    world: World, send: Send
) -> None:
    world.answer = json.dumps(REFUSALS["wecom"]).encode()
    outcome = send(CHANNELS["wecom"][1], {"card": CARD})

    assert [json.loads(one.body)["msgtype"] for one in world.seen] == ["template_card", "text"]
    assert not outcome.is_sent
    assert "It refused the message" in outcome.problem


@pytest.mark.parametrize("answer", [b"", b"<html>", b"[]", b"{}", b'{"errcode": "0"}', b'{"errcode": null}'])
def test_m9_an_answer_that_says_neither_is_no_yes(answer: bytes) -> None:
    assert problem_of(answer)


def test_a_dingtalk_robot_gets_the_signature_that_it_computes(world: World, send: Send) -> None:
    send(CHANNELS["dingtalk-signed"][1])
    query = parse_qs(urlsplit(world.seen[0].path).query)
    assert query["sign"] == [signature("SEC" + "cd34" * 16, query["timestamp"][0])]


@pytest.mark.parametrize("scheme", ["kodi", "kodis", "xbmc", "xbmcs"])
def test_l8_services_that_only_show_a_message_for_seconds_are_refused_in_words(scheme: str) -> None:
    with pytest.raises(BadAddress) as refused:
        read_address(f"{scheme}://192.0.2.7")
    assert refused.value.why is ON_SCREEN


def every_scheme() -> list[str]:
    from apprise import Apprise  # noqa: PLC0415  # a second of imports

    found: list[str] = []
    for service in Apprise().details()["schemas"]:
        found += [*(service["protocols"] or []), *(service["secure_protocols"] or [])]
    return sorted(set(found))


def test_l8_no_address_of_any_scheme_ends_in_an_error() -> None:
    shapes: list[Callable[[str], str]] = [
        lambda scheme: f"{scheme}://host",
        lambda scheme: f"{scheme}://user:pass@host:1/a/b/c",
        lambda scheme: f"{scheme}://{UUID}/{ID}/{'1' * 12}",
    ]
    schemes = every_scheme()
    assert len(schemes) > 200
    for scheme in schemes:
        for shape in shapes:
            try:
                read_address(shape(scheme))
            except BadAddress:
                continue
    assert make_service("nonsense://x") is None
